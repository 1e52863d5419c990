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
        try print(drive.id, options.form, of: library)
      }
      return ExitStatus.success
    }
  }

  private static func print(
    _ id: UUID, _ form: LibraryShowOptions.Form, of library: DriveLibrary
  ) throws(TrackError) {
    guard let drive = try library.drive(id) else { return }
    var sink = try ByteSink(path: "-")
    if form == .blob {
      try sink.write(drive.coordinatesData.span)
    } else {
      try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    }
    try sink.finish()
  }
}

/// All properties of a drive in a library.
struct DriveDetails {
  private let drive: LibraryDrive
  private let recording: Recording?
  private let relatives: [(drive: LibraryDrive, relation: RideRelation)]

  init(_ drive: LibraryDrive, in library: DriveLibrary) throws(TrackError) {
    self.drive = drive
    recording = try library.recording(drive.id)
    relatives = try library.relatives(of: drive.id)
  }

  /// The time between two points, in seconds.
  private var step: Double? {
    drive.points > 1 ? drive.duration / Double(drive.points - 1) : nil
  }

  private var timedPoints: Int {
    recording?.segments.reduce(0) { $0 + $1.times.count { $0 != Instant.absent } } ?? 0
  }

  var json: JSONValue {
    var members = drive.members
    members += [
      ("step_s", .optional(step)),
      (
        "recording",
        recording.map { recording in
          .object([
            ("segments", .integer(recording.segments.count)), ("points", .integer(recording.count)),
            ("timed_points", .integer(timedPoints)),
          ])
        } ?? .null
      ),
      (
        "same_time",
        .array(
          relatives.map {
            .object([
              ("id", .string($0.drive.id.uuidString)), ("relation", .string($0.relation.rawValue)),
              ("source", .optional($0.drive.source)),
            ])
          })
      ),
    ]
    return .object(members)
  }

  /// The details as text.
  var text: String {
    var lines = [Diagnostic.singleLine(drive.name.isEmpty ? "(no name)" : drive.name)]
    func line(_ title: String, _ text: String?) {
      guard let text else { return }
      lines.append("  " + title.padded(to: 10) + Diagnostic.singleLine(text))
    }
    line("id", drive.id.uuidString)
    line("start", drive.startTime.map(LocalTime.text))
    line("end", drive.endTime.map(LocalTime.text))
    line("duration", Text.clock(drive.duration))
    line("distance", Text.driveDistance(miles: drive.distance))
    line("points", "\(drive.points)" + (step.map { " every \(Formatted.fixed($0, 3)) s" } ?? ""))
    line("recorded", recorded)
    line("from", drive.start.map { Text.place($0) })
    line("to", drive.end.map { Text.place($0) })
    line("kind", drive.kind)
    line("gear", drive.gear)
    line("notes", drive.description)
    line("source", drive.source)
    for relative in relatives {
      line(
        relative.relation == .companion ? "beside" : "same ride",
        "\(relative.drive.id.uuidString.prefix(8)) \(relative.drive.source ?? relative.drive.name)"
          + (relative.relation == .duplicate ? ", the same recording" : ""))
    }
    return lines.joined(separator: "\n")
  }

  private var recorded: String {
    guard let recording else { return "only the points" }
    let segments = recording.segments.count > 1 ? " in \(recording.segments.count) segments" : ""
    let timed =
      timedPoints == recording.count
      ? ", each with its time" : timedPoints == 0 ? ", without times" : ", \(timedPoints) with a time"
    return Counted.of(recording.count, "point") + segments + timed
  }
}
