import CommandLineParsing
import TrackFormats

extension GhostConvert {
  struct FormatsOptions: Sendable {
    var json = false
  }

  static let formatsCommand: Command = Command(
    "formats", summary: "List the formats that can be read and written",
    defaults: FormatsOptions(),
    parameters: [.flag("--json", \.json, "Print one JSON object a line for scripts.")],
    examples: [Example("ghost-convert formats", "prints a table")]
  ) { (options: FormatsOptions) -> Int32 in
    if options.json {
      for format in TrackFormat.all {
        Console.print(
          JSONValue.object([
            ("name", .string(format.name)), ("title", .string(format.title)),
            ("extensions", .array(format.fileExtensions.map { .string($0) })),
            ("read", .bool(format.canRead)), ("write", .bool(format.canWrite)),
          ]).text)
      }
      Console.print(
        JSONValue.object([
          ("name", .string("drive")), ("title", .string(driveTitle)),
          ("extensions", .array([.string("drive.json")])), ("read", .bool(false)), ("write", .bool(true)),
        ]).text)
      return ExitStatus.success
    }
    var rows = TrackFormat.all.map { format in
      (format.name, format.canRead ? "read" : "", format.canWrite ? "write" : "", format.title)
    }
    rows.append(("drive", "", "import", driveTitle))
    for row in rows {
      Console.print(padded(row.0, 12) + padded(row.1, 6) + padded(row.2, 8) + row.3)
    }
    return ExitStatus.success
  }

  private static let driveTitle = "Ghost Car drives (.drive.json), and their coordinates alone (--blob)"

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
