import BulkImport
import CommandLineParsing
import GhostExport
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

extension GhostConvert {
  struct CompareOptions: RecordingInputOptions {
    var inputs: [String] = []
    var library: String?
    var settings = ComparisonSettings()
    /// In metres per second, for the app's engine only; nil uses the default of ``settings``.
    var idleSpeed: Double?
    /// In metres.
    var radius: Double?
    /// In degrees.
    var angle: Double?
    /// In points.
    var stride: Int?
    var engine = DriveComparison.Engine.matched
    var listsModes = false
    var json = false
    var display = DisplayOptions()
    var labels: [String] = []
    var tracks: [Int] = []
    var segment: String?
    var privacyZones: [PrivacyStage.Circle] = []
    var outputs: [String] = []
    var to: ComparisonOutput?
    var force = false
    var export = ExportOptions()
    var colors: [ExportColor] = []
    var reading = InputTrack.Options()
  }

  static let compareCommand: Command = Command(
    "compare", summary: "Show which of two drives was faster, and where",
    discussion: """
      Recordings of the same trip start at different times, wait at different traffic lights and take \
      different turns. This command matches positions along the road, so that times are compared at the same \
      place, and reports detours separately. A gap is positive if the second drive is behind the first. With \
      more than two drives, each is compared with the first.

      Inputs are recordings in any format, and drive documents. If a file has several tracks, the longest is \
      used, or the one selected with --track. A drive document has no times per point, so its duration \
      is spread evenly over its points; the result reports this.

      --mode selects the alignment point: start-location, end-location, first-divergence, last-divergence, \
      first-convergence or last-convergence. If there is no such point, the drives are aligned at the \
      start, and the result reports this.

      --engine app compares like the Ghost Car app, which steps through both drives point by point. The \
      positions correspond only as long as both drives have the same pace. Recordings are imported as drives first.
      """,
    defaults: CompareOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 2, "Drives to compare, the reference first; - is standard input.",
        completion: .files),
      .quiet, .utc, .units,
    ],
    sections: [
      ParameterSection(
        "Input",
        [
          .repeated(
            "--track", \.tracks, value: "NUMBER",
            "Use this track of a file, counted from 1. Give it once for all files, or once per file."),
          .repeated(
            "--label", \.labels, value: "NAME",
            "Set the name of a drive, in the order of the files (default: the file name)."),
        ]),
      .formattedRecordings,
      ParameterSection(
        "Comparison",
        [
          .option(
            "--mode", \.settings.mode, value: "MODE", "Align the drives at this point."),
          .flag("--list-modes", \.listsModes, "Print the modes that these drives support, one per line."),
          .flag(
            "--trim-start", \.settings.trimStartIdle, sets: true,
            "Ignore the time before the first motion (default)."),
          .flag(
            "--no-trim-start", \.settings.trimStartIdle, sets: false,
            "Include the time before the first motion."),
          .flag("--trim-end", \.settings.trimEndIdle, "Ignore the time after the last motion."),
          .option(
            "--segment", \.segment, value: "NAME",
            "Compare each drive's fastest passage of this segment of the library."),
          .privacy(
            \.privacyZones,
            "Hide a place, such as home: compare only the points that are not within the radius of it."),
          .option(
            "--engine", \.engine, value: "ENGINE",
            "Select the engine. matched: compare by position. app: compare like the app."),
        ]),
      ParameterSection(
        "Options of --engine app",
        [
          .option(
            "--idle-speed", \.idleSpeed, value: "SPEED", default: "5mph",
            "Treat slower steps at the ends as idle.", parse: QuantityArgument.speed),
          .option(
            "--radius", \.radius, value: "METRES", default: "30m",
            "Set the distance within which drives are together. "
              + "A convergence requires that they were more than twice this distance apart.",
            parse: QuantityArgument.positiveMetres),
          .option(
            "--angle", \.angle, value: "DEGREES", default: "30",
            "Set the difference in bearing at which drives diverge.", parse: QuantityArgument.angle),
          .option(
            "--stride", \.stride, value: "N", default: "5", "Use every Nth point of both drives.",
            parse: { try QuantityArgument.number($0, expected: "a number of points from 1") }),
        ]),
      ParameterSection(
        "Output",
        [
          .repeated(
            "--output", short: "-o", \.outputs, value: "FILE",
            "Write the comparison to FILE. The extension selects the format: \(endings). "
              + "An SVG shows the gap, or the map if its name contains map.", completion: .files),
          .option(
            "--to", \.to, value: "FORMAT",
            "Write FORMAT, regardless of the output's extension: one of those above, or gap or map instead of svg. "
              + "-o - is standard output.",
            completion: .values(ComparisonOutput.all.map(\.name)), parse: output),
          .flag("--json", \.json, "Print one JSON object."),
          .option(
            "--colors", \.colors, value: "LIST", default: "okabe-ito",
            "Set the colours of the drives, for example 0072b2,d55e00, or a palette: \(palettes).",
            completion: .values(ExportColor.palettes.map(\.key)), parse: colors),
          .flag("--tour", \.export.tour, "KML, KMZ: add a tour that follows the leading drive."),
          .flag(
            "--full", \.export.full,
            "KML, KMZ, GeoJSON: keep every point of long drives instead of simplifying them."),
          .option(
            "--basemap", \.export.basemap, value: "URL",
            "HTML, SVG maps: show raster tiles, for example https://server/{z}/{x}/{y}.png. "
              + "The viewer fetches them.",
            parse: basemap),
          .quoteFormulas(\.export.quotesFormulas, in: "CSV"),
          .force(\.force),
        ]),
    ],
    examples: [
      Example("ghost-convert compare tuesday.gpx thursday.fit", "show who was faster, and where"),
      Example(
        "ghost-convert compare tuesday.gpx thursday.gpx -o race.kmz -o race.html",
        "write files for Google Earth and a browser"),
      Example(
        "ghost-convert compare a.gpx b.gpx --mode last-convergence --trim-end",
        "compare from the last convergence"),
      Example(
        "ghost-convert compare today.gpx 5C2A3E --library drives.gpkg", "compare with a drive of a library"),
      Example(
        "ghost-convert compare week.gpx week.gpx --track 1 --track 2", "compare two tracks of one file"),
      Example("ghost-convert compare --segment climb a.gpx b.gpx", "compare on a segment of the library"),
      Example(
        "ghost-convert compare a.gpx b.gpx --privacy 46.5,7.5,300m -o race.kmz",
        "write a file to share, without the surroundings of home"),
    ]
  ) { (options: CompareOptions) throws(UsageError) -> Int32 in
    var options = options
    if let status = try options.resolveInputs() { return status }
    options = try options.applyingEngineOptions()
    if options.inputs.filter({ $0 == "-" }).count > 1 {
      throw UsageError("standard input is given twice", hint: "standard input contains one drive")
    }
    if options.labels.count > options.inputs.count {
      throw UsageError("more labels than files")
    }
    if options.labels.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw UsageError("a label is empty", hint: "the winner would have no name")
    }
    if Set(options.labels).count < options.labels.count {
      throw UsageError("two drives have the same label", hint: "the winner would be ambiguous")
    }
    if options.tracks.count > 1, options.tracks.count != options.inputs.count {
      throw UsageError(
        "\(options.tracks.count) tracks for \(options.inputs.count) files",
        hint: "give --track once for all files, or once for each")
    }
    if let track = options.tracks.first(where: { $0 < 1 }) {
      throw UsageError("no track \(track)", hint: "tracks are counted from 1")
    }
    if options.engine == .app {
      for (name, isGiven) in [
        ("--segment", options.segment != nil), ("--privacy", !options.privacyZones.isEmpty),
      ] where isGiven { throw UsageError("\(name) requires --engine matched") }
    }
    if options.listsModes, let output = options.outputs.first {
      throw UsageError("--list-modes writes no \(output)")
    }
    try checkOutputs(
      options.outputs, to: options.to, hint: "select a format, for example with --to kml")
    try options.checkExport()
    let protection = InputProtection(options.inputs, isOff: options.force)
    if let status = protection.status(of: options.outputs) { return status }
    return CompareRun(options: options).run()
  }

  static let endings = ComparisonOutput.all.map(\.fileExtension)
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
  private static let palettes = ExportColor.palettes.map(\.key).joined(separator: ", ")

  /// Validates the names of the outputs.
  ///
  /// - Parameters:
  ///   - to: the format given by the user, if any.
  ///   - quotesFormulas: whether one of the outputs must be a table.
  /// - Throws: if an output has an unknown extension or is repeated, or if there is no table.
  static func checkOutputs(
    _ outputs: [String], to: ComparisonOutput? = nil, quotesFormulas: Bool = false,
    hint: String = "write to a file such as race.html"
  ) throws(UsageError) {
    for (index, output) in outputs.enumerated() {
      do throws(TrackError) {
        if to == nil { _ = try ComparisonOutput.forFile(output) }
      } catch {
        throw UsageError(
          "\(output): \(error.message)",
          hint: output == "-" ? hint : error.suggestion?.advice)
      }
      if outputs[..<index].contains(where: { $0 == output || ByteSink.areSame($0, output) }) {
        throw UsageError("\(output) is given twice")
      }
    }
    if quotesFormulas, !outputs.contains(where: { (try? ComparisonOutput.forFile($0)) == .csv }) {
      throw UsageError(
        "--quote-formulas applies to CSV", hint: "remove it, or add an output with -o FILE.csv")
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
}

extension DriveComparison.Engine: ArgumentValue { package static var argumentChoices: [String] { [] } }

extension GhostConvert.CompareOptions {
  /// Returns the format of an output.
  func kind(of path: String) throws(TrackError) -> ComparisonOutput {
    if let to { return to }
    return try ComparisonOutput.forFile(path)
  }

  /// Checks the options that affect the appearance of outputs.
  ///
  /// - Throws: if an option does not apply to any of the outputs.
  fileprivate func checkExport() throws(UsageError) {
    let kinds = outputs.compactMap { try? kind(of: $0) }
    if to != nil, outputs.isEmpty {
      throw UsageError("--to needs an output", hint: "add -o FILE, or -o - for standard output")
    }
    let needs: [(option: String, isGiven: Bool, kinds: [ComparisonOutput])] = [
      ("--tour", export.tour, [.kml, .kmz]), ("--full", export.full, [.kml, .kmz, .geojson]),
      ("--basemap", export.basemap != nil, [.html, .mapImage]),
      ("--quote-formulas", export.quotesFormulas, [.csv]),
      ("--colors", !colors.isEmpty, ComparisonOutput.all.filter { $0 != .csv }),
    ]
    for need in needs where need.isGiven && !kinds.contains(where: need.kinds.contains) {
      let names = need.kinds.map(\.name).joined(separator: ", ")
      throw UsageError(
        "\(need.option) does not apply to any of the outputs", hint: "add an output with -o: \(names)")
    }
    if outputs.contains("-"), json { throw UsageError("standard output can take --json or -o -, not both") }
  }

  /// Returns the options after applying those of the app's engine to the settings.
  ///
  /// - Throws: if the options are given for another engine.
  fileprivate func applyingEngineOptions() throws(UsageError) -> Self {
    let given = [
      ("--idle-speed", idleSpeed != nil), ("--radius", radius != nil), ("--angle", angle != nil),
      ("--stride", stride != nil),
    ].first { $0.1 }
    if let given, engine != .app {
      throw UsageError("\(given.0) requires --engine app", hint: "add --engine app")
    }
    var options = self
    if let idleSpeed { options.settings.idleSpeedThreshold = idleSpeed * 3600 / Geodesy.metresPerMile }
    if let radius { options.settings.convergenceRadius = radius }
    if let angle { options.settings.divergenceAngle = angle }
    if let stride { options.settings.samplingStride = stride }
    return options
  }
}
