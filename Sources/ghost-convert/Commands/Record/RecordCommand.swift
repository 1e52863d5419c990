import BulkImport
import CommandLineParsing
import GhostExport
import GhostModel
import LiveReceivers
import TrackArchives
import TrackFormats
import TrackModel

extension GhostConvert {
  struct RecordOptions: DisplayedOptions {
    var gpsd: String?
    var nmea: String?
    var input: String?
    var recover: String?
    var baud: Int?
    var output: String?
    var library: String?
    var force = false
    var name: String?
    var appExact = false
    var json = false
    var display = DisplayOptions()
    var settings = RecorderSettings()
    var duration: Double?
    var clock: ReceiverClock.Source?
  }

  static let recordCommand: Command = Command(
    "record", summary: "Record a drive from a GPS receiver",
    discussion: """
      The duration is measured from the start of the recording, not from the first fix. It includes \
      stops, during which no fix passes the distance filter. Ctrl-C stops and saves. A checkpoint next to the output is updated \
      every ten coordinates; after a crash, --recover turns it into a drive and removes it.

      An output with the extension .drive.json is a drive for the app. All other formats keep the times of \
      the fixes. A library keeps both.

      The accuracy of a fix comes from gpsd (eph, scaled by 0.617 from 95% to the 68% that phones use) or \
      from the standard deviations in NMEA GST sentences. Without either, it is estimated as 5 m times HDOP. \
      A negative accuracy marks an invalid fix.
      """,
    defaults: RecordOptions(),
    parameters: [
      .quiet,
      .units,
    ],
    sections: [
      ParameterSection(
        "Input",
        [
          .option(
            "--gpsd", \.gpsd, value: "HOST[:PORT]",
            "Record from gpsd, reconnecting if necessary (default port: 2947)."
          ),
          .option(
            "--nmea", \.nmea, value: "FILE",
            "Record NMEA sentences from a serial device, a file, or standard input (-). "
              + "If a serial device is unplugged, wait for it.",
            completion: .files),
          .option(
            "--baud", \.baud, value: "RATE", default: "the device's setting",
            "Set the speed of a serial device, for example 9600.",
            completion: .values(SerialDevice.baudRates.map(String.init)), parse: baud),
          .option(
            "--input", \.input, value: "FILE",
            "Record from a file or standard input (-) in any format that can be streamed, "
              + "such as the output of gpspipe -w.",
            completion: .files),
          .option(
            "--recover", \.recover, value: "CHECKPOINT", "Restore the drive of an interrupted recording.",
            completion: .files),
        ]),
      ParameterSection(
        "Recording",
        [
          .option(
            "--distance-filter", \.settings.distanceFilter, value: "METRES", default: "10",
            "Keep a fix only if it is this far from the previous one.", parse: QuantityArgument.metres),
          .option(
            "--max-accuracy", \.settings.maximumAccuracy, value: "METRES", default: "15",
            "Skip less accurate fixes; none keeps all.", completion: .values(["none"]),
            parse: { try RecordingAccuracy.metres($0) ?? .infinity }),
          .option(
            "--max-age", \.settings.maximumAge, value: "DURATION", default: "5s",
            "Skip fixes that are older than DURATION when they arrive.", parse: QuantityArgument.seconds),
          .option(
            "--clock", \.clock, value: "KIND",
            default: "fixes for files and logs in a pipe, otherwise system",
            "system: use the system clock. fixes: use only the times of the fixes, "
              + "for logs that play faster than they were recorded."),
          .option(
            "--stop-after", \.duration, value: "DURATION",
            "Stop after DURATION on the recording's clock, for example 30m.",
            parse: QuantityArgument.positiveSeconds),
        ]),
      ParameterSection(
        "Output",
        [
          .output(\.output, "Write the drive to FILE."),
          .option(
            "--library", \.library, value: "[FILE]",
            "Add the drive to this library (a GeoPackage), created if it does not exist. "
              + "Without FILE: $GHOST_LIBRARY or drives.gpkg. Can be combined with -o.",
            completion: .files,
            parse: { $0 == missingArgumentValue ? LibraryPath.newPath : try LibraryPath.argument($0) }),
          .option("--name", \.name, value: "NAME", "Set the drive's name."),
          .flag(
            "--app-exact", \.appExact,
            "With a .drive.json output: write the coordinates as the app stores them, without resampling. "
              + "Replays are then inaccurate after stops."),
          .flag("--json", \.json, "Print one JSON object about the drive at the end."),
          .flag("--force", \.force, "Replace an existing output."),
        ]),
    ],
    examples: [
      Example("ghost-convert record --gpsd localhost -o drive.gpx", "record until Ctrl-C"),
      Example("gpspipe -r | ghost-convert record --nmea - -o drive.drive.json", "record a drive for the app"),
      Example("gpspipe -r | ghost-convert record --nmea - --library drives.gpkg", "record to a library"),
      Example(
        "ghost-convert record --nmea /dev/ttyUSB0 --baud 9600 -o drive.gpx", "record from a serial receiver"),
      Example("ghost-convert record --recover drive.gpx.checkpoint", "write drive.gpx after a crash"),
    ]
  ) { (options: RecordOptions) throws(UsageError) -> Int32 in
    // The name of a missing checkpoint need not determine an output.
    if let checkpoint = options.recover, !InputEnumerator.exists(checkpoint) {
      return ExitStatus.reporting { () throws(TrackError) in
        _ = try ByteInput(path: checkpoint)
        return ExitStatus.success
      }
    }
    let destination = try destination(options)
    let run = RecordRun(options: options, destination: destination)
    let sources = [options.gpsd, options.nmea, options.input].compactMap(\.self)
    if let checkpoint = options.recover {
      guard sources.isEmpty else {
        throw UsageError("--recover excludes a receiver", hint: "recover first, then record to another file")
      }
      return run.recover(checkpoint)
    }
    guard sources.count == 1 else {
      throw UsageError(
        sources.isEmpty ? "no receiver specified" : "several receivers specified",
        hint: sources.isEmpty
          ? "add --gpsd localhost, --nmea /dev/ttyUSB0 or --input FILE"
          : "use one of --gpsd, --nmea and --input")
    }
    guard options.baud == nil || options.gpsd == nil else {
      throw UsageError("--baud applies to serial devices", hint: "gpsd detects the speed")
    }
    return run.record(try source(options))
  }

