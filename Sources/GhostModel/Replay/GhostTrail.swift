public import TrackModel
import TrackTransforms

/// An earlier drive as a ghost replays it: places with the time at which each was reached.
///
/// ```swift
/// let trail = GhostTrail(recording)
/// let place = trail.position(at: 90)  // a minute and a half after its start
/// ```
///
/// Times never descend. A point that is earlier than the one before it is not stored (``outOfOrderCount``);
/// where several have the same time the ghost is at the last of them from that moment on, so that it jumps.
public struct GhostTrail: Sendable, Hashable {
  /// A place on the trail.
  public struct Point: Sendable, Hashable {
    public var coordinate: Coordinate
    public var timestamp: Instant
    /// Metres; nil where it is not known.
    public var altitude: Double?

    public init(coordinate: Coordinate, timestamp: Instant, altitude: Double? = nil) {
      self.coordinate = coordinate
      self.timestamp = timestamp
      self.altitude = altitude
    }
  }

  /// The usual ``maximumAccuracy``, in metres: a ghost that drifts while it stands looks broken.
  public static let defaultMaximumAccuracy = 15.0

  /// Metres; a point that is known to be worse is not stored. Nil stores all.
  public let maximumAccuracy: Double?

  /// When the first point was reached; nil where the times of the drive are not known.
  public private(set) var startTime: Instant?
  /// Places in driving order.
  public private(set) var coordinates: [Coordinate] = []
  /// Seconds since the first point, one per coordinate: 0 for the first, never descending.
  public private(set) var elapsed: [Double] = []
  /// Metres, one per coordinate, NaN where it is not known; empty where it is known of none.
  public private(set) var altitudes: [Double] = []
  /// The rows, ascending, at which the recording went on after an interruption.
  public private(set) var segmentStarts: [Int] = []
  /// How many points were not stored because their accuracy was worse than ``maximumAccuracy``.
  public private(set) var inaccurateCount = 0
  /// How many points were not stored because they were earlier than the one before.
  public private(set) var outOfOrderCount = 0
  /// How many points were not stored because they repeat a stretch of earlier ones exactly.
  public private(set) var repeatedCount = 0
  /// Whether the last point was one of these.
  private var isRepeating = false
  /// How many points were not stored because they are no place on earth.
  public private(set) var invalidCount = 0

  /// How many points were not stored, or removed again, because they were at 0°, 0° and far from the rest.
  public private(set) var nullIslandCount = 0

  /// An empty trail, to be filled by ``append(_:horizontalAccuracy:)``.
  public init(maximumAccuracy: Double? = Self.defaultMaximumAccuracy) {
    self.maximumAccuracy = maximumAccuracy
  }

  /// A trail over points in driving order.
  public init(_ points: some Sequence<Point>) {
    self.init()
    for point in points { append(point) }
  }

  /// The trail of a recording with times; points without a time are left out.
  ///
  /// Points whose clock was wrong are left out, and segments put in the order of their times, as
  /// ``DriveImporter/drives(from:options:name:)`` does it. The ghost waits where the recording was
  /// interrupted and then goes straight on to the next segment.
  ///
  /// - Parameter maximumAccuracy: metres, as ``maximumAccuracy``.
  public init(_ recording: Recording, maximumAccuracy: Double? = Self.defaultMaximumAccuracy) {
    let (sound, clockErrors) = recording.withoutClockErrors(keepsEnds: false)
    let ordered = sound.inTimeOrder
    self.init(pointsOf: ordered, maximumAccuracy)
    if outOfOrderCount > 0, case let strays = ordered.strayTimes, strays.count < outOfOrderCount {
      self.init(pointsOf: ordered.without(Set(strays)), maximumAccuracy)
      outOfOrderCount += strays.count
    }
    outOfOrderCount += clockErrors.count
  }

  private init(pointsOf recording: Recording, _ maximumAccuracy: Double?) {
    self.init(maximumAccuracy: maximumAccuracy)
    for segment in recording.segments {
      let first = coordinates.count
      for row in 0..<segment.count where segment.times[row] != Instant.absent {
        let accuracy = segment.horizontalAccuracies.map { $0[row] } ?? Recording.Segment.unknownAccuracy
        append(
          Point(
            coordinate: Coordinate(latitude: segment.latitudes[row], longitude: segment.longitudes[row]),
            timestamp: Instant(microseconds: segment.times[row]),
            altitude: segment.elevations.flatMap {
              $0[row] == Recording.Segment.unknownElevation ? nil : $0[row]
            }),
          horizontalAccuracy: accuracy == Recording.Segment.unknownAccuracy ? nil : accuracy)
      }
      if first > 0, first < coordinates.count { segmentStarts.append(first) }
    }
  }

  /// The trail of a drive, whose duration is spread evenly over the gaps between its points, as the app does
  /// it.
  ///
  public init(_ drive: Drive) {
    self.init(
      evenly: drive.coordinates, over: drive.duration.isFinite ? max(0, drive.duration) : 0,
      from: drive.startTime)
  }

  /// A trail over coordinates that are reached at equal distances in time.
  ///
  /// - Parameters:
  ///   - duration: seconds from the first coordinate to the last, finite and not negative.
  ///   - startTime: when the first was reached, if that is known.
  public init(evenly coordinates: [Coordinate], over duration: Double, from startTime: Instant? = nil) {
    self.init()
    self.startTime = startTime
    self.coordinates = coordinates.filter(\.isValid)
    invalidCount = coordinates.count - self.coordinates.count
    let gaps = Double(max(1, coordinates.count - 1))
    elapsed.reserveCapacity(self.coordinates.count)
    for (index, coordinate) in coordinates.enumerated() where coordinate.isValid {
      // Multiplied before divided, so that the last is exactly the duration.
      elapsed.append(Double(index) * duration / gaps)
    }
  }

  /// Adds a point at the end, unless it is worse than ``maximumAccuracy``, earlier than the last, or no
  /// place.
  ///
  /// - Parameter horizontalAccuracy: metres, nil where it is not known; a negative one says that the fix is
  ///   invalid.
  /// - Returns: whether the point was stored; otherwise it was counted.
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
    let isEarlier = seconds < elapsed.last ?? 0
    isRepeating = (isEarlier || isRepeating) && isKnown(point.coordinate, at: seconds)
    guard !isRepeating else {
      repeatedCount += 1
      return false
    }
    guard !isEarlier else {
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

  /// Whether the trail has a position at a time.
  private func isKnown(_ coordinate: Coordinate, at seconds: Double) -> Bool {
    let first = elapsed.partitionIndex { $0 >= seconds }
    return (first..<elapsed.count).prefix { elapsed[$0] == seconds }
      .contains { coordinates[$0] == coordinate }
  }

  /// Whether a position is not an isolated one at 0°, 0°. Removes those at the start that turn out to be
  /// isolated.
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

  /// Makes the trail one of which it is not known when it was driven.
  public mutating func forgetStartTime() { startTime = nil }

  /// Makes the way over each interruption a part of the trail.
  public mutating func joinSegments() { segmentStarts = [] }

  /// The number of points.
  public var count: Int { coordinates.count }
  public var isEmpty: Bool { coordinates.isEmpty }
  /// Seconds from the first point to the last; 0 for fewer than two.
  public var duration: Double { elapsed.last ?? 0 }
}
