import BulkImport
import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import TrackFormats
import TrackModel

extension GhostConvert {
  struct SegmentListOptions: LibraryCommandOptions {
    var library: String?
    var json = false
    var display = DisplayOptions()
  }

  static let segmentListCommand: Command = Command(
    "list", summary: "List the segments of a library", defaults: SegmentListOptions(),
    parameters: [
      .flag("--json", \.json, "Print one JSON object per segment."),
      .quiet, .units, .library,
    ],
    examples: [Example("ghost-convert segment list", "list segments with their best times")],
    operandHint: LibraryPath.operandHint
  ) { (options: SegmentListOptions) in
    options.withLibrary { library throws(TrackError) in
      let segments = try library.segments()
      if options.json {
        for segment in segments { Console.print(segment.json) }
        return ExitStatus.success
      }
      guard !segments.isEmpty else {
        Console.print("0 segments")
        return ExitStatus.success
      }
      var table = TextTable([
        ("segment", .left), ("length", .right), ("passages", .right), ("best", .right),
      ])
      for entry in segments {
        table.add([
          entry.segment.name.shortened(to: 60), Text.distance(entry.segment.length), String(entry.passages),
          entry.best.map(Text.lapTime) ?? "",
        ])
      }
      Console.print(table.lines.joined(separator: "\n"))
      return ExitStatus.success
    }
  }

  struct SegmentRemoveOptions: LibraryCommandOptions {
    var library: String?
    var names: [String] = []
    var display = DisplayOptions()
  }

  static let segmentRemoveCommand: Command = Command(
    "remove", summary: "Remove segments, but not their drives, from a library",
    defaults: SegmentRemoveOptions(),
    parameters: [
      .arguments("NAME", \.names, "Segments to remove.", parse: SegmentName.read),
      .quiet, .library,
    ],
    examples: [Example("ghost-convert segment remove climb", "remove a segment and its passages")]
  ) { (options: SegmentRemoveOptions) throws(UsageError) -> Int32 in
    for (index, name) in options.names.enumerated() where options.names[..<index].contains(name) {
      throw UsageError("\(name) is given twice")
    }
    return options.withLibrary(.writing) { library throws(TrackError) in
      for name in options.names { _ = try library.existingSegment(name) }
      for name in options.names {
        try library.removeSegment(named: name)
        if !options.display.quiet { Console.print("removed  \(name)") }
      }
      return ExitStatus.success
    }
  }

  struct SegmentExportOptions: LibraryCommandOptions {
    var library: String?
    var name = ""
    var output = "-"
    var to: OutputFormat?
    var display = DisplayOptions()
  }

  static let segmentExportCommand: Command = Command(
    "export", summary: "Write the line of a segment", defaults: SegmentExportOptions(),
    parameters: [
      .argument("NAME", \.name, "The segment.", parse: SegmentName.read),
      .option(
        "--output", short: "-o", \.output, value: "FILE", default: "standard output",
        "Write to FILE. The extension selects the format.", completion: .files),
      .option(
        "--to", \.to, value: "FORMAT", default: "gpx", "Write FORMAT, regardless of the extension."),
      .quiet, .library,
    ],
    examples: [Example("ghost-convert segment export climb -o climb.geojson", "write its line as GeoJSON")]
  ) { (options: SegmentExportOptions) throws(UsageError) -> Int32 in
    let standard = options.output == "-" ? OutputFormat.track(.gpx) : nil
    guard let format = options.to ?? OutputFormat(file: options.output) ?? standard else {
      throw UsageError("unknown extension: \(options.output)", hint: "select a format with --to")
    }
    return options.withLibrary { library throws(TrackError) in
      try InputProtection().check([options.output])
      let segment = try library.existingSegment(options.name)
      guard format.writesLines else {
        throw TrackError(
          .usage, "a \(format.name) file requires times or waypoints, which a segment does not have",
          file: options.output,
          suggestion: .text("export GPX, and set a speed with ghost-convert convert --speed"))
      }
      do throws(TrackError) {
        var writer = try format.writer(ByteSink(path: options.output))
        var points = PointColumns()
        for place in segment.line { points.append(place) }
        var document = TrackDocument()
        document.tracks = [.init(info: TrackInfo(name: segment.name), segments: [.init(points: points)])]
        var reader = TrackDocumentReader(document)
        var batch = PointBatch()
        while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
        try writer.finish()
      } catch {
        throw error.inFile(options.output)
      }
      return ExitStatus.success
    }
  }
}

extension OutputFormat {
  /// Whether the format has lines without times.
  fileprivate var writesLines: Bool {
    guard case .track(let format) = self else { return false }
    return ![.fit, .igc, .wpt].contains(format)
  }
}

extension LibrarySegment {
  fileprivate var json: JSONValue {
    .object([
      ("name", .string(segment.name)), ("length_m", .rounded(segment.length, 1e2)),
      ("passages", .integer(passages)), ("best_s", .rounded(best, 1e3)),
      ("from", segment.line.first.map { .object(JSONValue.place($0)) } ?? .null),
      ("to", segment.line.last.map { .object(JSONValue.place($0)) } ?? .null),
    ])
  }
}

extension DriveLibrary {
  /// Returns the segment with a name.
  ///
  /// - Throws: `notFound` if there is no segment with this name.
  func existingSegment(_ name: String) throws(TrackError) -> RoadSegment {
    guard let segment = try segment(named: name) else {
      throw TrackError(
        .notFound, "no segment named \(name)",
        suggestion: .text("list the segments with ghost-convert segment list"))
    }
    return segment
  }
}
