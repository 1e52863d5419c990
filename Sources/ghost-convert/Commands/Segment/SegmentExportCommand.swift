import BulkImport
import CommandLineParsing
import DriveLibrary
import DriveMatching
import TrackFormats
import TrackModel

extension GhostConvert {
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
      .output(\.output, default: "standard output", "Write to FILE. The extension selects the format."),
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
      do throws(TrackError) { try format.write(segment.document, to: options.output) } catch {
        throw error.inFile(options.output)
      }
      return ExitStatus.success
    }
  }
}
