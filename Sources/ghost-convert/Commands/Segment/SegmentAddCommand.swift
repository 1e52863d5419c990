import BulkImport
import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension GhostConvert {
  struct SegmentAddOptions: LibraryCommandOptions {
    var library: String?
    var name = ""
    var start: Coordinate?
    var end: Coordinate?
    var via: [Coordinate] = []
    var line: String?
    var drive: String?
    /// In seconds since the start of the drive.
    var between: ClosedRange<Double>?
    var display = DisplayOptions()
  }

  static let segmentAddCommand: Command = Command(
    "add", summary: "Add a segment to a library",
    discussion: """
      The segment is the road that most drives of the library use from --from to --to, the line of a file, \
      or a part of a drive. The first and the last 50 m of a drive or a recording are left out, because drives \
      park in different places, unless --from and --to cut the line. Its passages in all drives of the \
      library are found immediately, and those in \
      new drives when they are imported.
      """,
    defaults: SegmentAddOptions(),
    parameters: [
      .argument("NAME", \.name, "The name of the segment.", parse: SegmentName.new),
      .option(
        "--from", \.start, value: "LAT,LON", "Set the start of the segment, at most 30 m from the road."),
      .option("--to", \.end, value: "LAT,LON", "Set the end."),
      .repeated(
        "--via", \.via, value: "LAT,LON", "Add a place between start and end. Repeat in driving order."),
      .option(
        "--line", \.line, value: "FILE", "Use the line of this file, or the part between --from and --to.",
        completion: .files),
      .option(
        "--drive", \.drive, value: "ID", "Use the line of this drive of the library.",
        parse: LibraryPath.identifier),
      .option(
        "--between", \.between, value: "TIME..TIME",
        "With --drive: use the part between two times since its start.",
        parse: SegmentName.between),
      .quiet, .units, .library,
    ],
    examples: [
      Example(
        "ghost-convert segment add climb --from 46.2,7.1 --to 46.25,7.15",
        "add the most common road between two places"),
      Example("ghost-convert segment add climb --line climb.gpx", "add the line of a file"),
      Example(
        "ghost-convert segment add climb --drive 5C2A3E --between 12:30..14:10", "add a part of a drive"),
    ]
  ) { (options: SegmentAddOptions) throws(UsageError) -> Int32 in
    if options.between != nil, options.drive == nil { throw UsageError("--between requires --drive") }
    let kinds = [options.line != nil, options.drive != nil].count { $0 }
    let isPlaced = options.start != nil && options.end != nil
    guard kinds == 1 || kinds == 0 && isPlaced else {
      throw UsageError(
        kinds == 0 ? "no road specified" : "--line and --drive cannot be used together",
        hint: "add --from LAT,LON --to LAT,LON, --line FILE or --drive ID")
    }
    if kinds == 1, !options.via.isEmpty {
      throw UsageError("--via cannot be used with --line or --drive", hint: "remove --via")
    }
    if kinds == 1, (options.start == nil) != (options.end == nil) {
      throw UsageError("--from and --to must be used together")
    }
    return options.withLibrary(.writing) { library throws(TrackError) in
      let added = try options.addSegment(to: library)
      try library.checkpoint()
      if !options.display.quiet {
        let length = Text.distance(added.segment.length)
        Console.print("added  \(added.segment.name): \(length), \(Counted.of(added.passages, "passage"))")
      }
      return added.reportDamage()
    }
  }
}

extension GhostConvert.SegmentAddOptions {
  fileprivate func addSegment(
    to library: DriveLibrary
  ) throws(TrackError) -> AddedSegment {
    let ends = start.flatMap { start in end.map { (start, $0) } }
    if line == nil, drive == nil, let (start, end) = ends {
      return try library.addSegment(named: name, from: start, to: end, via: via)
    }
    try library.requireNew(name)
    let segment =
      if let line {
        try RoadSegment(
          longestIn: line, name: name, between: ends, progress: { RunProgress($0) },
          centeredOn: library.traces)
      } else {
        try library.segment(named: name, along: trace(in: library), part: between, between: ends)
      }
    return try library.add(segment)
  }

  private func trace(in library: DriveLibrary) throws(TrackError) -> TimedDrive {
    guard let drive, let trace = try library.trace(of: library.drive(withPrefix: drive), label: name) else {
      throw TrackError(.notFound, "no drive \(drive ?? "")")
    }
    if let between, between.upperBound > trace.duration.rounded(.up) {
      throw TrackError(
        .usage, "the drive ends after \(Text.clock(trace.duration))",
        suggestion: .text("end --between at \(Text.clock(trace.duration))"))
    }
    return trace
  }
}

extension AddedSegment {
  /// Reports drives that could not be searched, and returns the exit status.
  func reportDamage() -> Int32 {
    guard !damagedDrives.isEmpty else { return ExitStatus.success }
    Console.complain(
      "segment \(Diagnostic.singleLine(segment.name)): not searched for in "
        + "\(Counted.of(damagedDrives.count, "damaged drive")); use ghost-convert library check")
    return ExitStatus.dataError
  }
}

/// Parses the names of segments in options.
enum SegmentName {
  static func read(_ text: String) throws(InvalidValue) -> String {
    guard !text.isEmpty else { throw InvalidValue("expected the name of a segment") }
    return text
  }

  /// The maximum number of characters of a new name.
  private static let longest = 100

  /// Parses the name of a new segment, which is visible and fits on a line.
  static func new(_ text: String) throws(InvalidValue) -> String {
    guard text.contains(where: { !$0.isWhitespace }),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw InvalidValue("expected a name of visible characters") }
    guard text.count <= longest else { throw InvalidValue("expected at most \(longest) characters") }
    return text
  }

  /// Parses `12:30..14:10`.
  static func between(_ text: String) throws(InvalidValue) -> ClosedRange<Double>? {
    let parts = text.split(separator: "..", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = try? QuantityArgument.seconds(String(parts[0])),
      let end = try? QuantityArgument.seconds(String(parts[1])), start < end
    else { throw InvalidValue("expected two times since the start such as 12:30..14:10") }
    return start...end
  }
}
