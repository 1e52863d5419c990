import CommandLineParsing
import GhostExport
import GhostModel
import LiveReceivers
import TrackFormats
import TrackModel

extension GhostConvert {
  struct RecordOptions: Sendable {
    var gpsd: String?
    var nmea: String?
    var input: String?
    var recover: String?
    var baud: Int?
    var output: String? { didSet { if oldValue != nil { namesSeveralOutputs = true } } }
    var namesSeveralOutputs = false
    var library: String?
    var force = false
    var name: String?
    var appExact = false
    var json = false
    var quiet = false
    var units = UnitSystem.metric
    var settings = RecorderSettings()
    var duration: Double?
    var clock: ReceiverClock.Source?
  }

  static let recordCommand: Command = Command(
    "record", summary: "Record a drive from a GPS receiver",
    discussion: """
      The duration is that of the clock: it begins when recording begins, not with the first fix, and goes on at a red \
      light, where no fix passes the distance filter. \
      Ctrl-C stops and saves. While it records, a checkpoint stands beside the output and is renewed every ten \
      coordinates; after a crash, --recover makes a drive of it and removes it.

      A file name that ends in .drive.json becomes a drive of the app; every other format that convert writes \
      keeps the times of the fixes, from the start to the moment of the stop. A library keeps both.

      How accurate a fix is: what gpsd says (eph, a figure that holds 95 % of the time, scaled to the 68 % that \
      phones mean by it: times 0.617), of NMEA the standard deviations of its GST sentences or, where the receiver \
      sends none, an estimate, 5 m times the HDOP. A negative accuracy says that the fix is invalid.
      """,
    defaults: RecordOptions(),
    parameters: [
      .option(
        "--gpsd", \.gpsd, value: "HOST[:PORT]",
        "Record what gpsd reports; it is connected to again when it goes away. The port is 2947 unless given."
      ),
      .option(
        "--nmea", \.nmea, value: "FILE",
        "Record NMEA sentences from a serial device, a file or, with -, standard input. A serial device that is "
          + "unplugged is waited for.", completion: .files),
      .option(
        "--input", \.input, value: "FILE",
        "The same for any format that can be read as it comes, such as what gpspipe -w writes.",
        completion: .files),
      .option(
        "--baud", \.baud, value: "RATE", default: "as the device is set",
        "The speed of a serial device, such as 9600.",
        completion: .values(SerialDevice.baudRates.map(String.init)),
        parse: { try baud($0) }),
      .option(
        "--recover", \.recover, value: "CHECKPOINT", "Make the drive of a recording that was cut off.",
        completion: .files),
      .option(
        "--output", short: "-o", \.output, value: "FILE", "Where to write the drive.", completion: .files),
      .option(
        "--library", \.library, value: "FILE",
        "Add the drive to this library (GeoPackage), which is made where there is none; also beside -o.",
        completion: .files, parse: { try LibraryPath.argument($0) }),
      .flag("--force", \.force, "Replace an output that is there already."),
      .option("--name", \.name, value: "NAME", "Call the drive so."),
      .flag(
        "--app-exact", \.appExact,
        "For a .drive.json: keep the coordinates that the app would store, evenly spaced in distance, although "
          + "its even spreading over time is then wrong at every stop."),
      .option(
        "--stop-after", \.duration, value: "DURATION",
        "Stop after so much time, such as 30m: by the clock that the recording goes by (--clock).",
        parse: { try Text.positiveSeconds($0) }),
      .flag("--json", \.json, "Print one JSON object about the drive at the end, for scripts."),
      .quiet(\.quiet), .units(\.units),
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
            "Refuse fixes that are less accurate; none refuses none.", completion: .values(["none"]),
            parse: { try RecordingAccuracy.metres($0) ?? .infinity }),
          .option(
            "--max-age", \.settings.maximumAge, value: "DURATION", default: "5s",
            "Refuse fixes that are older when they arrive.", parse: { try Text.seconds($0) }),
          .option(
            "--clock", \.clock, value: "KIND",
            default: "fixes for a regular file and for a log that comes through a pipe, otherwise system",
            "system: time goes on by itself; fixes: only the times of the fixes count, for a log that is "
              + "played faster than it was recorded.", completion: .values(["system", "fixes"]),
            parse: { .some(try clock($0)) }),
        ])
    ],
    examples: [
      Example("ghost-convert record --gpsd localhost -o drive.gpx", "until Ctrl-C"),
      Example("gpspipe -r | ghost-convert record --nmea - -o drive.drive.json", "a drive of the app"),
      Example("gpspipe -r | ghost-convert record --nmea - --library drives.gpkg", "into a library"),
      Example(
        "ghost-convert record --nmea /dev/ttyUSB0 --baud 9600 -o drive.gpx", "straight from a receiver"),
      Example("ghost-convert record --recover drive.gpx.checkpoint", "after a crash, writes drive.gpx"),
    ]
  ) { (options: RecordOptions) throws(UsageError) -> Int32 in
    Console.isQuiet = options.quiet
    guard !options.namesSeveralOutputs else {
      throw UsageError(
        "--output is given twice", hint: "a recording has one output; convert makes others of it")
    }
    let destination =
      if let checkpoint = options.recover, options.output == nil, options.library == nil {
        try RecordDestination(
          ofCheckpoint: checkpoint, replaces: options.force, appExact: options.appExact)
      } else {
        try RecordDestination(
          output: options.output, library: options.library, replaces: options.force,
          appExact: options.appExact)
      }
    let sources = [options.gpsd, options.nmea, options.input].compactMap(\.self)
    if let checkpoint = options.recover {
      guard sources.isEmpty else {
        throw UsageError("--recover takes no receiver", hint: "record again afterwards, into another file")
      }
      return UnitSystem.$current.withValue(options.units) {
        RecordRecovery.recover(checkpoint, to: destination, options)
      }
    }
    guard sources.count == 1 else {
      throw UsageError(
        sources.isEmpty ? "no receiver given" : "more than one receiver given",
        hint: "give one of --gpsd localhost, --nmea /dev/ttyUSB0 or --input FILE")
    }
    guard options.baud == nil || options.gpsd == nil else {
      throw UsageError("--baud is for a serial device", hint: "gpsd finds the speed by itself")
    }
    var run = RecordRun(options, to: destination, source: try source(options))
    return UnitSystem.$current.withValue(options.units) { run.run() }
  }

  private static func baud(_ text: String) throws(InvalidValue) -> Int? {
    if let baud = Int(text), SerialDevice.baudRates.contains(baud) { return baud }
    throw InvalidValue("expected one of " + SerialDevice.baudRates.map(String.init).joined(separator: ", "))
  }

  private static func clock(_ text: String) throws(InvalidValue) -> ReceiverClock.Source {
    switch text {
    case "system": return .system
    case "fixes": return .fixes
    default: throw InvalidValue("expected system or fixes")
    }
  }

  private static func source(_ options: RecordOptions) throws(UsageError) -> LiveFixes.Source {
    if let path = options.nmea { return .file(path, format: .nmea, baud: options.baud) }
    if let path = options.input { return .file(path, format: nil, baud: options.baud) }
    let address = options.gpsd ?? ""
    guard !address.isEmpty else { throw UsageError("no host given", hint: "such as --gpsd localhost") }
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
