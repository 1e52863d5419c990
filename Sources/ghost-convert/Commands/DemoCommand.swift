import BulkImport
import CommandLineParsing
import TrackFormats
import TrackModel

extension GhostConvert {
  struct DemoOptions: DisplayedOptions {
    var folder = "ghost-demo"
    var display = DisplayOptions()
  }

  static let demoCommand: Command = Command(
    "demo", summary: "Compare two example drives and write the report",
    discussion: """
      Writes tuesday.gpx and thursday.gpx, the same way to work on two days, compares them, and writes the \
      comparison as race.html (for a browser) and race.kmz (for Google Earth). Existing files are not replaced.
      """,
    defaults: DemoOptions(),
    parameters: [
      .argument(
        "FOLDER", \.folder, required: false, "Write to this folder, created if it does not exist.",
        completion: .directories),
      .quiet,
    ],
    examples: [Example("ghost-convert demo", "write to ghost-demo")]
  ) { (options: DemoOptions) throws(UsageError) -> Int32 in
    return try demo(in: options.folder, isQuiet: options.display.quiet)
  }

  private static func demo(in folder: String, isQuiet: Bool) throws(UsageError) -> Int32 {
    let prefix = FileName.folderPrefix(folder)
    let inputs: [(ExampleDrive, path: String)] = [
      (.tuesday, prefix + "tuesday.gpx"), (.thursday, prefix + "thursday.gpx"),
    ]
    let outputs = [prefix + "race.html", prefix + "race.kmz"]
    do throws(TrackError) {
      try ByteSink.makeFolder(folder)
      for path in inputs.map(\.path) + outputs where FileDescriptor.kind(at: path) != nil {
        throw TrackError(
          .notCreatable, "the file exists", file: path,
          suggestion: .text("choose another folder: ghost-convert demo FOLDER"))
      }
      for (drive, path) in inputs { try drive.write(to: path) }
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    let arguments = inputs.map(\.path) + outputs.flatMap { ["-o", $0] } + (isQuiet ? ["--quiet"] : [])
    if !isQuiet { Console.print("$ " + commandLine(["compare"] + arguments)) }
    guard let compare = try compareCommand.parse(arguments) else { return ExitStatus.success }
    let status = try compare()
    guard status == ExitStatus.success, !isQuiet else { return status }
    Console.print("\nOpen \(outputs[0]) in a browser, or \(outputs[1]) in Google Earth.")
    return status
  }
}
