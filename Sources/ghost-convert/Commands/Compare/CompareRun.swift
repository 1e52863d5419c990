import BulkImport
import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// Runs the compare command: reads all inputs, compares the drives and prints the result.
struct CompareRun {
  let options: GhostConvert.CompareOptions

  private typealias Input = (path: String, track: InputTrack)

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var inputs: [Input] = []
    var failures = FailureReport(isJSON: options.json)
    // Read all inputs before failing, so that one run reports all errors.
    for (index, path) in options.inputs.enumerated() {
      failures.attempt(path) { () throws(TrackError) in
        let track = try InputTrack(path, readingOptions(index)) { RunProgress($0) }
        track.report(path)
        inputs.append((path, track))
      }
    }
    RunProgress.clear()
    guard failures.status == ExitStatus.success else { return failures.status }
    return ExitStatus.reporting(isJSON: options.json) { () throws(TrackError) in
      try compare(inputs, &failures)
    }
  }

  private func readingOptions(_ index: Int) -> InputTrack.Options {
    var reading = options.reading
    reading.track = options.tracks.count > 1 ? options.tracks[index] : options.tracks.first
    reading.keepsChannels = options.outputs.contains { (try? options.kind(of: $0)) == .html }
    return reading
  }

  /// Converts the inputs to the drives that an engine compares.
  ///
  /// - Parameter prepare: converts an input with its label to a drive. Also returns warnings about omitted
  ///   points.
  /// - Returns: the drives, or nil if an input cannot be compared. The error has been reported.
  private func prepared<Drive>(
    _ inputs: [Input], _ failures: inout FailureReport,
    _ prepare: (Input, String) throws(TrackError) -> (Drive, [TrackWarning])
  ) -> [Drive]? {
    let labels = InputLabels.labels(
      given: options.labels, inputs: inputs.map { (path: $0.path, track: $0.track.name) }, day: LocalTime.day)
    var drives: [Drive] = []
    for (input, label) in zip(inputs, labels) {
      failures.attempt(input.path) { () throws(TrackError) in
        let (drive, warnings) = try prepare(input, label)
        if options.reading.isStrict, let warning = warnings.first { throw warning.asError }
        Console.report(warnings, file: InputPath.name(input.path))
        drives.append(drive)
      }
    }
    return drives.count == inputs.count ? drives : nil
  }

  private func compare(_ inputs: [Input], _ failures: inout FailureReport) throws(TrackError) -> Int32 {
    let rules = options.reading.rules
    switch options.engine {
    case .app:
      let drives = prepared(inputs, &failures) { (input: Input, label: String) throws(TrackError) in
        try input.track.trail(label: label, rules)
      }
      guard let trails = drives else { return failures.status }
      if options.listsModes {
        return printModes(DriveComparisonEngine.availableModes(for: trails, settings: options.settings))
      }
      let result = try DriveComparisonEngine.compare(trails, settings: options.settings)
      reportIdleDrives(of: result)
      return show(result, inputs, try traces(of: trails))
    case .matched:
      let search = try segment()
      var uncertainties: [Double] = []
      var hidden = HiddenPoints(options.privacyZones)
      let drives = prepared(inputs, &failures) { (input: Input, label: String) throws(TrackError) in
        var trace = try input.track.trace(label: label, source: input.path, rules)
        let discreet = try hidden.hide(trace)
        // A passage has its own ends, which must be outside.
        if search == nil { trace = discreet }
        guard let (passage, part) = try search?.fastestPassage(of: trace) else {
          return (trace, trace.warnings)
        }
        guard try part.outside(options.privacyZones).zones.isEmpty else {
          throw TrackError(
            .usage, "the segment runs through a privacy zone",
            suggestion: .text("compare without the segment, or choose a smaller zone"))
        }
        uncertainties.append(passage.uncertainty)
        return (part, trace.warnings)
      }
      guard let traces = drives else { return failures.status }
      try hidden.report(isStrict: options.reading.isStrict)
      var settings = options.settings
      // A passage begins at the start of the segment, not at the first motion.
      if search != nil {
        settings.areParts = true
        settings.trimStartIdle = false
      }
      var result = try DriveComparison.compare(traces, settings: settings)
      if search != nil { result.setUncertainties(ofParts: uncertainties) }
      return options.listsModes ? printModes(result.availableModes) : show(result, inputs, traces)
    }
  }

  private func segment() throws(TrackError) -> SegmentSearch? {
    guard let name = options.segment else { return nil }
    let path = try LibraryPath.path(options.library.flatMap { $0.isEmpty ? nil : $0 })
    return SegmentSearch(try DriveLibrary(path: path, mode: .reading).existingSegment(name))
  }

  // MARK: Output

  /// Prints a hint for drives that the app's engine considers idle throughout.
  private func reportIdleDrives(of comparison: DriveComparison) {
    let threshold = UnitSystem.current.speed(
      metresPerSecond: options.settings.idleSpeedThreshold * Geodesy.metresPerMile / 3600, decimals: 1)
    for drive in comparison.drives where drive.isIdleThroughout {
      Console.note(
        "\(drive.label): no step is faster than \(threshold), so the whole drive is idle; "
          + "use a lower --idle-speed"
      )
    }
  }

  /// Returns the drives as the app's engine sees them, for output files.
  private func traces(of trails: [DecodedDrive]) throws(TrackError) -> [TimedDrive] {
    guard !options.outputs.isEmpty else { return [] }
    var traces: [TimedDrive] = []
    for trail in trails { traces.append(try TimedDrive(trail.drive, label: trail.drive.name)) }
    return traces
  }

  /// Prints the result and writes the outputs, and returns the exit status.
  private func show(
    _ comparison: DriveComparison, _ inputs: [Input], _ traces: [TimedDrive]
  ) -> Int32 {
    var comparison = comparison
    for (index, input) in inputs.enumerated() where index < comparison.drives.count {
      comparison.drives[index].source = input.path
    }
    let document = ComparisonDocument(
      comparison, traces: traces, colors: options.colors, resolution: inputs.map(\.track.resolution))
    document.print(asJSON: options.json, besides: options.outputs)
    return document.write(to: options.outputs, isJSON: options.json, options: options.export) {
      path throws(TrackError) in try options.kind(of: path)
    }
  }

  private func printModes(_ modes: [ComparisonMode]) -> Int32 {
    if options.json {
      Console.print(
        JSONValue.object([
          ("engine", .string(options.engine.rawValue)), ("modes", .array(modes.map { .string($0.name) })),
        ]).text)
    } else {
      for mode in modes { Console.print(mode.name) }
    }
    return ExitStatus.success
  }
}
