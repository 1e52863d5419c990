public import TrackModel

/// A recorded way in memory: timed points in segments, with what a drive is made from and nothing else.
public struct Recording: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case track
    /// A planned way; its points rarely have times.
    case route
  }

  /// A stretch without an interruption of the recording, as columns of equal length.
  public struct Segment: Sendable, Hashable {
    /// Microseconds since 1970 per point; ``Instant/absent`` where there is no time.
    public private(set) var times: [Int64] = []
    /// Degrees north per point.
    public private(set) var latitudes: [Double] = []
    /// Degrees east per point.
    public private(set) var longitudes: [Double] = []
    /// Metres per point, ``Segment/unknownAccuracy`` where it is not known; nil where it is known of no
    /// point.
    public private(set) var horizontalAccuracies: [Double]?

    /// Metres per point, ``Segment/unknownElevation`` where it is not known; nil where it is known of no
    /// point.
    public private(set) var elevations: [Double]?

    /// Stands for an elevation that is not known: below any, and no NaN, so that equal segments are equal.
    public static let unknownElevation = -1e9
    /// Stands for an accuracy that is not known: less than any, and no NaN, so that equal segments are equal.
    public static let unknownAccuracy = -1.0

    public init() {}

    /// The number of points.
    public var count: Int { times.count }

    /// Adds a point.
    public mutating func append(
      _ coordinate: Coordinate, time: Instant?, horizontalAccuracy: Double? = nil, elevation: Double? = nil
    ) {
      let accuracy = horizontalAccuracy ?? Self.unknownAccuracy
      if horizontalAccuracy != nil, horizontalAccuracies == nil {
        horizontalAccuracies = Array(repeating: Self.unknownAccuracy, count: count)
      }
      horizontalAccuracies?.append(accuracy)
      if elevation != nil, elevations == nil {
        elevations = Array(repeating: Self.unknownElevation, count: count)
      }
      elevations?.append(elevation ?? Self.unknownElevation)
      times.append(time?.microseconds ?? Instant.absent)
      latitudes.append(coordinate.latitude)
      longitudes.append(coordinate.longitude)
    }

    /// The same points with other times.
    func with(times: [Int64]) -> Segment {
      precondition(times.count == count, "one time per point")
      var result = self
      result.times = times
      return result
    }

    /// Some of the points.
    fileprivate func rows(_ rows: [Int]) -> Segment {
      var result = Segment()
      result.times = rows.map { times[$0] }
      result.latitudes = rows.map { latitudes[$0] }
      result.longitudes = rows.map { longitudes[$0] }
      result.horizontalAccuracies = horizontalAccuracies.map { column in rows.map { column[$0] } }
      result.elevations = elevations.map { column in rows.map { column[$0] } }
      return result
    }

    /// Adds the rows of a batch.
    public mutating func append(_ batch: borrowing PointBatch) {
      append(
        batch.values(of: .horizontalAccuracy), batch.count, to: \.horizontalAccuracies, Self.unknownAccuracy)
      append(batch.values(of: .elevation), batch.count, to: \.elevations, Self.unknownElevation)
      times.append(copying: batch.times)
      latitudes.append(copying: batch.latitudes)
      longitudes.append(copying: batch.longitudes)
    }

    /// Adds the values of a batch, which may have none, to a column.
    private mutating func append(
      _ values: Span<Double>, _ rows: Int, to property: WritableKeyPath<Segment, [Double]?>, _ unknown: Double
    ) {
      guard !values.isEmpty || self[keyPath: property] != nil else { return }
      var column = self[keyPath: property] ?? Array(repeating: unknown, count: count)
      self[keyPath: property] = nil  // one owner while it grows
      for row in 0..<rows { column.append(values.isEmpty || values[row].isNaN ? unknown : values[row]) }
      self[keyPath: property] = column
    }
  }

  public var kind: Kind
  public var name: String?
  /// The kind of activity, in the words of the file.
  public var type: String?
  /// When the whole began and ended, where the file says so apart from its points.
  public var timeSpan: TimeSpan?
  /// How coarse the source is, where it is coarser than a GPS recording.
  public var coarseness: Coarseness?
  /// What a drive document says of itself, where the recording is one or came from one.
  public var drive: RecordedDrive?
  /// What the file says about the track in its own words.
  public var description: String?
  /// The bike, the shoes or the vehicle.
  public var gear: String?
  /// In the order of the file; a route has one.
  public var segments: [Segment]

  public init(kind: Kind = .track, name: String? = nil, segments: [Segment] = []) {
    self.kind = kind
    self.name = name
    self.segments = segments
  }

  /// The number of points in all segments.
  public var count: Int { segments.reduce(0) { $0 + $1.count } }

  /// The first time that a point has.
  public var startTime: Instant? {
    for segment in segments {
      if let time = segment.times.first(where: { $0 != Instant.absent }) {
        return Instant(microseconds: time)
      }
    }
    return nil
  }

  /// The points from one time through another, in microseconds since 1970; those without a time stay with the
  /// one before.
  func part(from first: Int64, through last: Int64) -> Recording {
    var part = self
    var isIn = false
    part.segments = segments.compactMap { segment in
      let rows = (0..<segment.count).filter { row in
        if segment.times[row] != Instant.absent { isIn = (first...last).contains(segment.times[row]) }
        return isIn
      }
      return rows.isEmpty ? nil : segment.rows(rows)
    }
    return part
  }

  /// The same without some of the points, by their indices through all segments.
  func without(_ removed: Set<Int>) -> Recording {
    var result = self
    var index = 0
    result.segments = segments.compactMap { segment in
      let rows = (0..<segment.count).filter { !removed.contains(index + $0) }
      index += segment.count
      return rows.count == segment.count ? segment : rows.isEmpty ? nil : segment.rows(rows)
    }
    return result
  }

  /// Whether no point has a time.
  var hasNoTimes: Bool {
    segments.allSatisfy { segment in segment.times.allSatisfy { $0 == Instant.absent } }
  }

  /// What stands before the gear in the comment of a track, which has no other place for it.
  private static let gearMark = "Gear: "

  /// Takes over what a file says about the track; what is known already stays, as in `TrackInfo.merge`.
  mutating func add(_ info: TrackInfo) {
    name = name ?? info.name
    type = type ?? info.type
    timeSpan = timeSpan ?? info.timeSpan
    coarseness = coarseness ?? info.coarseness
    description = description ?? info.description
    gear =
      gear
      ?? info.comment.flatMap {
        $0.hasPrefix(Self.gearMark) ? String($0.dropFirst(Self.gearMark.count)) : nil
      }
    drive = drive ?? info.extensions.lazy.compactMap(RecordedDrive.init).first
  }
}
