public import GhostModel
public import TrackModel

/// A drive as a comparison takes it in: where it was when, in columns of equal length.
public struct TimedDrive: Sendable, Hashable {
  /// What the drive is called in results.
  public var label: String
  /// The file that it came from.
  public var source: String?
  /// Degrees north per point.
  public private(set) var latitudes: [Double]
  /// Degrees east per point.
  public private(set) var longitudes: [Double]
  /// Seconds since the first point, not descending.
  public private(set) var elapsed: [Double]
  /// Whether ``elapsed`` are the times of the recording; else the duration is spread over the points.
  public private(set) var hasTimestamps: Bool
  /// When the first point was recorded.
  public private(set) var startTime: Instant?
  /// The first point of each stretch without an interruption of the recording, ascending from 0.
  public private(set) var segmentStarts: [Int]
  /// How coarse the source is, where it is coarser than a GPS recording.
  public private(set) var coarseness: Coarseness?
  /// What was left out of the recording.
  public private(set) var warnings: [TrackWarning] = []

  /// The number of points.
  public var count: Int { latitudes.count }

  /// A drive from a recording. Points are left out as ``DriveImporter/drives(from:options:name:)`` does it.
  ///
  /// - Parameter options: how missing times are made, and which points are too inaccurate; cadence
  ///   and gap to split at are not used.
  /// - Throws: as the import; `tooFewPoints` for no point. A single point is a drive that stays there.
  public init(
    _ recording: Recording, label: String, source: String? = nil, options: ImportOptions = ImportOptions()
  ) throws(TrackError) {
    try options.check()
    var options = options
    let (recording, clockErrors) = recording.withoutClockErrors(keepsEnds: false)
    let even = recording.evenDrive(options)
    let span = even == nil ? DriveImporter.wholeTrack(recording, options) : nil
    if let span { options.duration = span.seconds }
    if even != nil {
      options.duration = nil
      options.speed = nil
    }
    let selection = try PointSelection(even ?? recording, options, clockErrors: clockErrors)
    let count = selection.latitudes.count
    guard count > 0 else { throw selection.tooFewPoints }
    self.label = label
    self.source = source
    latitudes = selection.latitudes
    longitudes = selection.longitudes
    elapsed = count > 1 ? try Timeline(selection, 0..<count, options).offsets.map { $0 / 1e6 } : [0]
    hasTimestamps = even == nil && selection.isTimed
    startTime =
      recording.hasArtificialStart
      ? nil : hasTimestamps ? Instant(microseconds: selection.times[0]) : recording.timeSpan?.begin
    segmentStarts = selection.segmentStarts
    coarseness = recording.coarseness
    warnings = selection.warnings
    if hasTimestamps { warnings += DriveWarnings.longGaps(count) { elapsed[$0] } }
    stay(for: 0)
  }

  /// A drive as the app keeps it: its duration spread evenly over its points.
  ///
  /// A single point is a drive that stays there.
  ///
  /// - Throws: where the coordinates are no blob, as ``CoordinateBlob/decode(_:)-(Data)``; `tooFewPoints` for
  ///   none; `invalidValue` for a duration that is no number of seconds.
  public init(_ drive: Drive, label: String, source: String? = nil) throws(TrackError) {
    let coordinates = try drive.coordinates
    guard !coordinates.isEmpty else { throw TrackError(.tooFewPoints, "a drive of no points") }
    guard drive.duration >= 0, drive.duration <= ImportOptions.longestDuration else {
      throw TrackError(
        .invalidValue, "the duration of the drive is no number of seconds", offendingText: "\(drive.duration)"
      )
    }
    self.label = label
    self.source = source
    latitudes = coordinates.map(\.latitude)
    longitudes = coordinates.map(\.longitude)
    let step = drive.duration / Double(max(coordinates.count - 1, 1))
    elapsed = coordinates.indices.map { Double($0) * step }
    hasTimestamps = false
    startTime = drive.startTime
    segmentStarts = [0]
    coarseness = nil
    stay(for: drive.duration)
  }

  /// Makes a single point two, as a line has at least two.
  private mutating func stay(for seconds: Double) {
    guard count == 1 else { return }
    latitudes += latitudes
    longitudes += longitudes
    elapsed.append(elapsed[0] + seconds)
  }

  /// A drive from columns.
  ///
  /// - Parameters:
  ///   - coordinates: valid ones, in driving order, at least two.
  ///   - elapsed: seconds, as many as coordinates, not descending; counted from the first.
  ///   - segmentStarts: ascending from 0.
  /// - Throws: `tooFewPoints`, `invalidValue` or `outOfOrder` where that does not hold.
  public init(
    label: String, coordinates: [Coordinate], elapsed: [Double], hasTimestamps: Bool = true,
    segmentStarts: [Int] = [0]
  ) throws(TrackError) {
    guard coordinates.count >= 2 else {
      throw TrackError(
        .tooFewPoints,
        "a drive of \(coordinates.count) \(coordinates.count == 1 ? "point" : "points"), two are needed")
    }
    guard coordinates.allSatisfy(\.isValid) else {
      throw TrackError(.invalidValue, "a coordinate of the drive is out of range")
    }
    guard elapsed.count == coordinates.count, elapsed.allSatisfy(\.isFinite) else {
      throw TrackError(.invalidValue, "\(elapsed.count) times for \(coordinates.count) points")
    }
    guard zip(elapsed, elapsed.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw TrackError(.outOfOrder, "the times of the drive run backwards")
    }
    guard segmentStarts.first == 0, segmentStarts.last.map({ $0 < coordinates.count }) ?? false,
      zip(segmentStarts, segmentStarts.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw TrackError(.invalidValue, "the segments of the drive do not ascend from its first point")
    }
    self.label = label
    source = nil
    latitudes = coordinates.map(\.latitude)
    longitudes = coordinates.map(\.longitude)
    self.elapsed = elapsed.map { $0 - elapsed[0] }
    self.hasTimestamps = hasTimestamps
    startTime = nil
    self.segmentStarts = segmentStarts
    coarseness = nil
  }

  /// Where a point lies.
  public func coordinate(at index: Int) -> Coordinate {
    Coordinate(latitude: latitudes[index], longitude: longitudes[index])
  }

  /// Seconds from the first point to the last.
  public var duration: Double { elapsed.last ?? 0 }

  /// The last point at a moment or before, in seconds since the first point: 0…count − 1.
  func index(at moment: Double) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if elapsed[middle] <= moment { low = middle } else { high = middle }
    }
    return low
  }

  /// The same with the fraction of the way to the next point.
  func position(at moment: Double) -> Double {
    let index = index(at: moment)
    guard index + 1 < count else { return Double(index) }
    let step = elapsed[index + 1] - elapsed[index]
    return Double(index) + (step > 0 ? min(max((moment - elapsed[index]) / step, 0), 1) : 0)
  }
}
