import BulkImport
import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

/// Runs the compare command: reads all inputs, compares the drives and prints the result.
struct CompareRun {
  private let options: GhostConvert.CompareOptions

  init(_ options: GhostConvert.CompareOptions) { self.options = options }

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var inputs: [ComparisonInput] = []
    var status = ExitStatus.success
    // Read all inputs before failing, so that one run reports all errors.
    for (index, path) in options.inputs.enumerated() {
      do throws(TrackError) {
        let input = try ComparisonInput(path, readingOptions(index))
        input.report()
        inputs.append(input)
      } catch {
        fail(error, path, &status)
      }
    }
    RunProgress.clear()
    guard status == ExitStatus.success else { return status }
    return compare(inputs)
  }

  private func readingOptions(_ index: Int) -> InputTrack.Options {
    var reading = options.reading
    reading.track = options.tracks.count > 1 ? options.tracks[index] : options.tracks.first
    reading.keepsChannels = options.outputs.contains { (try? options.kind(of: $0)) == .html }
    return reading
  }

  private func fail(_ error: TrackError, _ path: String, _ status: inout Int32) {
    Console.report(error.inFile(InputPath.name(path)))
    if options.json { Console.print(JSONValue.failure(error, of: path)) }
    if status == ExitStatus.success { status = ExitStatus.of(error) }
  }

  /// Converts the inputs to the drives that an engine compares.
  ///
  /// - Parameter prepare: converts an input with its label to a drive. Also returns warnings about omitted
  ///   points.
  /// - Returns: the drives, or nil if an input cannot be compared. The error has been reported.
  private func prepared<Drive>(
    _ inputs: [ComparisonInput], _ status: inout Int32,
    _ prepare: (ComparisonInput, String) throws(TrackError) -> (Drive, [TrackWarning])
  ) -> [Drive]? {
    let labels = ComparisonLabels.labels(
      given: options.labels, inputs: inputs.map { (path: $0.path, track: $0.track.name) })
    var drives: [Drive] = []
    for (input, label) in zip(inputs, labels) {
      do throws(TrackError) {
        let (drive, warnings) = try prepare(input, label)
        if options.reading.isStrict, let warning = warnings.first { throw warning.asError }
        Console.report(warnings, file: InputPath.name(input.path))
        drives.append(drive)
      } catch {
        fail(error, input.path, &status)
      }
    }
    return drives.count == inputs.count ? drives : nil
  }

  private func compare(_ inputs: [ComparisonInput]) -> Int32 {
    var status = ExitStatus.success
    do throws(TrackError) {
      switch options.engine {
      case .app:
        guard let trails = prepared(inputs, &status, trail) else { return status }
        if options.listsModes {
          printModes(DriveComparisonEngine.availableModes(for: trails, settings: options.settings))
        } else {
          let result = try DriveComparisonEngine.compare(trails, settings: options.settings)
          reportIdleDrives(of: result)
          return show(result, inputs, try traces(of: trails))
        }
      case .matched:
        let search = try segment()
        let drives = prepared(inputs, &status) {
          (input: ComparisonInput, label: String) throws(TrackError) in try trace(input, label, on: search)
        }
        guard let traces = drives else { return status }
        var settings = options.settings
        // A passage begins at the start of the segment, not at the first motion.
        if search != nil {
          settings.areParts = true
          settings.trimStartIdle = false
        }
        let result = try DriveComparison.compare(traces, settings: settings)
        guard options.listsModes else { return show(result, inputs, traces) }
        printModes(result.availableModes)
      }
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    return status
  }

  private func trail(
    _ input: ComparisonInput, _ label: String
  ) throws(TrackError) -> (DecodedDrive, [TrackWarning]) {
    try input.track.trail(label: label, options.reading.rules)
  }

  /// Returns the drive of an input for the matching engine.
  ///
  /// - Parameter search: the segment whose fastest passage is compared, or nil to compare whole drives.
  private func trace(
    _ input: ComparisonInput, _ label: String, on search: SegmentSearch?
  ) throws(TrackError) -> (TimedDrive, [TrackWarning]) {
    let trace = try input.track.trace(label: label, source: input.path, options.reading.rules)
    guard let search else { return (trace, trace.warnings) }
    guard let passage = search.passages(in: trace).min(by: { $0.duration < $1.duration }) else {
      throw TrackError(.noTracks, "does not contain a passage of the segment \(search.segment.name)")
    }
    return (try trace.part(from: passage.start, to: passage.end, label: label), trace.warnings)
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
    for drive in comparison.drives
    where drive.points > 1 && drive.elapsed > 0 && drive.motionEnd <= drive.motionStart {
      Console.note(
        "\(drive.label): no step is faster than \(threshold), so the whole drive is idle; use a lower --idle-speed"
      )
    }
  }

  /// Returns the drives as the app's engine sees them, for output files.
  private func traces(of trails: [DecodedDrive]) throws(TrackError) -> [TimedDrive] {
    guard !options.outputs.isEmpty else { return [] }
    var traces: [TimedDrive] = []
    for trail in trails {
      traces.append(try TimedDrive(trail.drive, label: trail.drive.name))
    }
    return traces
  }

  /// Prints the result and writes the outputs, and returns the exit status.
  private func show(
    _ comparison: DriveComparison, _ inputs: [ComparisonInput], _ traces: [TimedDrive]
  ) -> Int32 {
    var comparison = comparison
    for (index, input) in inputs.enumerated() where index < comparison.drives.count {
      comparison.drives[index].source = input.path
    }
    let document = ComparisonDocument(
      comparison, traces: traces, colors: options.colors, resolution: inputs.map(\.track.resolution))
    document.print(asJSON: options.json, besides: options.outputs)
    return write(document)
  }

  /// Writes all outputs. If one cannot be written, the others are written anyway.
  private func write(_ document: ComparisonDocument) -> Int32 {
    var status = ExitStatus.success
    ComparisonOutput.writeEach(options.outputs) { path throws(TrackError) in
      try options.kind(of: path).write(document, to: path, options: options.export)
    } failed: {
      fail($0, $1, &status)
    }
    return status
  }

  private func printModes(_ modes: [ComparisonMode]) {
    if options.json {
      Console.print(
        JSONValue.object([
          ("engine", .string(options.engine.rawValue)), ("modes", .array(modes.map { .string($0.name) })),
        ]).text)
    } else {
      for mode in modes { Console.print(mode.name) }
    }
  }
}
