public import TrackModel
import TrackTransforms

/// A recording in memory: points in segments with the data needed for drives.
public struct Recording: Sendable, Hashable {
  /// The kind of container that the points come from.
  public enum Kind: Sendable, Hashable {
    /// A recorded track.
    case track
    /// A planned route, whose points rarely have times.
    case route
  }

  /// An uninterrupted segment of the recording, as columns of equal length.
  public struct Segment: Sendable, Hashable {
    /// The time per point in microseconds since 1970, or `Instant.absent`.
    public private(set) var times: [Int64] = []
    /// The latitude per point in degrees.
    public private(set) var latitudes: [Double] = []
    /// The longitude per point in degrees.
    public private(set) var longitudes: [Double] = []
    /// The accuracy per point in metres, or ``Segment/unknownAccuracy``. `nil` if it is unknown for all
    /// points.
    public private(set) var horizontalAccuracies: [Double]?

    /// The elevation per point in metres, or ``Segment/unknownElevation``. `nil` if it is unknown for all
    /// points or was not requested.
    public private(set) var elevations: [Double]?

    /// The recorded speed per point in metres per second, or ``Segment/unknownMotion``. `nil` if it is
    /// unknown for all points or was not requested.
    public private(set) var speeds: [Double]?
    /// The recorded course per point in degrees clockwise from north, or ``Segment/unknownMotion``. `nil` if
    /// it is unknown for all points or was not requested.
    public private(set) var courses: [Double]?
    /// The values in other channels, or `nil` if they were not requested.
    public private(set) var channels: ChannelColumns?

    /// The value for an unknown elevation. Not NaN, so that equal segments compare as equal.
    public static let unknownElevation = -1e9
    /// The value for an unknown accuracy. Not NaN, so that equal segments compare as equal.
    public static let unknownAccuracy = -1.0
    /// The value for an unknown speed or course. Not NaN, so that equal segments compare as equal.
    public static let unknownMotion = -1.0

    /// Creates a segment without points.
    public init() {}

    /// The number of points.
    public var count: Int { times.count }

    /// Appends a point.
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
      speeds?.append(Self.unknownMotion)
      courses?.append(Self.unknownMotion)
      times.append(time?.microseconds ?? Instant.absent)
      latitudes.append(coordinate.latitude)
      longitudes.append(coordinate.longitude)
    }

    /// Returns the points with other times.
    func with(times: [Int64]) -> Segment {
      precondition(times.count == count, "one time per point")
      var result = self
      result.times = times
      return result
    }

    /// The points in reverse order, with their times.
    var reversed: Segment { rows((0..<count).reversed()) }

    /// Returns points by their rows.
    fileprivate func rows(_ rows: [Int]) -> Segment {
      var result = Segment()
      result.times = rows.map { times[$0] }
      result.latitudes = rows.map { latitudes[$0] }
      result.longitudes = rows.map { longitudes[$0] }
      result.horizontalAccuracies = horizontalAccuracies.map { column in rows.map { column[$0] } }
      result.elevations = elevations.map { column in rows.map { column[$0] } }
      result.speeds = speeds.map { column in rows.map { column[$0] } }
      result.courses = courses.map { column in rows.map { column[$0] } }
      result.channels = channels?.rows(rows)
      return result
    }

    /// Appends the rows of a batch.
    ///
    /// - Parameters:
    ///   - batch: the rows.
    ///   - keepsElevations: whether to keep ``elevations``.
    ///   - keepsMotion: whether to keep ``speeds`` and ``courses``.
    ///   - keepsChannels: whether to keep ``channels``.
    public mutating func append(
      _ batch: borrowing PointBatch, keepsElevations: Bool = true, keepsMotion: Bool = false,
      keepsChannels: Bool = false
    ) {
      if keepsChannels {
        var columns = channels ?? ChannelColumns()
        channels = nil  // keeps the arrays uniquely referenced
        columns.add(batch, at: count)
        channels = columns
      }
      if keepsMotion {
        append(batch.values(of: .speed), batch.count, to: \.speeds, Self.unknownMotion)
        append(batch.values(of: .course), batch.count, to: \.courses, Self.unknownMotion)
      }
      append(
        batch.values(of: .horizontalAccuracy), batch.count, to: \.horizontalAccuracies, Self.unknownAccuracy)
      if keepsElevations {
        append(batch.values(of: .elevation), batch.count, to: \.elevations, Self.unknownElevation)
      }
      times.append(copying: batch.times)
      latitudes.append(copying: batch.latitudes)
      longitudes.append(copying: batch.longitudes)
    }

