public import TrackModel
import TrackTransforms

/// A drive prepared for comparisons: positions and times in columns of equal length.
public struct TimedDrive: Sendable, Hashable {
  /// The name of the drive in results.
  public var label: String
  /// The source file.
  public var source: String?
  /// The latitude per point in degrees.
  public private(set) var latitudes: [Double]
  /// The longitude per point in degrees.
  public private(set) var longitudes: [Double]
  /// The elapsed seconds since the first point, not descending.
  public private(set) var elapsed: [Double]
  /// The recorded motion per point, or `nil` if it is unknown for all points.
  public private(set) var motion: [RecordedMotion]?
  /// The values in other channels. Empty if they were not requested or the drive has no timestamps.
  public private(set) var channels: [ChannelTrace] = []
  /// Whether ``elapsed`` comes from recorded times. Otherwise the duration is spread evenly over the points.
  public private(set) var hasTimestamps: Bool
  /// The time of the first point.
  public private(set) var startTime: Instant?
  /// The first point of each uninterrupted segment, ascending from 0.
  public private(set) var segmentStarts: [Int]
  /// The first points after parts that ``outside(_:)`` removed between others, ascending.
  public private(set) var hiddenStarts: [Int] = []
  /// The resolution of the source if it is lower than that of a GPS recording.
  public private(set) var resolution: Resolution?
  /// Warnings about skipped parts of the recording.
  public private(set) var warnings: [TrackWarning] = []

  /// Whether the drive has a single point, which the columns contain twice.
  public private(set) var isSinglePoint = false

  /// The number of points in the columns.
  public var count: Int { latitudes.count }

  /// Creates a drive from a recording, with the point selection of
  /// ``DriveImporter/drives(from:options:name:)``.
  ///
  /// - Parameters:
  ///   - recording: the points with their times.
  ///   - label: the name in results.
  ///   - source: the file of the recording, if known.
  ///   - options: the duration or speed for missing times, and the accuracy limit. Cadence and split gap are
  ///     ignored.
  /// - Throws: the errors of an import, and `tooFewPoints` if there is no point. A single point is a
  ///   stationary drive.
  public init(
    _ recording: Recording, label: String, source: String? = nil, options: ImportOptions = ImportOptions()
  ) throws(TrackError) {
    var prepared = try PreparedRecording(recording, options, keepsEnds: false)
    (elapsed, startTime, hasTimestamps) = try prepared.elapsedTimes()
    let (recording, selection) = (prepared.recording, prepared.selection)
    let hasTimes = hasTimestamps && selection.isTimed
    self.label = label
    self.source = source
    latitudes = selection.latitudes
    longitudes = selection.longitudes
    if hasTimes { motion = RecordedMotion.values(of: selection, in: recording) }
    segmentStarts = selection.segmentStarts
    resolution = recording.resolution
    warnings = selection.warnings
    if hasTimestamps {
      removeOutlyingFixes()
      warnings += DriveWarnings.longGaps(elapsed.count) { elapsed[$0] }
      warnings += DriveWarnings.speeds(elapsed, segmentStarts: segmentStarts, coordinate: coordinate)
    }
    stay(for: 0)
    if hasTimes {
      channels = ChannelTrace.traces(of: recording, from: selection.times[0], duration: duration)
    }
  }

  /// Creates a trace from the part of a recording that became a drive.
  ///
  /// - Parameters:
  ///   - rows: two or more rows of the timeline.
  ///   - startTime: the start, or `nil` if the recording has none.
  init(
    _ selection: PointSelection, _ rows: Range<Int>, _ timeline: Timeline, label: String,
    startTime: Instant?, resolution: Resolution?
  ) {
    self.label = label
    source = nil
    latitudes = Array(selection.latitudes[rows])
    longitudes = Array(selection.longitudes[rows])
    elapsed = timeline.offsets.map { $0 / 1e6 }
    hasTimestamps = true
    self.startTime = startTime
    segmentStarts = [0] + selection.segmentStarts(within: rows).map { $0 - rows.lowerBound }
    self.resolution = resolution
    removeOutlyingFixes()
  }

