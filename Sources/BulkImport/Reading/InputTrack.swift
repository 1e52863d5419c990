import DriveMatching
package import GhostModel
package import TrackFormats
package import TrackModel
package import TrackTransforms

/// A track of an input, as a drive to compare: the longest, the one with a given number, or each of them.
package struct InputTrack {
  private enum Content {
    /// A drive document, whose points are evenly spaced in time.
    case drive(Drive)
    case recording(Recording)
  }

  private let content: Content
  /// The track's name in the input.
  package let name: String?
  /// The number of the track, from 1.
  package let number: Int
  /// The number of tracks with points, up to the last that had to be read.
  package let count: Int
  /// Whether it was chosen as the longest of several tracks.
  package let isLongestOfSeveral: Bool
  /// The warnings about the input that concern drives.
  package let warnings: [TrackWarning]
  /// The laps recorded in the input.
  package let laps: [Lap]
  /// The gates of a VBO file, as waypoints whose types are `Start`, `Finish` or `Split`.
  package let gates: [Waypoint]
  /// The points with all values, or nil if they were not requested.
  package let points: TrackPoints?

  /// Options for reading an input.
  package struct Options: Sendable {
    /// The format, or nil to detect it.
    package var format: TrackFormat?
    package var columns: CSVColumns?
    package var isStrict = false
    /// The number of the track, from 1, or nil for the longest track.
    package var track: Int?
    package var rules = ImportOptions()
    /// Whether to keep the recorded speeds and courses, for times between fixes.
    package var keepsMotion = false
    /// Whether to keep the values of the points in other channels, for reports.
    package var keepsChannels = false
    /// Whether to keep all points with all values, to write parts of the track.
    package var keepsPoints = false
    /// Whether there are other inputs, which a named pipe would block.
    package var isOneOfSeveral = true

    package init() {}

    /// The options for opening the input.
    package var opening: TrackOpening {
      var opening = TrackOpening()
      opening.format = format
      opening.columns = columns
      opening.isStrict = isStrict
      opening.stages = InputTrack.stages
      return opening
    }
  }

  /// The stages with which an input is opened.
  package static let stages: @Sendable () -> [any TrackStage] = {
    [TrackFromPointsStage(onlyWithoutTrack: true)]
  }

  /// Reads the longest track of an input, or the one with the number in the options.
  ///
  /// - Parameters:
  ///   - path: the input, one of several.
  ///   - options: the options for reading.
  ///   - progress: creates the progress of a file.
  /// - Throws: errors of opening and reading, or `noTracks` if there is nothing to compare or no track of the
  ///   requested number.
  package init(
    _ path: String, _ options: Options, progress: OpenInput.ProgressMaking
  ) throws(TrackError) {
    var input = try OpenInput(
      path, options.opening, isOneOfSeveral: options.isOneOfSeveral, progress: progress)
    let format = input.format
    self = try InputTrack(&input, format: format, options: options)
  }

  /// Returns all tracks of an input in order, or the one with the number in the options.
  ///
  /// - Throws: the errors of ``init(_:_:progress:)``.
  package static func all(
    _ path: String, _ options: Options, progress: OpenInput.ProgressMaking
  ) throws(TrackError) -> [InputTrack] {
    var input = try OpenInput(
      path, options.opening, isOneOfSeveral: options.isOneOfSeveral, progress: progress)
    let format = input.format
    return try all(&input, format: format, options: options)
  }

  /// Reads the longest track of an open input, or the one with the number in the options.
  ///
  /// - Parameters:
  ///   - input: opened with ``stages``.
  ///   - format: its format.
  ///   - options: the options for reading.
  package init(
    _ input: inout some TrackReader & ~Copyable, format: TrackFormat, options: Options
  ) throws(TrackError) {
    self = try Self.read(&input, format, options, TrackSelection(number: options.track))[0]
  }

  /// Returns all tracks of an open input in order, or the one with the number in the options.
  package static func all(
    _ input: inout some TrackReader & ~Copyable, format: TrackFormat, options: Options
  ) throws(TrackError) -> [InputTrack] {
    try read(
      &input, format, options,
      TrackSelection(number: options.track, takesAll: options.track == nil))
  }

  /// - Returns: at least one track.
  private static func read(
    _ input: inout some TrackReader & ~Copyable, _ format: TrackFormat, _ options: Options,
    _ selection: consuming TrackSelection
  ) throws(TrackError) -> [InputTrack] {
    var builder = RecordingBuilder(keepsMotion: options.keepsMotion, keepsChannels: options.keepsChannels)
    var routes: [(Recording, TrackPoints?)] = []
    var points = options.keepsPoints ? TrackPoints() : nil
    var batch = PointBatch()
    var laps: [Lap] = []
    var gates: [Waypoint] = []
    while let event = try input.next(into: &batch) {
      points?.add(event, batch)
      laps += event.laps
      if case .waypoint(let gate) = event, format.name == TrackFormat.vbo.name { gates.append(gate) }
      guard let recording = builder.add(event, batch), recording.count > 0 else { continue }
      if recording.kind == .route {
        routes.append((recording, points))
      } else {
        selection.add(recording, points)
      }
    }
    // As in an import, a planned route is used only if the user specifies its duration or speed.
    let takesRoutes = options.rules.duration != nil || options.rules.speed != nil
    if selection.count == 0, takesRoutes {
      for (route, points) in routes { selection.add(route, points) }
    }
    let warnings = input.warnings.filter(\.code.concernsDrives)
    if options.isStrict, let first = warnings.first { throw first.asError }
    guard !selection.chosen.isEmpty else {
      throw TrackError.noTrack(
        options.track, of: selection.count,
        suggestion: routes.isEmpty ? nil : .provideDurationOrSpeedOfRoute)
    }
    var tracks: [InputTrack] = []
    for (chosen, points, number) in selection.chosen {
      tracks.append(
        InputTrack(
          content: format.name == TrackFormat.drive.name
            ? .drive(try chosen.documentDrive(options.rules)) : .recording(chosen),
          name: chosen.name, number: number, count: selection.count,
          isLongestOfSeveral: selection.choosesLongest && selection.count > 1, warnings: warnings, laps: laps,
          gates: gates, points: points))
    }
    return tracks
  }

  private init(
    content: Content, name: String?, number: Int, count: Int, isLongestOfSeveral: Bool,
    warnings: [TrackWarning], laps: [Lap], gates: [Waypoint], points: TrackPoints?
  ) {
    self.content = content
    self.name = name
    self.number = number
    self.count = count
    self.isLongestOfSeveral = isLongestOfSeveral
    self.warnings = warnings
    self.laps = laps
    self.gates = gates
    self.points = points
  }

  /// Returns the drive for the matching engine.
  ///
  /// - Parameter source: the path of the input.
  package func trace(
    label: String, source: String, _ rules: ImportOptions
  ) throws(TrackError) -> TimedDrive {
    switch content {
    case .drive(let drive): try TimedDrive(drive, label: label, source: source)
    case .recording(let recording):
      try TimedDrive(
        recording, label: label, source: source, options: InputTrack.rules(rules, for: recording))
    }
  }

  /// Returns the rules without a duration or speed if all points have timestamps. In that case, the options
  /// are intended for other inputs.
  private static func rules(_ rules: ImportOptions, for recording: Recording) -> ImportOptions {
    guard recording.segments.allSatisfy({ !$0.times.contains(Instant.absent) }) else { return rules }
    var rules = rules
    rules.duration = nil
    rules.speed = nil
    return rules
  }

  /// Returns the drive for the app's engine, and the warnings of the import. A recording is first imported
  /// as a drive.
  package func trail(label: String, _ rules: ImportOptions) throws(TrackError) -> (
    DecodedDrive, [TrackWarning]
  ) {
    var drive: Drive
    var warnings: [TrackWarning] = []
    switch content {
    case .drive(let whole):
      drive = whole
      let even = try TimedDrive(evenly: whole)
      warnings = DriveWarnings.speeds(
        even.elapsed, segmentStarts: even.segmentStarts, coordinate: even.coordinate)
    case .recording(let recording):
      let rules = InputTrack.rules(rules, for: recording)
      do throws(TrackError) {
        let imported = try DriveImporter.drives(from: recording, options: rules, name: label)
        guard let first = imported.first else { throw TrackError(.noTracks, "no track with points") }
        drive = first.drive
        warnings = DriveWarnings.withoutChanges(first.report.warnings)
      } catch {
        guard error.code == .tooFewPoints else { throw error }
        // A single point, or points at one time, become a drive without a duration.
        let trace = try TimedDrive(recording, label: label, options: rules)
        let count = trace.isSinglePoint ? 1 : trace.count
        drive = Drive(
          name: label, startTime: trace.startTime, endTime: nil, duration: 0, distance: 0,
          coordinates: (0..<count).map(trace.coordinate(at:)))
        warnings = trace.warnings
      }
    }
    drive.name = label
    return (DecodedDrive(drive), warnings)
  }

  /// The resolution of the source if it is coarser than a GPS recording, otherwise nil.
  package var resolution: Resolution? {
    if case .recording(let recording) = content { recording.resolution } else { nil }
  }
}

