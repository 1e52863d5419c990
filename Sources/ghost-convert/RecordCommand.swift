import CommandLineParsing
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct RecordOptions: Sendable {
    var gpsd: String?
    var nmea: String?
    var input: String?
    var recover: String?
    var output: String?
    var name: String?
    var appExact = false
    var json = false
    var quiet = false
    var settings = RecorderSettings()
    var duration: Double?
    var clock: ReceiverClock.Source?
  }

  static let recordCommand: Command = Command(
    "record", summary: "Record a drive from a GPS receiver",
    discussion: """
      The duration is that of the clock and goes on at a red light, where no fix passes the distance filter. \
      Ctrl-C stops and saves. While it records, a checkpoint stands beside the output and is renewed every ten \
      coordinates; after a crash, --recover makes a drive of it.

      A file name that ends in .drive.json becomes a drive of the app; every other format that convert writes \
      keeps the times of the fixes.
      """,
    defaults: RecordOptions(),
    parameters: [
      .option(
        "--gpsd", \.gpsd, value: "HOST[:PORT]",
        "Record what gpsd reports; it is connected to again when it goes away. The port is 2947 unless given."
      ),
      .option(
        "--nmea", \.nmea, value: "FILE",
        "Record NMEA sentences from a serial device, a file or, with -, standard input.", completion: .files),
      .option(
        "--input", \.input, value: "FILE",
        "The same for any format that can be read as it comes, such as what gpspipe -w writes.",
        completion: .files),
      .option(
        "--recover", \.recover, value: "CHECKPOINT", "Make the drive of a recording that was cut off.",
        completion: .files),
      .option(
        "--output", short: "-o", \.output, value: "FILE", "Where to write the drive.", completion: .files),
      .option("--name", \.name, value: "NAME", "Call the drive so."),
      .flag(
        "--app-exact", \.appExact,
        "For a .drive.json: keep the coordinates that the app would store, evenly spaced in distance, although "
          + "its even spreading over time is then wrong at every stop."),
      .option(
        "--stop-after", \.duration, value: "DURATION", "Stop after so much time, such as 30m.",
        parse: { try Text.positiveSeconds($0) }),
      .flag("--json", \.json, "Print one JSON object about the drive at the end, for scripts."),
      .flag("--quiet", short: "-q", \.quiet, "Show nothing but errors."),
    ],
    sections: [
      ParameterSection(
        "Fixes",
        [
          .option(
            "--distance-filter", \.settings.distanceFilter, value: "METRES", default: "10",
            "Keep a fix only this far from the last.", parse: { try Text.metres($0) }),
          .option(
            "--max-accuracy", \.settings.maximumAccuracy, value: "METRES", default: "15",
            "Refuse fixes that the receiver says are worse.", parse: { try Text.metres($0) }),
          .option(
            "--max-age", \.settings.maximumAge, value: "DURATION", default: "5s",
            "Refuse fixes that are older when they arrive.", parse: { try Text.seconds($0) }),
          .option(
            "--clock", \.clock, value: "KIND", default: "fixes for a regular file, otherwise system",
            "system: time goes on by itself; fixes: only the times of the fixes count, for a log that is "
              + "played faster than it was recorded.", completion: .values(["system", "fixes"]),
            parse: { .some(try clock($0)) }),
        ])
    ],
    examples: [
      Example("ghost-convert record --gpsd localhost -o drive.gpx", "until Ctrl-C"),
      Example("gpspipe -r | ghost-convert record --nmea - -o drive.drive.json", "a drive of the app"),
      Example("ghost-convert record --nmea /dev/ttyUSB0 -o drive.gpx", "straight from a receiver"),
      Example("ghost-convert record --recover drive.gpx.checkpoint", "after a crash, writes drive.gpx"),
    ]
  ) { (options: RecordOptions) throws(UsageError) -> Int32 in
    if let checkpoint = options.recover {
      guard options.gpsd == nil, options.nmea == nil, options.input == nil else {
        throw UsageError("--recover takes no receiver", hint: "record again afterwards, into another file")
      }
      let output = if let output = options.output { output } else { try recoveredName(checkpoint) }
      return RecordRun.recover(checkpoint, to: output, options)
    }
    let sources = [options.gpsd, options.nmea, options.input].compactMap(\.self)
    guard sources.count == 1 else {
      throw UsageError(
        sources.isEmpty ? "no receiver given" : "more than one receiver given",
        hint: "give one of --gpsd localhost, --nmea /dev/ttyUSB0 or --input FILE")
    }
    guard let output = options.output else {
      throw UsageError("no output given", hint: "such as -o drive.gpx")
    }
    guard output == "-" || OutputFormat(file: output) != nil else {
      throw UsageError(
        "the name \(output) does not say which format to write", hint: "such as drive.gpx or drive.drive.json"
      )
    }
    guard output != "-" else {
      throw UsageError(
        "a recording needs a file, beside which its checkpoint stands", hint: "such as -o drive.gpx")
    }
    var run = RecordRun(options, output: output, source: try source(options))
    return run.run()
  }

  private static func clock(_ text: String) throws(InvalidValue) -> ReceiverClock.Source {
    switch text {
    case "system": return .system
    case "fixes": return .fixes
    default: throw InvalidValue("expected system or fixes")
    }
  }

  private static func recoveredName(_ checkpoint: String) throws(UsageError) -> String {
    guard checkpoint.hasSuffix(RecordRun.checkpointEnding) else {
      throw UsageError("no output given", hint: "such as -o drive.gpx")
    }
    return String(checkpoint.dropLast(RecordRun.checkpointEnding.count))
  }

  private static func source(_ options: RecordOptions) throws(UsageError) -> LiveFixes.Source {
    if let path = options.nmea { return .file(path, format: .nmea) }
    if let path = options.input { return .file(path, format: nil) }
    let address = options.gpsd ?? ""
    // An IPv6 address has colons of its own and stands in brackets where a port follows.
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
      throw UsageError("\(text) is no port", hint: "such as --gpsd localhost:2947")
    }
    return port
  }
}