  /// Creates a trace from a drive with its exact times (``Drive/recorded``), or else with its duration spread
  /// evenly over its points as in the app.
  ///
  /// A single point is a stationary drive.
  ///
  /// - Throws: `tooFewPoints` for a drive without points; `invalidValue` for an invalid duration.
  public init(_ drive: Drive, label: String? = nil, source: String? = nil) throws(TrackError) {
    if let recorded = drive.recorded {
      self = recorded
      self.label = label ?? drive.name
      self.source = source
      return
    }
    try self.init(evenly: drive, label: label, source: source)
    removeNullFixes()
    warnings += DriveWarnings.speeds(elapsed, segmentStarts: segmentStarts, coordinate: coordinate)
  }

  /// Creates a trace from a drive with its duration spread evenly over its points, even if it has exact
  /// times.
  ///
  /// - Throws: the errors of ``init(_:label:source:)``.
  public init(evenly drive: Drive, label: String? = nil, source: String? = nil) throws(TrackError) {
    let count = drive.count
    guard count > 0 else { throw TrackError(.tooFewPoints, "the drive has no points") }
    try drive.check()
    self.label = label ?? drive.name
    self.source = source
    latitudes = drive.latitudes
    longitudes = drive.longitudes
    let step = drive.duration / Double(max(count - 1, 1))
    elapsed = (0..<count).map { Double($0) * step }
    hasTimestamps = false
    startTime = drive.startTime
    segmentStarts = [0]
    resolution = nil
    stay(for: drive.duration)
  }

  /// Removes isolated points at 0°, 0°, as an import does. The others keep their times.
  private mutating func removeNullFixes() {
    var search = NullIslandSearch()
    for row in 0..<count { search.add(latitudes[row], longitudes[row]) }
    search.finish()
    let removed = search.ranges.flatMap(Array.init)
    guard let first = removed.first, removed.count < count else { return }
    remove(removed)
    PointSelection.Omission(count: removed.count, first: first).report(
      .nullIsland, NullIsland.isolated, to: &warnings)
    stay(for: 0)
  }

  /// Removes fixes that no vehicle can reach (``OutlyingFixes``).
  private mutating func removeOutlyingFixes() {
    var removed = OutlyingFixes.indices(latitudes: latitudes, longitudes: longitudes, elapsed: elapsed)
    guard !removed.isEmpty else { return }
    let starts = Set(segmentStarts)
    removed.removeAll { starts.contains($0) || starts.contains($0 + 1) }
    guard let first = removed.first else { return }
    remove(removed)
    PointSelection.Omission(count: removed.count, first: first).report(
      .outlyingFix, "fix far from those before and after it, skipped", to: &warnings)
  }

  /// Removes the values of channels between two times, and begins further segments at the points after these.
  mutating func hide(_ intervals: [(start: Double, end: Double)], segmentsFrom points: [Int]) {
    segmentStarts = Set(segmentStarts).union(points).sorted()
    hiddenStarts = points
    for index in channels.indices { channels[index].remove(between: intervals) }
    channels.removeAll { $0.values.isEmpty }
  }

  /// Removes points, but not all of them.
  mutating func remove(_ points: [Int]) {
    let removed = Set(points)
    let rows = (0..<count).filter { !removed.contains($0) }
    let begin = rows.first.map { elapsed[$0] } ?? 0
    let end = rows.last.map { elapsed[$0] } ?? 0
    if begin > 0 || end < duration { setChannels(of: self, from: begin, to: end) }
    latitudes = rows.map { latitudes[$0] }
    longitudes = rows.map { longitudes[$0] }
    motion = motion.map { motion in rows.map { motion[$0] } }
    elapsed = rows.map { elapsed[$0] - begin }
    startTime = startTime?.advanced(bySeconds: begin)
    func starts(_ starts: [Int]) -> [Int] {
      var kept: [Int] = []
      for start in starts {
        let row = rows.partitionIndex { $0 >= start }
        if row < rows.count, kept.last != row { kept.append(row) }
      }
      return kept
    }
    segmentStarts = starts(segmentStarts)
    hiddenStarts = starts(hiddenStarts)
  }

  /// Duplicates a single point, because a line needs two.
  private mutating func stay(for seconds: Double) {
    guard count == 1 else { return }
    isSinglePoint = true
    latitudes += latitudes
    longitudes += longitudes
    motion = nil
    elapsed.append(elapsed[0] + seconds)
  }

