import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import TrackArchives

/// The content that formats can store, read from the table in `Fixtures/what-formats-hold.md`.
struct FormatTable {
  /// A row of the table.
  struct Row: Sendable, CustomTestStringConvertible {
    /// The name in the table: the format's name, followed by the kind of file if the format has several.
    let name: String
    let format: TrackFormat
    /// The content that the format cannot store: fields (`track.width`) or all content of a container
    /// (`waypoint`).
    var lost: Set<String>
    /// The conditions a document must meet for nothing else to be lost.
    let needs: [Need]
    var testDescription: String { name }

    /// Whether the format cannot store a field.
    func loses(_ container: String, _ field: String) -> Bool {
      lost.contains(container) || lost.contains("\(container).\(field)")
    }

    /// Returns a writer for the row's kind of file.
    func writer(_ sink: consuming ByteSink) throws(TrackError) -> any TrackWriter & ~Copyable {
      if name == "fit activities" { return FITWriter(sink, kind: .activity) }
      return try format.writer(sink)
    }

    /// Returns a reader for the output of the format's writer.
    func reader(_ bytes: [UInt8]) throws(TrackError) -> any TrackReader & ~Copyable {
      var input = ByteInput(bytes: bytes)
      return try (format.canRead ? format : FormatRegistry.withArchives.detect(&input)).reader(input)
    }
  }

  /// A condition of a format on documents, with its wording in the table.
  enum Need: String, CaseIterable, Sendable {
    case pointsInSegments = "points in every segment"
    case segmentsInTracks = "segments in every track"
    case pointsInRoutes = "points in every route"
    case trackTimes = "a time for every point of a track"
    case twoPoints = "two points in every segment"
    case times = "a time for every point"
    case timesOrNone = "times for all points of a segment or for none"
    case fiveDecimals = "five decimals"
    case sixDecimals = "six decimals"
    case withinAntimeridian = "no line over the antimeridian"
    case belowAntimeridian = "longitudes below 180"
    case oneSegment = "one segment in every track"
    case oneTrack = "one track"
    case waypointsOnTrack = "waypoints on the track in its order"
    case courseTypes = "Course as the type of every track"
    case trackNames = "a name of every track"
    case activityTypes = "kinds of activity that FIT knows"
    case waypointTypes = "types of waypoints that FIT knows"
    case fileTime = "a time of the file in whole seconds"
    case distances = "rising distances of all trackpoints"
    case fitSteps = "steps of FIT"
    case vboSteps = "steps of VBO"
    case igcSteps = "steps of IGC"
    case oziExplorerSteps = "steps of OziExplorer"
    case waypoint = "a waypoint"
    case numbersRise = "rising numbers of all tracks"
    case garminColours = "Garmin's sixteen colours"
    case wordOfLetters = "addresses of letters"
    case begins = "a beginning of every track"
    case timeSpans = "a beginning and an end of every track"
    case laps = "a lap for every segment"
    case elapsedTimes = "elapsed times of all laps"
    case oneLine = "creators and sources of one line"
    case something = "a point"
    case timedExtensions = "times in tracks whose segments have extensions"

    /// Whether the condition adds or changes content. Other conditions remove content.
    var isChange: Bool {
      switch self {
      case .fiveDecimals, .sixDecimals, .belowAntimeridian, .numbersRise, .begins, .laps, .oneLine: true
      case .waypointsOnTrack, .courseTypes, .trackNames, .activityTypes, .waypointTypes: true
      case .igcSteps, .oziExplorerSteps, .waypoint: true
      case .fileTime, .distances, .fitSteps, .vboSteps, .timeSpans, .elapsedTimes: true
      default: false
      }
    }
  }

  /// The rows, with a separate one for each format.
  static let rows: [Row] = lines.flatMap { line in
    line.formats.compactMap { name in
      FormatRegistry.withArchives.formats.first { $0.name == formatName(name) }.map {
        Row(
          name: name, format: $0, lost: Set(line.lost.flatMap(expanded)),
          needs: line.needs.compactMap(Need.init))
      }
    }
  }

  /// Returns the format's name in a row's name: `fit` for `fit activities`.
  static func formatName(_ row: String) -> String { String(row.prefix { $0 != " " }) }

  /// The table's cells as written in the file.
  static let lines: [(formats: [String], lost: [String], needs: [String])] = {
    let file = Fixture.packageRoot.appending(path: "Fixtures/what-formats-hold.md")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, cells[1].hasPrefix("`") else { return nil }
      return (list(cells[1]).map { $0.filter { $0 != "`" } }, list(cells[2]), list(cells[3]))
    }
  }()

  private static func list(_ cell: String) -> [String] {
    cell.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  // MARK: Words

  private static let containers = [
    "line": ["track", "route"], "point": ["trackpoint", "routepoint", "waypoint"],
    "any": ["file", "track", "route", "trackpoint", "routepoint", "waypoint", "segment"],
  ]
  private static let fields: [String: Set<String>] = [
    "links": ["link", "link text", "link type", "further links"], "style": ["colour", "opacity", "width"],
    "laps": ["laps", "elapsed times of laps"],
    "words": DocumentField<Waypoint>.words, "sensors": DocumentField<Waypoint>.sensors,
    "accuracies": ["horizontal accuracy", "vertical accuracy"], "directions": ["course", "bearing"],
    "air and water": ["temperature", "water temperature", "depth"],
    "quality": [
      "HDOP", "VDOP", "PDOP", "satellites", "geoid height", "magnetic variation", "differential age",
    ],
  ]

  /// Returns the fields that a word of the table represents. A name without a dot is a container.
  static func expanded(_ word: String) -> [String] {
    guard let dot = word.firstIndex(of: ".") else { return word == "route" ? [word, "routepoint"] : [word] }
    let container = String(word[..<dot])
    let field = String(word[word.index(after: dot)...])
    return (containers[container] ?? [container]).flatMap { container in
      (fields[field] ?? [field]).map { "\(container).\($0)" }
    }
  }

  /// All names that ``expanded(_:)`` may return.
  static let names: Set<String> = {
    var names: Set<String> = ["file", "track", "trackpoint", "route", "waypoint", "segment.extensions"]
    names.formUnion(DocumentField<FileInfo>.all.map { "file.\($0.name)" })
    for container in containers["line"] ?? [] {
      names.formUnion(DocumentField<TrackInfo>.all.map { "\(container).\($0.name)" })
    }
    for container in containers["point"] ?? [] {
      names.formUnion(DocumentField<Waypoint>.all.map { "\(container).\($0.name)" })
    }
    return names
  }()
}