extension TrackError {
  /// Returns the error of an input with `count` tracks that has no track, or not the one with the number.
  static func noTrack(_ number: Int?, of count: Int, suggestion: Suggestion? = nil) -> TrackError {
    guard let number, count > 0 else {
      return TrackError(.noTracks, "no track with points", suggestion: suggestion)
    }
    return TrackError(
      .noTracks, "contains \(Counted.of(count, "track")); track \(number) was requested")
  }
}

extension TrackEvent {
  /// The laps in the description of a track.
  fileprivate var laps: [Lap] {
    switch self {
    case .beginTrack(let info), .annotation(.track(let info)): info.laps
    default: []
    }
  }
}

/// Selects the track with a given number, the longest track of a file, or all of them.
private struct TrackSelection {
  private let number: Int?
  private let takesAll: Bool
  var choosesLongest: Bool { number == nil && !takesAll }
  private(set) var chosen: [(recording: Recording, points: TrackPoints?, number: Int)] = []
  private(set) var count = 0
  /// The length in metres; nil until there is a second track to compare with.
  private var chosenLength: Double?

  init(number: Int?, takesAll: Bool = false) {
    self.number = number
    self.takesAll = takesAll
  }

  mutating func add(_ recording: Recording, _ points: TrackPoints?) {
    count += 1
    if takesAll {
      chosen.append((recording, points, count))
      return
    }
    if let number {
      guard number == count else { return }
    } else if let longest = chosen.first?.recording {
      let best = chosenLength ?? longest.length
      let length = recording.length
      chosenLength = max(best, length)
      guard length > best else { return }
    }
    chosen = [(recording, points, count)]
  }
}
