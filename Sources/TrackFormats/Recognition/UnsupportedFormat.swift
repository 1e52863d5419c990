package import TrackModel

/// A track format that cannot be read, recognized so that errors can name it.
package struct UnsupportedFormat {
  /// The format with its article: `a Polar HRM file`.
  let name: String
  private var suggestion = Suggestion.text("convert it to GPX with another program")
  private var isLibrary = false
  /// Whether only the name of the file shows its format.
  private var isByName = false

  /// Recognizes a file by its signature, its structure or the extension of its name.
  ///
  /// - Returns: nil if nothing indicates a track, and for formats that can be read.
  package init?(_ opening: FileOpening) {
    let content = UnsupportedFormat(content: opening)?.name
    let name = content ?? opening.name.flatMap(UnsupportedFormat.nameAlone)
    isByName = content == nil && name != nil
    if let program = UnsupportedFormat.exporters.first(where: { name?.hasPrefix($0.format) == true }) {
      suggestion = .text(program.advice)
    }
    if opening.isLibrary {
      self.name = "a library of drives"
      isLibrary = true
      suggestion = .nameOrExportDrives
    } else if let name {
      self.name = name
      if name == UnsupportedFormat.checkpoint, let file = opening.name {
        suggestion = .restoreRecording(checkpoint: file)
      }
    } else if let table = HeadlessTable(opening) {
      self.name = "a table of positions without a heading"
      if let columns = table.columns { suggestion = .nameColumns(example: columns) }
    } else {
      return nil
    }
  }

  /// Recognizes an archive by its name, or by the names of its entries: `session.json` and
  /// `channel_1_100_0_1_1` of RaceChrono.
  package init?(archive path: String, entries: [String]) {
    let names = entries.lazy.map { FileName.last($0) }
    let isSession = names.contains("session.json") && names.contains { $0.hasPrefix("channel_") }
    guard let exporter = UnsupportedFormat.exporters.first(where: { $0.format == "a RaceChrono session" }),
      isSession || UnsupportedFormat.name(ofFile: path) == exporter.format
    else { return nil }
    name = exporter.format
    suggestion = .text(exporter.advice)
  }

  /// Recognizes a file by its content alone.
  init?(content opening: FileOpening) {
    guard
      let name = UnsupportedFormat.signature(opening) ?? UnsupportedFormat.binaryLog(opening)
        ?? UnsupportedFormat.structure(opening)
    else { return nil }
    self.name = name
  }

  /// The error for a file in this format.
  package var error: TrackError {
    TrackError(
      .unsupported,
      "is \(isByName ? "by its name " : "")\(name)" + (isLibrary ? "" : ", which cannot be read"),
      suggestion: suggestion)
  }

  /// Returns the format for a file name's extension, or nil.
  package static func name(ofFile path: String) -> String? {
    FileName.fileExtension(path).flatMap { extensions[$0.lowercased()] }
  }

  /// Returns the format for a file name's extension, unless all files of the format have a signature or a
  /// structure that would have shown it.
  private static func nameAlone(_ path: String) -> String? {
    guard let name = name(ofFile: path) else { return nil }
    let hasVariants = FileName.fileExtension(path).map { variants.contains($0.lowercased()) } ?? false
    return hasVariants || !namesWithContent.contains(name) ? name : nil
  }

  /// The extensions of files that have another content than the usual one of their format.
  private static let variants: Set<String> = ["xrz", "drk", "ldx", "alf"]
  private static let namesWithContent = Set(signatures.map(\.name)).union(roots.values).union(openings.values)
    .union(["a MoTeC log", "an SRM power meter file", "a MAVLink log"])

  /// The formats whose own program exports one that can be read.
  private static let exporters = [
    (format: "an AiM data log", advice: "export it as CSV from RaceStudio 3"),
    (format: "a MoTeC log", advice: "export it as CSV from MoTeC i2"),
    (format: "an Alfano log", advice: "export it as CSV from the Alfano app"),
    (format: "a RaceChrono session", advice: "export it as CSV v3 from RaceChrono"),
    (format: "a Garmin MapSource file", advice: "export it as GPX from Garmin BaseCamp"),
    (format: "a Bryton activity", advice: "export it as FIT or GPX from the Bryton app"),
    (format: "a RunGap activity", advice: "export it as FIT, TCX or GPX from RunGap"),
    (format: "drone subtitles", advice: "convert them to GPX with another program"),
  ]

  // MARK: Signatures

  private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
    (0, Array("<hCNF".utf8), "an AiM data log"), (0, Array("MsRc".utf8), "a Garmin MapSource file"),
    (0, Array("WKO".utf8) + [0x1A], "a TrainingPeaks WKO workout"),
    (2, Array("TrackMaker".utf8), "a GPS TrackMaker file"), (0, Array("ULog".utf8), "a PX4 flight log"),
    (0, [0xA3, 0x95], "an ArduPilot flight log"), (0, [0xB5, 0x62], "a u-blox UBX log"),
    (0, Array("$@".utf8), "a Septentrio SBF log"), (0, Array("MDF     ".utf8), "an ASAM MDF measurement"),
    (0, Array("DOMGVGPS".utf8), "a Geogrid-Viewer log"), (8, Array("CObj".utf8), "a Memory-Map overlay"),
    (0, Array("Rar!".utf8) + [0x1A, 7], "a RAR archive"), (68, Array("GPKG".utf8), "a GeoPackage"),
    (68, Array("GP10".utf8), "a GeoPackage"), (0, FileOpening.databaseMark, "an SQLite database"),
  ]

  private static func signature(_ opening: FileOpening) -> String? {
    let bytes = opening.bytes
    if let known = signatures.first(where: { bytes.dropFirst($0.offset).starts(with: $0.bytes) }) {
      return known.name
    }
    // The marker resembles UTF-32, so that the zeros are only in the original bytes.
    if opening.start.starts(with: [0x40, 0, 0, 0, 0, 0, 0, 0]) { return "a MoTeC log" }
    if bytes.starts(with: Array("SRM".utf8)), bytes.count > 3, (0x35...0x39).contains(bytes[3]) {
      return "an SRM power meter file"
    }
    return nil
  }

  // MARK: Structure

  private static let roots = [
    "loc": "a LOC waypoint file", "openambitlog": "a Suunto Ambit log",
    "pwx": "a TrainingPeaks PWX workout", "lmx": "a Nokia landmark file",
    "FitnessWorkbook": "a SportTracks logbook", "polar-exercise-data": "a Polar exercise file",
    "flight-plan": "a Garmin flight plan", "FeatureCollection": "a GML file",
    "osm": "OpenStreetMap data", "osmChange": "OpenStreetMap data", "History": "a Garmin Logbook file",
    "hiketech": "a HikeTech file", "RANDONNEE": "an IGN Rando file", "overlays": "a Swiss Map overlay",
  ]

  private static let openings = [
    "OziExplorer Route File": "an OziExplorer route (RTE)", "[Params]": "a Polar HRM file",
    "H  SOFTWARE NAME & VERSION": "a PCX5 track log", "G  WGS 84": "a CompeGPS track log",
    "Grid\t": "a MapSource text export",
  ]

  private static func structure(_ opening: FileOpening) -> String? {
    if let root = opening.rootElement, let name = roots[root] { return name }
    guard !opening.bytes.contains(where: { $0 < 0x09 }) else { return nil }
    let text = String(decoding: opening.bytes.drop { $0 <= 0x20 }, as: UTF8.self)
    if let known = openings.first(where: { text.hasPrefix($0.key) }) { return known.value }
    if text.hasPrefix("{") || text.hasPrefix("[") && !text.hasPrefix("[h") {
      return json(text, opening.bytes)
    }
    if isWellKnownText(text) { return "well-known text (WKT)" }
    if isSubtitleWithPositions(text) { return "drone subtitles (SRT)" }
    let lines = opening.bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    if lines.count(where: isSentence) > 1 { return "a log of sentences of an unknown receiver" }
    return nil
  }

  /// Returns whether a line looks like a sentence of NMEA 0183: `$` or `!`, and a checksum.
  private static func isSentence(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "!"), line.count > 8
    else { return false }
    return line.suffix(4).contains(UInt8(ascii: "*"))
  }

  /// Returns whether a text begins with points or lines in well-known text (OGC 06-103r4, 7).
  private static func isWellKnownText(_ text: String) -> Bool {
    var start = text.prefix(80).uppercased()[...]
    if start.hasPrefix("SRID="), let end = start.firstIndex(of: ";") { start = start[end...].dropFirst() }
    guard let parenthesis = start.firstIndex(of: "(") else { return false }
    let type = start[..<parenthesis].filter { $0 != " " }
    let isGeometry = ["POINT", "MULTIPOINT", "LINESTRING", "MULTILINESTRING"].contains { name in
      type.hasPrefix(name) && ["", "Z", "M", "ZM"].contains(type.dropFirst(name.count))
    }
    let value = start[parenthesis...].first { $0 != "(" && $0 != " " }
    return isGeometry && value.map { $0.isNumber || "+-.".contains($0) } == true
  }

  private static let checkpoint = "the checkpoint of a recording"

  private static func json(_ text: String, _ bytes: [UInt8]) -> String? {
    if text.contains("\"checkpoint\"") && text.contains("\"stretches\"") { return checkpoint }
    if text.contains("\"laps\"") && text.contains("\"points\"") && text.contains("\"formatVersion\"") {
      return "a RunGap activity"
    }
    if text.contains("\"RIDE\"") && text.contains("\"STARTTIME\"") { return "a GoldenCheetah ride" }
    let positions = JSONPositionSearch(bytes)
    if positions.isStreams { return "a set of Strava streams" }
    return positions.hasTrack ? "JSON with positions in an unknown layout" : nil
  }

  // MARK: Names

  private static let extensions = [
    "xrk": "an AiM data log", "xrz": "an AiM data log", "drk": "an AiM data log", "ld": "a MoTeC log",
    "ldx": "a MoTeC log", "alf": "an Alfano log", "rcz": "a RaceChrono session", "trk": "a track log (TRK)",
    "plt": "a track (PLT)", "wpt": "a waypoint file (WPT)", "rte": "a route (RTE)", "ovl": "a Top50 overlay",
    "trc": "a track log (TRC)", "slf": "a Sigma activity", "smf": "a Sigma activity", "bcr": "a BCR route",
    "an1": "a DeLorme file", "gpl": "a DeLorme track log", "fpl": "a Garmin flight plan",
    "loc": "a LOC waypoint file", "ov2": "a TomTom POI file", "itn": "a TomTom itinerary",
    "ttbin": "a TomTom activity", "pvt": "a position log (PVT)", "sdf": "a position log (SDF)",
    "hrm": "a Polar HRM file", "sml": "a Suunto SML log", "pwx": "a TrainingPeaks PWX workout",
    "srm": "an SRM power meter file", "wko": "a TrainingPeaks WKO workout",
    "gdb": "a Garmin MapSource file", "mps": "a Garmin MapSource file", "gtm": "a GPS TrackMaker file",
    "sbp": "a Locosys log", "sbn": "a Locosys log", "ubx": "a u-blox UBX log", "shp": "a shapefile",
    "tlog": "a MAVLink log",
    "ulg": "a PX4 flight log", "sl2": "a Lowrance log", "slg": "a Lowrance log", "usr": "a Lowrance file",
    "rwf": "a Raymarine waypoint file", "trl": "an Alan track log", "tes": "a Wintec log",
    "tk1": "a Wintec log", "tk2": "a Wintec log", "fitlog": "a SportTracks logbook",
    "hst": "a Garmin history file", "crs": "a Garmin course file", "anr": "a DeLorme route",
    "rar": "a RAR archive", "gpkg": "a GeoPackage", "bdx": "a Bryton activity",
    "hgpx": "a log of positions (HGPX)", "nvmf": "a log of positions (NVMF)",
  ]
}
