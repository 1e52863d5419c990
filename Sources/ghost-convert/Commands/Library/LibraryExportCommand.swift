import BulkImport
import CommandLineParsing
import DriveLibrary
import TrackFormats
import TrackModel

extension GhostConvert {
  struct LibraryExportOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var identifiers: [String] = []
    var all = false
    var output: String?
    var outputDirectory: String?
    var format: LibraryExportFormat?
    var writing = OutputFormat.WritingOptions()
    var display = DisplayOptions()
  }

  static let libraryExportCommand: Command = Command(
    "export", summary: "Export drives to files in any format",
    discussion: """
      Each drive becomes a track with its recorded positions, their exact times and elevations, or with its \
      evenly spaced points if the library has no recording. A library has no sensor values. The format drive is \
      the drive document that import writes. The date is added to names that several drives share, and to all \
      names in KML and KMZ.

      pgcopy is a psql script that creates the table ghost_drives in a PostGIS database if necessary, and \
      adds the new drives in one transaction. The measures of the recorded points are their times.
      """,
    defaults: LibraryExportOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, minimum: 0, "Drives, by prefixes of their ids.", parse: LibraryPath.identifier),
      .flag("--all", \.all, "Export every drive."),
      .output(
        \.output, "Write all drives to FILE (- for standard output). The extension selects the format."),
      .option(
        "--output-directory", \.outputDirectory, value: "FOLDER",
        "Write each drive to a separate file in this folder.", completion: .directories),
      .option(
        "--to", \.format, value: "FORMAT", "Write FORMAT, regardless of the output's extension."),
      .option("--format", \.format, value: "FORMAT", "Same as --to."),
      .fitKind(\.writing.fitKind),
      .plainLines(\.writing.addsPlainLines),
      .quoteFormulas(\.writing.quotesFormulas),
      .privacy(\.writing.privacyZones),
      .quiet, .utc,
      .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library export 5C2A3E 9B610E -o week.kmz", "export two drives for Google Earth"),
      Example(
        "ghost-convert library export --since 2025-01 -o january.gpx", "export recent drives as tracks"),
      Example(
        "ghost-convert library export --all --to drive --output-directory drives/",
        "export drive documents for the app"),
      Example(
        "ghost-convert library export --all --privacy 46.5,7.5,300m -o rides.gpx",
        "export drives without the surroundings of a place"),
      Example(
        "ghost-convert library export --all --format pgcopy | psql -d roads", "load drives into PostGIS"),
    ]
  ) { (options: LibraryExportOptions) throws(UsageError) -> Int32 in
    try options.selection.check()
    let ways = [!options.identifiers.isEmpty, options.all, options.selection.isGiven].count { $0 }
    if ways == 0 {
      throw UsageError("no drives selected", hint: "add ids, a filter such as --since 2025-01, or --all")
    }
    if ways > 1 { throw UsageError("ids, --all and filters cannot be used together") }
    let target = try options.target
    try options.writing.check(target.format.files)
    if !options.writing.privacyZones.isEmpty {
      guard case .files(.track) = target.format else {
        throw UsageError(
          "--privacy applies to tracks, not to drive documents and pgcopy",
          hint: "export to a track format such as GPX; import that file for drive documents")
      }
    }
    return options.withLibrary { library throws(TrackError) in
      try LibraryExport(library: library, options: options, target: target).run()
    }
  }
}

extension GhostConvert.LibraryExportOptions {
  /// The destination and the format of the drives.
  var target: LibraryExport.Target {
    get throws(UsageError) {
      if let folder = outputDirectory {
        guard output == nil else {
          throw UsageError("--output and --output-directory cannot be used together")
        }
        guard let format else {
          throw UsageError(
            "--output-directory needs a format", hint: "add a format, for example --to drive")
        }
        guard case .files(let format) = format else {
          throw UsageError("pgcopy is one script", hint: "use --output, or standard output")
        }
        return .folder(folder, format)
      }
      guard let output = output ?? (format == nil ? nil : "-") else {
        throw UsageError("no output", hint: "add --output FILE, or --output - for standard output")
      }
      guard let format = format ?? OutputFormat(file: output).map(LibraryExportFormat.files) else {
        throw UsageError(
          output == "-" ? "no format" : "unknown extension: \(output)",
          hint: "select a format with --to")
      }
      return .file(output, format)
    }
  }
}

/// The output formats of library export: those of convert, and a script for PostGIS.
enum LibraryExportFormat: ArgumentValue {
  case files(OutputFormat)
  case postGIS

  static var names: [String] { OutputFormat.names + ["pgcopy"] }
  static var argumentCompletion: Completion { .values(names) }

  init(argument: String) throws(InvalidValue) {
    if argument.lowercased() == "pgcopy" {
      self = .postGIS
    } else if let format = try? OutputFormat(argument: argument) {
      self = .files(format)
    } else {
      throw InvalidValue("expected one of " + Self.names.joined(separator: ", "))
    }
  }

  /// The format of track files; nil for other outputs.
  var files: OutputFormat? { if case .files(let format) = self { format } else { nil } }
}
