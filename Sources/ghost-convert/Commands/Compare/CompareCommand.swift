import CommandLineParsing
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct CompareOptions: LibraryInputOptions {
    var inputs: [String] = []
    var library: String?
    var settings = ComparisonSettings()
    /// Of the app's engine only; nil keeps the default of ``settings``. Metres per second.
    var idleSpeed: Double?
    /// Metres.
    var radius: Double?
    /// Degrees.
    var angle: Double?
    /// Points.
    var stride: Int?
    var engine = DriveComparison.Engine.matched
    var listsModes = false
    var json = false
    var quiet = false
    var utc = false
    var units = UnitSystem.metric
    var labels: [String] = []
    var tracks: [Int] = []
    var segment: String?
    var from: TrackFormat?
    var columns: CSVColumns?
    var strict = false
    var outputs: [String] = []
    var to: ComparisonOutput?
    var force = false
    var export = ExportOptions()
    var colors: [ExportColor] = []
    var rules = ImportOptions()
  }

  static let compareCommand: Command = Command(
    "compare", summary: "Say which of two drives was faster, and where",
    discussion: """
      Two recordings of one trip never line up: they start at different times, wait at other lights and take \
      other turns. Their places are matched with each other, so that times are compared at the same place; \
      where the drives took different roads is found, and counted apart. A gap is positive where the second drive \
      is behind the first. More than two drives are each compared with the first.

      Inputs are recordings of any format that import takes, and drive documents. Each gives one drive: of several \
      tracks in a file the longest, or the one that --track says. A drive document has no time per point; its \
      duration is spread evenly over its points, and the result says so.

      A mode is the moment that the drives share: start-location, end-location, first-divergence, \
      last-divergence, first-convergence or last-convergence. Where a mode finds no such place, the drives are \
      aligned at the start, and the result says so.

      The engine app does as the app Ghost Car does: it steps through both drives point by point, which follows \
      the road while they have the same pace. Recordings become drives first, as in an import.
      """,
    defaults: CompareOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 2, "Drives to compare, the measure first; - is standard input.",
        completion: .files),
      .option(
        "--mode", \.settings.mode, value: "MODE", default: "start-location",
        "The moment that the drives share.",
        completion: .values(ComparisonMode.allCases.map(\.name)), parse: { try ComparisonMode.named($0) }),
      .flag("--list-modes", \.listsModes, "Print the modes that these drives have, one a line."),
      .flag(
        "--trim-start", \.settings.trimStartIdle, sets: true,
        "Leave out standing before the first motion; this is the default."),
      .flag(
        "--no-trim-start", \.settings.trimStartIdle, sets: false, "Count standing before the first motion."),
      .flag("--trim-end", \.settings.trimEndIdle, "Leave out standing behind the last motion."),
      .option(
        "--engine", \.engine, value: "ENGINE", default: "matched",
        "How the same place is found: matched compares by place, app as the app does.",
        completion: .values(DriveComparison.Engine.allCases.map(\.rawValue)), parse: { try engine($0) }),
      .repeated(
        "--label", \.labels, value: "NAME",
        "What to call a drive instead of its file's name, in the order of the files."),
      .repeated(
        "--track", \.tracks, value: "NUMBER",
        "Which track of a file to take, from 1: one for all files, or one for each in their order."),
      .option(
        "--segment", \.segment, value: "NAME",
        "Compare the fastest passage of this segment of the library in each drive."),
      .flag("--json", \.json, "Print one JSON object for scripts."),
      .quiet(\.quiet), .utc(\.utc), .units(\.units),
      .from(\.from),
      .columns(\.columns),
      .libraryOfInputs,
      .flag("--strict", \.strict, "Make every warning about the input an error."),
    ],
    sections: [
      ParameterSection(
        "Showing it",
        [
          .repeated(
            "--output", short: "-o", \.outputs, value: "FILE",
            "Show the comparison in a file; its ending says how: \(endings). An SVG is the gap, or the "
              + "map where the name speaks of one, as map.svg.", completion: .files),
          .force(\.force),
          .option(
            "--to", \.to, value: "FORMAT",
            "Show it in this format, whatever the output is called; -o - is standard output.",
            completion: .values(ComparisonOutput.all.map(\.name)), parse: { .some(try output($0)) }),
          .option(
            "--colors", \.colors, value: "LIST", default: "okabe-ito",
            "The colours of the drives, such as 0072b2,d55e00, or a palette: \(palettes).",
            completion: .values(ExportColor.palettes.map(\.key)), parse: { try colors($0) }),
          .flag("--tour", \.export.tour, "KML and KMZ: add a flight that follows whoever is ahead."),
          .flag(
            "--full", \.export.full,
            "KML, KMZ and GeoJSON: keep every point of long drives; they are thinned else."),
          .option(
            "--basemap", \.export.basemap, value: "URL",
            "HTML and maps: raster tiles under them, such as https://server/{z}/{x}/{y}.png; fetched by who looks.",
            parse: { try basemap($0) }),
        ]),
      ParameterSection(
        "The engine app",
        [
          .option(
            "--idle-speed", \.idleSpeed, value: "SPEED", default: "5mph",
            "Count slower steps at the ends as standing.", parse: { .some(try Text.speed($0)) }),
          .option(
            "--radius", \.radius, value: "METRES", default: "30m",
            "Drives within this distance are together; beyond it they may diverge, and converge after twice it.",
            parse: { .some(try Text.positiveMetres($0)) }),
          .option(
            "--angle", \.angle, value: "DEGREES", default: "30",
            "Headings that differ by more diverge.", parse: { .some(try Text.angle($0)) }),
          .option(
            "--stride", \.stride, value: "N", default: "5", "Sample every Nth point of both drives.",
            parse: { .some(try stride($0)) }),
        ]),
      ParameterSection(
        "Recordings",
        [
          .duration(\.rules.duration),
          .speed(\.rules.speed),
          .maximumAccuracy(\.rules.maximumAccuracy, default: "15"),
        ]),
    ],
    examples: [
      Example("ghost-convert compare tuesday.gpx thursday.fit", "says who was faster, and where"),
      Example(
        "ghost-convert compare tuesday.gpx thursday.gpx -o race.kmz -o race.html",
        "shows it in Google Earth and in a browser"),
      Example("ghost-convert compare a.gpx b.gpx c.gpx --json", "one JSON object for scripts"),
      Example("ghost-convert compare a.gpx b.gpx --list-modes", "says where the two can be aligned"),
      Example(
        "ghost-convert compare a.gpx b.gpx --mode last-convergence --trim-end",
        "compares from where they last meet on"),
      Example(
        "ghost-convert compare today.gpx 5C2A3E --library drives.gpkg", "compares with a drive of a library"),
      Example(
        "ghost-convert compare week.gpx week.gpx --track 1 --track 2", "compares two tracks of one file"),
      Example(
        "ghost-convert compare --segment climb a.gpx b.gpx", "compares two drives on a segment of the library"
      ),
    ]
  ) { (options: CompareOptions) throws(UsageError) -> Int32 in
    Console.isQuiet = options.quiet
    LocalTime.isUTC = options.utc
    var options = options
    options.inputs = try LibraryInputs.resolved(options.inputs, library: options.library)
    try options.rules.checkPace()
    options = try options.applyingEngineOptions()
    if options.inputs.filter({ $0 == "-" }).count > 1 {
      throw UsageError("standard input is named twice", hint: "it holds one drive")
    }
    if options.labels.count > options.inputs.count {
      throw UsageError("more labels than files")
    }
    if Set(options.labels).count < options.labels.count {
      throw UsageError("two drives have the same label", hint: "the winner could not be told from the other")
    }
    if options.tracks.count > 1, options.tracks.count != options.inputs.count {
      throw UsageError(
        "\(options.tracks.count) tracks for \(options.inputs.count) files",
        hint: "give --track once for all files, or once for each")
    }
    if let track = options.tracks.first(where: { $0 < 1 }) {
      throw UsageError("there is no track \(track)", hint: "tracks are counted from 1")
    }
    if options.segment != nil, options.engine == .app {
      throw UsageError("--segment applies to the engine matched")
    }
    if options.listsModes, let output = options.outputs.first {
      throw UsageError("--list-modes writes no \(output)")
    }
    try checkOutputs(options.outputs, to: options.to)
    try options.checkExport()
    let protection = InputProtection(options.inputs, isOff: options.force)
    if let status = protection.status(of: options.outputs) { return status }
    return UnitSystem.$current.withValue(options.units) { CompareRun(options).run() }
  }

  static let endings = ComparisonOutput.all.map(\.fileExtension)
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
  private static let palettes = ExportColor.palettes.map(\.key).joined(separator: ", ")

  /// - Parameter to: the format that the user named.
  /// - Throws: if an output has an unknown extension or is repeated.
  static func checkOutputs(_ outputs: [String], to: ComparisonOutput? = nil) throws(UsageError) {
    for (index, output) in outputs.enumerated() {
      do throws(TrackError) {
        if to == nil { _ = try ComparisonOutput.forFile(output) }
      } catch {
        throw UsageError(
          "\(output): \(error.message)",
          hint: output == "-" ? "name the format with --to, such as --to kml" : error.suggestion?.advice)
      }
      if outputs[..<index].contains(where: { $0 == output || ByteSink.areSame($0, output) }) {
        throw UsageError("\(output) is named twice")
      }
    }
  }

  private static func colors(_ text: String) throws(InvalidValue) -> [ExportColor] {
    do throws(TrackError) { return try ExportColor.colors(text) } catch {
      throw InvalidValue("expected colours such as 0072b2,d55e00 or one of \(palettes)")
    }
  }

  private static func basemap(_ text: String) throws(InvalidValue) -> Basemap? {
    do throws(TrackError) { return try Basemap(template: text) } catch {
      throw InvalidValue("expected an address with {z}, {x} and {y}")
    }
  }

  private static func output(_ text: String) throws(InvalidValue) -> ComparisonOutput {
    guard let output = ComparisonOutput.all.first(where: { $0.name == text.lowercased() }) else {
      throw InvalidValue("expected one of " + ComparisonOutput.all.map(\.name).joined(separator: ", "))
    }
    return output
  }

  private static func stride(_ text: String) throws(InvalidValue) -> Int {
    guard let points = Int(text), points >= 1 else {
      throw InvalidValue("expected a number of points from 1")
    }
    return points
  }

  private static func engine(_ text: String) throws(InvalidValue) -> DriveComparison.Engine {
    guard let engine = DriveComparison.Engine(rawValue: text) else {
      throw InvalidValue("expected matched or app")
    }
    return engine
  }
}