    /// Appends the values of a batch, which can be missing, to a column.
    private mutating func append(
      _ values: Span<Double>, _ rows: Int, to property: WritableKeyPath<Segment, [Double]?>, _ unknown: Double
    ) {
      guard !values.isEmpty || self[keyPath: property] != nil else { return }
      var column = self[keyPath: property] ?? Array(repeating: unknown, count: count)
      self[keyPath: property] = nil  // keeps the array uniquely referenced
      column.reserve(rows)
      for row in 0..<rows { column.append(values.isEmpty || values[row].isNaN ? unknown : values[row]) }
      self[keyPath: property] = column
    }
  }

  /// The kind of container that the points come from.
  public var kind: Kind
  /// The name in the file, or `nil`.
  public var name: String?
  /// The kind of activity, as named in the file.
  public var type: String?
  /// The time span of the whole track, if the file states it separately from the points.
  public var timeSpan: TimeSpan?
  /// The resolution of the source if it is lower than that of a GPS recording.
  public var resolution: Resolution?
  /// The fields of a drive document, if the recording is a drive document or was created from one.
  public var drive: RecordedDrive?
  /// The file's description of the track.
  public var description: String?
  /// The bike, the shoes or the vehicle.
  public var gear: String?
  /// The segments in file order. A route has one.
  public var segments: [Segment]

  /// Creates a recording from segments in driving order.
  public init(kind: Kind = .track, name: String? = nil, segments: [Segment] = []) {
    self.kind = kind
    self.name = name
    self.segments = segments
  }

  /// The number of points in all segments.
  public var count: Int { segments.reduce(0) { $0 + $1.count } }

  /// The time of the first point with a time.
  public var startTime: Instant? {
    for segment in segments {
      if let time = segment.times.first(where: { $0 != Instant.absent }) {
        return Instant(microseconds: time)
      }
    }
    return nil
  }

  /// Returns the points in each of some time ranges in microseconds since 1970. Points without a time are
  /// kept together with their predecessors.
  ///
  /// - Parameter ranges: the ranges in ascending order, which do not overlap.
  /// - Complexity: O(*n* log *m*) for *n* points and *m* ranges.
  package func parts(in ranges: [ClosedRange<Int64>]) -> [Recording] {
    var empty = self
    empty.segments = []
    var parts = Array(repeating: empty, count: ranges.count)
    var current: Int?
    for segment in segments {
      var rows: [Int] = []
      func add() {
        if let current, !rows.isEmpty { parts[current].segments.append(segment.rows(rows)) }
        rows = []
      }
      for row in 0..<segment.count {
        let time = segment.times[row]
        if time != Instant.absent, current.map({ !ranges[$0].contains(time) }) ?? true {
          add()
          let next = ranges.partitionIndex { $0.upperBound >= time }
          current = next < ranges.count && ranges[next].contains(time) ? next : nil
        }
        if current != nil { rows.append(row) }
      }
      add()
    }
    return parts
  }

  /// Returns the recording without the points in zones.
  func outside(_ zones: PrivacyZones) -> Recording {
    guard !zones.isEmpty else { return self }
    var removed: Set<Int> = []
    var index = 0
    for segment in segments {
      for row in 0..<segment.count {
        let place = Coordinate(latitude: segment.latitudes[row], longitude: segment.longitudes[row])
        if !zones.containing(place).isEmpty { removed.insert(index + row) }
      }
      index += segment.count
    }
    return removed.isEmpty ? self : without(removed)
  }

  /// Returns the recording without some points, given by index across all segments.
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

  /// The recording with no time at any point.
  package var withoutTimes: Recording {
    var result = self
    result.segments = segments.map {
      $0.with(times: Array(repeating: Instant.absent, count: $0.count))
    }
    return result
  }

  /// Whether no point has a time.
  package var hasNoTimes: Bool {
    segments.allSatisfy { segment in segment.times.allSatisfy { $0 == Instant.absent } }
  }

  /// Merges the metadata of the track. Existing values take precedence, as in `TrackInfo.merge`.
  mutating func add(_ info: TrackInfo) {
    name = name ?? info.name
    type = type ?? info.type
    timeSpan = timeSpan ?? info.timeSpan
    resolution = resolution ?? info.resolution
    description = description ?? info.description
    gear = gear ?? info.gear
    drive = drive ?? info.extensions.lazy.compactMap(RecordedDrive.init).first
    name = name ?? drive?.title
  }
}

extension Recording {
  /// Creates a recording from the exact times of a drive, or `nil` if it has none (``Drive/recorded``).
  package init?(_ drive: Drive) {
    guard let trace = drive.recorded, trace.hasTimestamps, let start = trace.startTime ?? drive.startTime
    else { return nil }
    self.init()
    for (index, first) in trace.segmentStarts.enumerated() {
      let next = index + 1 < trace.segmentStarts.count ? trace.segmentStarts[index + 1] : trace.count
      var segment = Segment()
      for row in first..<next {
        segment.append(trace.coordinate(at: row), time: start.advanced(bySeconds: trace.elapsed[row]))
      }
      segments.append(segment)
    }
  }
}
