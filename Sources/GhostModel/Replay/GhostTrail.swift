public import TrackModel
import TrackTransforms

/// A drive prepared for replay: positions with times.
///
/// ```swift
/// let trail = try GhostTrail(recording)
/// let place = trail.position(at: 90)  // a minute and a half after its start
/// ```
///
/// Times never descend. An appended point that is earlier than its predecessor is not stored
/// (``outOfOrderCount``). If several points have the same time, the ghost jumps to the last of them.
public struct GhostTrail: Sendable, Hashable {
  /// A point of the trail.
  public struct Point: Sendable, Hashable {
    /// The position of the point.
    public var coordinate: Coordinate
    /// The time at which the ghost is there.
    public var timestamp: Instant
    /// The elevation in metres, or `nil` if unknown.
    public var altitude: Double?

    /// Creates a point. The altitude is in metres.
    public init(coordinate: Coordinate, timestamp: Instant, altitude: Double? = nil) {
      self.coordinate = coordinate
      self.timestamp = timestamp
      self.altitude = altitude
    }
  }

  /// The default ``maximumAccuracy`` in metres, which prevents a ghost from drifting visibly during stops.
  public static let defaultMaximumAccuracy = 15.0

  /// The largest accuracy radius in metres. Less accurate points are not stored. `nil` stores all points.
  public let maximumAccuracy: Double?

  /// The time of the first point, or `nil` if unknown.
  public private(set) var startTime: Instant?
  /// The coordinates in driving order.
  public private(set) var coordinates: [Coordinate] = []
  /// The seconds since the first point per coordinate, from 0, not descending.
  public private(set) var elapsed: [Double] = []
  /// The elevation per coordinate in metres, NaN if unknown. Empty if it is unknown for all.
  public private(set) var altitudes: [Double] = []
  /// The rows at which the recording resumed after an interruption, ascending.
  public private(set) var segmentStarts: [Int] = []
  /// The number of points not stored because of ``maximumAccuracy``.
  public private(set) var inaccurateCount = 0
  /// The number of points not stored because they were earlier than their predecessor.
  public private(set) var outOfOrderCount = 0
  /// The number of points not stored because of an invalid position.
  public private(set) var invalidCount = 0

  /// The number of points not stored or removed because they were at 0°, 0° and far from the rest.
  public private(set) var nullIslandCount = 0

  /// Warnings about skipped points and doubtful times of the recording.
  public private(set) var warnings: [TrackWarning] = []

  /// Creates an empty trail, to be filled with ``append(_:horizontalAccuracy:)``.
  public init(maximumAccuracy: Double? = Self.defaultMaximumAccuracy) {
    self.maximumAccuracy = maximumAccuracy
  }

  /// Creates a trail from points in driving order.
  public init(_ points: some Sequence<Point>) {
    self.init()
    for point in points { append(point) }
  }

  /// Creates a trail from a recording, with the point selection of
  /// ``DriveImporter/drives(from:options:name:)``.
  ///
  /// The ghost waits during interruptions of the recording and then moves straight to the next segment.
  ///
  /// - Parameters:
  ///   - recording: the points in segments.
  ///   - options: the duration or speed for missing times, and the accuracy limit.
  /// - Throws: the errors of an import, and `tooFewPoints` if there is no point.
  public init(_ recording: Recording, options: ImportOptions = ImportOptions()) throws(TrackError) {
    var prepared = try PreparedRecording(recording, options, keepsEnds: false)
    let times = try prepared.elapsedTimes()
    let selection = prepared.selection
    maximumAccuracy = prepared.options.maximumAccuracy
    startTime = times.start
    elapsed = times.elapsed
    coordinates = selection.latitudes.indices.map {
      Coordinate(latitude: selection.latitudes[$0], longitude: selection.longitudes[$0])
    }
    segmentStarts = Array(selection.segmentStarts.dropFirst())
    altitudes =
      selection.values(in: prepared.recording) { segment, row in
        segment.elevations.flatMap { $0[row] == Recording.Segment.unknownElevation ? nil : $0[row] } ?? .nan
      } ?? []
    if altitudes.allSatisfy(\.isNaN) { altitudes = [] }
    warnings = selection.warnings
    if times.areRecorded {
      warnings += DriveWarnings.longGaps(count) { elapsed[$0] }
      warnings += DriveWarnings.speeds(elapsed, segmentStarts: segmentStarts) { coordinates[$0] }
    }
  }