extension GhostConvert.CompareOptions {
  /// The kind of an output.
  func kind(of path: String) throws(TrackError) -> ComparisonOutput {
    if let to { return to }
    return try ComparisonOutput.forFile(path)
  }

  /// - Throws: for an option about the look of outputs that applies to none of them.
  fileprivate func checkExport() throws(UsageError) {
    let kinds = outputs.compactMap { try? kind(of: $0) }
    if to != nil, outputs.isEmpty {
      throw UsageError("--to needs an output", hint: "name it with -o, or -o -")
    }
    let needs: [(option: String, isGiven: Bool, kinds: [ComparisonOutput])] = [
      ("--tour", export.tour, [.kml, .kmz]), ("--full", export.full, [.kml, .kmz, .geojson]),
      ("--basemap", export.basemap != nil, [.html, .mapImage]),
      ("--colors", !colors.isEmpty, ComparisonOutput.all.filter { $0 != .csv }),
    ]
    for need in needs where need.isGiven && !kinds.contains(where: need.kinds.contains) {
      let names = need.kinds.map(\.name).joined(separator: ", ")
      throw UsageError(
        "\(need.option) applies to none of the outputs", hint: "it is for \(names); add one with -o")
    }
    if outputs.contains("-"), json { throw UsageError("standard output can take --json or -o -, not both") }
  }

  /// The options with those of the app's engine in their settings.
  ///
  /// - Throws: where the other engine is to compare, which has none of them.
  fileprivate func applyingEngineOptions() throws(UsageError) -> Self {
    let given = [
      ("--idle-speed", idleSpeed != nil), ("--radius", radius != nil), ("--angle", angle != nil),
      ("--stride", stride != nil),
    ].first { $0.1 }
    if let given, engine != .app {
      throw UsageError("\(given.0) applies to the engine app", hint: "add --engine app")
    }
    var options = self
    if let idleSpeed { options.settings.idleSpeedThreshold = idleSpeed * 3600 / Drive.metresPerMile }
    if let radius { options.settings.convergenceRadius = radius }
    if let angle { options.settings.divergenceAngle = angle }
    if let stride { options.settings.samplingStride = stride }
    return options
  }
}