  /// Returns the destination of the options, or the one that the name of a checkpoint determines.
  private static func destination(_ options: RecordOptions) throws(UsageError) -> RecordingDestination {
    var destination = RecordingDestination(
      output: options.output, library: options.library, replaces: options.force, appExact: options.appExact)
    if options.output == nil, options.library == nil {
      guard let checkpoint = options.recover else {
        throw UsageError("no output specified", hint: "add -o drive.gpx or --library drives.gpkg")
      }
      guard
        let named = RecordingDestination(
          ofCheckpoint: checkpoint, replaces: options.force, appExact: options.appExact)
      else { throw UsageError("no output specified", hint: "use -o drive.gpx") }
      destination = named
    }
    if let output = destination.output {
      try check(output, appExact: options.appExact && destination.library == nil)
    }
    return destination
  }

  private static func check(_ output: String, appExact: Bool) throws(UsageError) {
    guard output != "-" else {
      throw UsageError(
        "a recording needs a file, because its checkpoint is next to it", hint: "use -o drive.gpx")
    }
    guard let format = OutputFormat(file: output) else {
      throw UsageError(
        "unknown extension: \(output)", hint: "use a name such as drive.gpx or drive.drive.json")
    }
    switch format {
    case .track(.polyline), .track(.polyline6):
      throw UsageError(
        "\(format.name) has no times, so only the line of the drive would be kept",
        hint: "record to drive.gpx, then use ghost-convert convert")
    case .track where appExact:
      throw UsageError(
        "--app-exact applies to drive documents; \(format.name) keeps all times",
        hint: "use -o drive.drive.json")
    case .track, .drive: break
    }
  }

  private static func baud(_ text: String) throws(InvalidValue) -> Int? {
    if let baud = Int(text), SerialDevice.baudRates.contains(baud) { return baud }
    throw InvalidValue("expected one of " + SerialDevice.baudRates.map(String.init).joined(separator: ", "))
  }

  private static func source(_ options: RecordOptions) throws(UsageError) -> LiveFixes.Source {
    if let path = options.nmea ?? options.input {
      // A missing device is reported when it is opened.
      guard options.baud == nil || SerialDevice.isOne(path) || !InputEnumerator.exists(path) else {
        throw UsageError("\(path) is not a serial device, so --baud does not apply", hint: "omit --baud")
      }
      return .path(path, format: options.nmea == nil ? nil : .nmea, baud: options.baud)
    }
    let address = options.gpsd ?? ""
    guard !address.isEmpty else { throw UsageError("no host specified", hint: "use --gpsd localhost") }
    // IPv6 addresses contain colons, so they are in brackets if a port follows.
    if address.hasPrefix("["), let end = address.lastIndex(of: "]") {
      let host = String(address[address.index(after: address.startIndex)..<end])
      return .gpsd(host: host, port: try port(address[address.index(after: end)...].dropFirst()))
    }
    let parts = address.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .gpsd(host: address, port: GPSDConnection.defaultPort) }
    return .gpsd(host: parts[0].isEmpty ? "localhost" : String(parts[0]), port: try port(parts[1]))
  }

  private static func port(_ text: Substring) throws(UsageError) -> Int {
    if text.isEmpty { return GPSDConnection.defaultPort }
    guard let port = Int(text), (1...65_535).contains(port) else {
      throw UsageError("\(text) is not a port", hint: "use a port such as --gpsd localhost:2947")
    }
    return port
  }
}

extension ReceiverClock.Source: ArgumentValue { package static var argumentChoices: [String] { [] } }