  /// Creates a trail from a drive with its duration spread evenly over the intervals between its points, as
  /// in the app.
  public init(_ drive: Drive) {
    self.init(
      evenly: drive.coordinates, over: drive.duration.isFinite ? max(0, drive.duration) : 0,
      from: drive.startTime)
  }

  /// Creates a trail from coordinates that are evenly spaced in time.
  ///
  /// - Parameters:
  ///   - coordinates: the coordinates in driving order.
  ///   - duration: the seconds from the first coordinate to the last, finite and not negative.
  ///   - startTime: the time of the first coordinate, if known.
  public init(evenly coordinates: [Coordinate], over duration: Double, from startTime: Instant? = nil) {
    self.init()
    self.startTime = startTime
    self.coordinates = coordinates.filter(\.isValid)
    invalidCount = coordinates.count - self.coordinates.count
    let gaps = Double(max(1, coordinates.count - 1))
    elapsed.reserveCapacity(self.coordinates.count)
    for (index, coordinate) in coordinates.enumerated() where coordinate.isValid {
      // Multiplies before dividing, so that the last value is exactly the duration.
      elapsed.append(Double(index) * duration / gaps)
    }
  }

  /// Appends a point unless it is less accurate than ``maximumAccuracy``, earlier than the last, or invalid.
  ///
  /// - Parameters:
  ///   - point: the position with the time at which the ghost was there.
  ///   - horizontalAccuracy: the accuracy radius in metres, or `nil` if unknown. Negative values mark invalid
  ///     fixes.
  /// - Returns: whether the point was stored. Other points are counted.
  @discardableResult
  public mutating func append(_ point: Point, horizontalAccuracy: Double? = nil) -> Bool {
    guard point.coordinate.isValid, (horizontalAccuracy ?? 0) >= 0 else {
      invalidCount += 1
      return false
    }
    if let horizontalAccuracy, let maximumAccuracy, horizontalAccuracy > maximumAccuracy {
      inaccurateCount += 1
      return false
    }
    guard keepsPosition(point.coordinate) else {
      nullIslandCount += 1
      return false
    }
    let start = startTime ?? point.timestamp
    let seconds = point.timestamp.seconds(since: start)
    guard seconds >= elapsed.last ?? 0 else {
      outOfOrderCount += 1
      return false
    }
    startTime = start
    if let altitude = point.altitude, altitude.isFinite, altitudes.isEmpty {
      altitudes = Array(repeating: .nan, count: coordinates.count)
      altitudes.append(altitude)
    } else if !altitudes.isEmpty {
      altitudes.append(point.altitude ?? .nan)
    }
    coordinates.append(point.coordinate)
    elapsed.append(seconds)
    return true
  }

  /// Returns whether a position is not an isolated position at 0°, 0°. Removes such positions at the start.
  private mutating func keepsPosition(_ coordinate: Coordinate) -> Bool {
    guard let last = coordinates.last else { return true }
    let isNull = NullIsland.contains(coordinate.latitude, coordinate.longitude)
    let wasNull = NullIsland.contains(last.latitude, last.longitude)
    if isNull { return wasNull || !NullIsland.isFar(last.latitude, last.longitude) }
    guard wasNull, NullIsland.isFar(coordinate.latitude, coordinate.longitude),
      coordinates.allSatisfy({ NullIsland.contains($0.latitude, $0.longitude) })
    else { return true }
    nullIslandCount += coordinates.count
    coordinates = []
    elapsed = []
    altitudes = []
    segmentStarts = []
    startTime = nil
    return true
  }

  /// Treats interruptions as part of the trail.
  public mutating func joinSegments() { segmentStarts = [] }

  /// The number of points.
  public var count: Int { coordinates.count }
  /// Whether the trail has no points.
  public var isEmpty: Bool { coordinates.isEmpty }
  /// The seconds from the first point to the last, or 0 for fewer than two points.
  public var duration: Double { elapsed.last ?? 0 }
}
