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
    var quiet = false
    var utc = false
  }

  static let libraryExportCommand: Command = Command(
    "export", summary: "Write drives of a library to files of any format",
    discussion: """
      Each drive becomes a track of its name, with the points as they were recorded and their exact times; one that the \
      library has no recording of, with the evenly spread points of the drive. The format drive is the drive itself, as \
      import writes it. The day is added to names that several drives have, and in KML and KMZ to all.

      pgcopy is a script for psql: it makes the table ghost_drives in a database with PostGIS where there is none, and \
      adds the drives that are not in it, all of them or none. The measure of the recorded points is their time.
      """,
    defaults: LibraryExportOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, minimum: 0, "Drives, by the beginnings of their ids.",
        parse: { try LibraryPath.identifier($0) }),
      .flag("--all", \.all, "Export every drive."),
      .option(
        "--output", short: "-o", \.output, value: "FILE",
        "Write all into this file; - is standard output. Its ending names the format.", completion: .files),
      .option(
        "--output-directory", \.outputDirectory, value: "FOLDER",
        "Write each drive to a file of its own in this folder.", completion: .directories),
      .option(
        "--to", \.format, value: "FORMAT", "Write this format, whatever the output is called.",
        completion: .values(LibraryExportFormat.names),
        parse: { .some(try LibraryExportFormat(argument: $0)) }),
      .option(
        "--format", \.format, value: "FORMAT", "The same as --to.",
        completion: .values(LibraryExportFormat.names),
        parse: { .some(try LibraryExportFormat(argument: $0)) }),
      .fitKind(\.writing.fitKind),
      .plainLines(\.writing.addsPlainLines),
      .quoteFormulas(\.writing.quotesFormulas),
      .quiet(\.quiet), .utc(\.utc),
      .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library export 5C2A3E 9B610E -o week.kmz", "two drives for Google Earth"),
      Example(
        "ghost-convert library export --since 2025-01 -o january.gpx", "those since a month, as tracks"),
      Example(
        "ghost-convert library export --all --to drive --output-directory drives/", "documents for the app"),
      Example(
        "ghost-convert library export --all --format pgcopy | psql -d roads", "into a PostGIS database"),
    ]
  ) { (options: LibraryExportOptions) throws(UsageError) -> Int32 in
    LocalTime.isUTC = options.utc
    try options.selection.check()
    let ways = [!options.identifiers.isEmpty, options.all, options.selection.isGiven].count { $0 }
    if ways == 0 {
      throw UsageError("no drives are named", hint: "name ids, a filter such as --since 2025-01, or --all")
    }
    if ways > 1 { throw UsageError("ids, --all and filters exclude each other") }
    let target = try options.target
    try options.writing.check(target.format.files)
    return options.withLibrary { library throws(TrackError) in
      try LibraryExport(library, options, target).run()
    }
  }
}

extension GhostConvert.LibraryExportOptions {
  /// Where drives go to, and as what.
  var target: LibraryExport.Target {
    get throws(UsageError) {
      if let folder = outputDirectory {
        guard output == nil else { throw UsageError("--output and --output-directory exclude each other") }
        guard let format else {
          throw UsageError(
            "--output-directory needs a format", hint: "say it with --to, for example --to drive")
        }
        guard case .files(let format) = format else {
          throw UsageError("pgcopy is one script", hint: "write it with --output, or to standard output")
        }
        return .folder(folder, format)
      }
      guard let output = output ?? (format == nil ? nil : "-") else {
        throw UsageError("no output", hint: "name it with --output FILE, or - for standard output")
      }
      guard let format = format ?? OutputFormat(file: output).map(LibraryExportFormat.files) else {
        throw UsageError(
          output == "-" ? "no format" : "no format has the ending of \(output)",
          hint: "name the format with --to")
      }
      return .file(output, format)
    }
  }
}

/// What library export can write: all that convert can, and a script for PostGIS.
enum LibraryExportFormat: Sendable {
  case files(OutputFormat)
  case postGIS

  static var names: [String] { OutputFormat.names + ["pgcopy"] }

  init(argument: String) throws(InvalidValue) {
    if argument.lowercased() == "pgcopy" {
      self = .postGIS
    } else if let format = try? OutputFormat(argument: argument) {
      self = .files(format)
    } else {
      throw InvalidValue("expected one of " + Self.names.joined(separator: ", "))
    }
  }

  /// The format of files of tracks; nil for others.
  var files: OutputFormat? { if case .files(let format) = self { format } else { nil } }
}