  /// Creates a drive from columns.
  ///
  /// - Parameters:
  ///   - label: the name in results.
  ///   - coordinates: two or more valid coordinates in driving order.
  ///   - elapsed: seconds since the first point, one per coordinate, not descending.
  ///   - hasTimestamps: whether `elapsed` was recorded, and not computed from a duration.
  ///   - segmentStarts: the first points of segments, ascending from 0.
  /// - Throws: `tooFewPoints`, `invalidValue` or `outOfOrder` if the columns are invalid.
  public init(
    label: String, coordinates: [Coordinate], elapsed: [Double], hasTimestamps: Bool = true,
    segmentStarts: [Int] = [0]
  ) throws(TrackError) {
    guard coordinates.count >= 2 else {
      throw TrackError(
        .tooFewPoints,
        "the drive has \(Counted.of(coordinates.count, "point")); two are needed")
    }
    guard coordinates.allSatisfy(\.isValid) else {
      throw TrackError(.invalidValue, "coordinate of the drive out of range")
    }
    guard elapsed.count == coordinates.count else {
      throw TrackError(.invalidValue, "\(elapsed.count) times for \(coordinates.count) points")
    }
    guard elapsed.allSatisfy(\.isFinite) else {
      throw TrackError(.invalidValue, "a time of the drive is not a finite number")
    }
    guard zip(elapsed, elapsed.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw TrackError(.outOfOrder, "the times of the drive are not in order")
    }
    guard segmentStarts.first == 0, segmentStarts.last.map({ $0 < coordinates.count }) ?? false,
      zip(segmentStarts, segmentStarts.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw TrackError(.invalidValue, "the segments of the drive are not in order")
    }
    self.label = label
    source = nil
    latitudes = coordinates.map(\.latitude)
    longitudes = coordinates.map(\.longitude)
    self.elapsed = elapsed.map { $0 - elapsed[0] }
    self.hasTimestamps = hasTimestamps
    startTime = nil
    self.segmentStarts = segmentStarts
    resolution = nil
  }

  /// Adds the points of a later part of the recording as further segments.
  ///
  /// - Parameters:
  ///   - part: the later part.
  ///   - start: the start of the part in seconds since the first point, not before the last point.
  public mutating func append(_ part: TimedDrive, at start: Double) {
    if motion != nil || part.motion != nil {
      motion =
        (motion ?? Array(repeating: RecordedMotion(), count: count))
        + (part.motion ?? Array(repeating: RecordedMotion(), count: part.count))
    }
    segmentStarts += part.segmentStarts.map { $0 + count }
    hiddenStarts += part.hiddenStarts.map { $0 + count }
    latitudes += part.latitudes
    longitudes += part.longitudes
    let start = max(start, duration)
    for channel in part.channels {
      let index = channels.firstIndex { $0.name == channel.name } ?? channels.count
      if index == channels.count { channels.append(ChannelTrace(channel.name)) }
      channels[index].append(channel, at: start)
    }
    elapsed += part.elapsed.map { $0 + start }
    hasTimestamps = hasTimestamps && part.hasTimestamps
  }

  /// Takes the channels of a part of another drive.
  ///
  /// - Parameters:
  ///   - drive: the whole drive.
  ///   - start: the start of the part in seconds since the first point of `drive`.
  ///   - end: its end.
  package mutating func setChannels(of drive: TimedDrive, from start: Double, to end: Double) {
    channels = drive.channels.map { $0.part(from: start, to: end) }.filter { !$0.values.isEmpty }
  }

  /// Returns the position of a point.
  public func coordinate(at index: Int) -> Coordinate {
    Coordinate(latitude: latitudes[index], longitude: longitudes[index])
  }

  /// The seconds from the first point to the last.
  public var duration: Double { elapsed.last ?? 0 }

  /// Returns the last point at or before a time in seconds since the first point: 0…count − 1.
  package func index(at moment: Double) -> Int {
    max(0, elapsed.partitionIndex { $0 > moment } - 1)
  }

  /// Returns the last point at or before a time, and the fraction of the way to the next point.
  package func position(at moment: Double) -> Double {
    let index = index(at: moment)
    guard index + 1 < count else { return Double(index) }
    let step = elapsed[index + 1] - elapsed[index]
    return Double(index) + (step > 0 ? min(max((moment - elapsed[index]) / step, 0), 1) : 0)
  }
}
