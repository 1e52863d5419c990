import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GhostConvert {
  struct LibraryShowOptions: LibraryCommandOptions {
    enum Form: Sendable { case text, json, document, blob }

    var library: String?
    var identifiers: [String] = []
    var form = Form.text
    var json: Bool { form == .json }
    var display = DisplayOptions()
  }

  static let libraryShowCommand: Command = Command(
    "show", summary: "Show the details of a drive",
    defaults: LibraryShowOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, "Drives, by prefixes of their ids.", parse: LibraryPath.identifier),
      .flag("--json", \.form, sets: .json, "Print one JSON object per line."),
      .flag(
        "--document", \.form, sets: .document,
        "Print the drive document of a single drive, as import writes it."),
      .flag(
        "--blob", \.form, sets: .blob, "Print only the bytes of coordinatesData of a single drive."),
      .quiet, .utc, .units, .library,
    ],
    examples: [
      Example("ghost-convert library show 5C2A3E", "show when, how long and where"),
      Example("ghost-convert library show 5C2A3E --document > ride.drive.json", "write it for the app"),
    ]
  ) { (options: LibraryShowOptions) in
    return options.withLibrary { library throws(TrackError) in
      let drives = try library.drives(withPrefixes: options.identifiers)
      switch options.form {
      case .text, .json:
        for drive in drives {
          let details = try DriveDetails(drive, in: library)
          Console.print(options.form == .json ? details.json.text : details.text)
        }
      case .document, .blob:
        guard let drive = drives.first, drives.count == 1 else {
          throw TrackError(
            .usage, "\(drives.count) drives, but only one can be printed",
            suggestion: .text("use ghost-convert library export for several drives"))
        }
        try print(drive, options.form, of: library)
      }
      return ExitStatus.success
    }
  }

  private static func print(
    _ drive: LibraryDrive, _ form: LibraryShowOptions.Form, of library: DriveLibrary
  ) throws(TrackError) {
    guard let drive = try library.drive(drive.id) else { return }
    var sink = try ByteSink(path: "-")
    if form == .blob {
      try sink.write(drive.coordinatesData.span)
    } else {
      try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    }
    try sink.finish()
  }
}
