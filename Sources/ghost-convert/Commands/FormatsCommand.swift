import BulkImport
import CommandLineParsing
import GhostExport
import TrackArchives
import TrackFormats
import TrackModel

extension GhostConvert {
  struct FormatsOptions: CommandOptions {
    var json = false
  }

  static let formatsCommand: Command = Command(
    "formats", summary: "List the supported formats",
    defaults: FormatsOptions(),
    parameters: [.flag("--json", \.json, "Print one JSON object per line.")],
    examples: [Example("ghost-convert formats", "print a table")]
  ) { (options: FormatsOptions) -> Int32 in
    let writable = OutputFormat.names
    for format in FormatRegistry.withArchives.formats {
      let canWrite = writable.contains(format.name)
      if options.json {
        Console.print(
          JSONValue.object([
            ("name", .string(format.name)), ("title", .string(format.title)),
            ("extensions", .array(format.fileExtensions.map { .string($0) })),
            ("read", .bool(format.canRead)), ("write", .bool(canWrite)),
          ]).text)
      } else {
        Console.print(
          format.name.padded(to: 12) + (format.canRead ? "read" : "").padded(to: 6)
            + (canWrite ? "write" : "").padded(to: 7) + format.title)
      }
    }
    return ExitStatus.success
  }
}
