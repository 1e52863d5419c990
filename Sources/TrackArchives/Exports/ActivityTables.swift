import TrackFormats
import TrackModel

/// The tables of Samsung Health, RunGap and phyphox, which describe other files of their export.
struct ActivityTables: Sendable {
  /// The folder of Samsung's table, and its exercises by identifier.
  private var samsung: (folder: String, exercises: [String: ActivityNotes])?
  /// RunGap's activities by the path of their files up to the first full stop of the name.
  private var runGap: [String: ActivityNotes] = [:]
  /// The paths in ``runGap`` that also have a file in a format of tracks.
  private var recordings: Set<String> = []
  /// The starts of phyphox's measurements by folder.
  private var measurements: [String: ActivityNotes] = [:]

  /// The names of the apps.
  var services: [String] {
    (samsung == nil ? [] : ["Samsung Health"]) + (runGap.isEmpty ? [] : ["RunGap"])
      + (measurements.isEmpty ? [] : ["phyphox"])
  }

  // MARK: Names

  private static let samsungTable = "com.samsung.shealth.exercise."
  private static let runGapTable = ".metadata.json"
  private static let clockTable = "meta/time.csv"

  /// Whether an entry may be one of the tables, according to its name.
  static func isTable(_ name: String) -> Bool {
    name.hasSuffix(runGapTable) || isClock(name) || isSamsung(name)
  }

  private static func isClock(_ name: String) -> Bool {
    name == clockTable || name.hasSuffix("/" + clockTable)
  }

  /// The number of the export follows the name. Tables of parts of exercises have further words.
  private static func isSamsung(_ name: String) -> Bool {
    let base = FileName.last(name)
    return base.hasPrefix(samsungTable) && base.hasSuffix(".csv")
      && base.dropFirst(samsungTable.count).dropLast(4).allSatisfy(\.isNumber)
  }

  /// The path up to the first full stop of the name.
  private static func stem(of name: String) -> String {
    let bytes = name.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
    return String(name[..<(bytes[start...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)])
  }

  // MARK: Reading

  /// Processes the names of all entries, after their tables.
  mutating func finish(_ names: [String]) {
    guard !runGap.isEmpty else { return }
    for name in names where [".fit", ".gpx", ".tcx"].contains(where: name.hasSuffix) {
      let stem = ActivityTables.stem(of: name)
      if runGap[stem] != nil { recordings.insert(stem) }
    }
  }

  /// Processes the content of an entry that may be a table. A damaged table is read up to the damage.
  mutating func add(table name: String, _ bytes: [UInt8]) {
    if name.hasSuffix(ActivityTables.runGapTable) {
      var lexer = JSONLexer(ByteInput(bytes: bytes))
      var notes = ActivityNotes()
      var hasKind = false
      try? ActivityTables.readRunGap(&lexer, &notes, &hasKind)
      if hasKind { runGap[ActivityTables.stem(of: name)] = notes }
    } else if ActivityTables.isClock(name) {
      let folder = String(name.dropLast(ActivityTables.clockTable.count))
      measurements[folder] = ActivityTables.start(bytes)
    } else if let exercises = ActivityTables.exercises(bytes) {
      samsung = (FileName.folder(name), exercises)
    }
  }

  private static func readRunGap(
    _ lexer: inout JSONLexer, _ notes: inout ActivityNotes, _ hasKind: inout Bool
  ) throws(TrackError) {
    guard try lexer.nextText(), case .object = try lexer.kind() else { return }
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch lexer.text {
      case "title", "name": notes.name = try lexer.stringOrNothing().flatMap { $0.isEmpty ? nil : $0 }
      case "description": notes.description = try lexer.stringOrNothing().flatMap { $0.isEmpty ? nil : $0 }
      case "activityType":
        guard case .object = try lexer.kind() else {
          try lexer.skip()
          continue
        }
        try lexer.beginObject()
        hasKind = true
        while try lexer.nextMember() {
          switch lexer.text {
          case "sourceName": notes.type = try lexer.stringOrNothing() ?? notes.type
          case "internalName":
            let name = try lexer.stringOrNothing()
            notes.type = notes.type ?? name
          default: try lexer.skip()
          }
        }
      default: try lexer.skip()
      }
    }
  }

  /// Returns the notes with the first start of a measurement and its pauses, or nil for other tables. Pauses
  /// do not count in the times of a measurement.
  private static func start(_ bytes: [UInt8]) -> ActivityNotes? {
    let separator = bytes.first { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == 0x09 }
    guard let separator else { return nil }
    var records = CSVRecords(ByteInput(bytes: bytes), separator: separator)
    var notes: ActivityNotes?
    while (try? records.next()) == true {
      func number(_ column: Int) -> Double? {
        DecimalReading.read(Array(records.text(of: column).replacing(",", with: ".").utf8).span)
      }
      guard records.count >= 3, records.text(of: 0) == "START", let elapsed = number(1),
        let clock = number(2),
        let start = Instant(secondsSince1970: clock - elapsed)
      else { continue }
      guard let first = notes?.clockStart else {
        notes = ActivityNotes()
        notes?.clockStart = start
        continue
      }
      guard let end = Instant(secondsSince1970: first.secondsSince1970 + elapsed), start > first,
        notes?.pauses.count ?? 0 < maximumPauses
      else { continue }
      var pause = ActivityNotes.Pause(end: end)
      pause.delay = start.seconds(since: first)
      notes?.pauses.append(pause)
    }
    return notes
  }

  private static let maximumPauses = 1 << 12

  /// Returns Samsung's exercises by identifier, or nil for other tables. The first row names the table, and
  /// the second has the headings, some with the name of the table.
  private static func exercises(_ bytes: [UInt8]) -> [String: ActivityNotes]? {
    var records = CSVRecords(ByteInput(bytes: bytes), separator: UInt8(ascii: ","))
    guard (try? records.next()) == true, (try? records.next()) == true else { return nil }
    let headings = (0..<records.count).map { column in
      String(records.text(of: column).split(separator: ".").last ?? "")
    }
    guard let identifier = headings.firstIndex(of: "datauuid"),
      let kind = headings.firstIndex(of: "exercise_type")
    else { return nil }
    let title = headings.firstIndex(of: "title")
    var exercises: [String: ActivityNotes] = [:]
    while (try? records.next()) == true {
      guard max(identifier, kind) < records.count else { continue }
      var notes = ActivityNotes()
      notes.type = kinds[records.text(of: kind)]
      if let title, title < records.count, case let text = records.text(of: title), !text.isEmpty {
        notes.name = text
      }
      exercises[records.text(of: identifier)] = notes
    }
    return exercises
  }

  /// The numbers of exercises with routes, from the documentation of Samsung Health's `EXERCISE_TYPE`.
  private static let kinds = [
    "1001": "walking", "1002": "running", "3001": "golf", "11001": "inline skating", "11002": "hang gliding",
    "11005": "horseback riding", "11007": "cycling", "11009": "roller skating", "13001": "hiking",
    "13002": "rock climbing", "13003": "backpacking", "13004": "mountain biking", "13005": "orienteering",
    "14001": "swimming", "14003": "canoeing", "14004": "sailing", "14007": "kayaking", "14008": "kitesurfing",
    "14009": "rafting", "14011": "windsurfing", "14012": "yachting", "14013": "water skiing",
    "16001": "cross-country skiing", "16002": "skiing", "16004": "ice skating", "16007": "snowboarding",
    "16008": "alpine skiing", "16009": "snowshoeing",
  ]

  // MARK: Verdicts

  /// Returns how to handle an entry, or nil if no table describes it.
  func verdict(_ name: String) -> ExportGuide.Verdict? {
    let base = name.dropFirst(FileName.folder(name).count)
    if let samsung, name.hasPrefix(samsung.folder), base.contains("com.samsung.") || base.hasSuffix(".json") {
      guard base.hasSuffix("location_data.json") else { return .skip(.noActivity) }
      return .read(samsung.exercises[String(base.prefix { $0 != "." })].map { .known($0) } ?? .none)
    }
    if !runGap.isEmpty, case let stem = ActivityTables.stem(of: name), let notes = runGap[stem] {
      let isDescription = name.hasSuffix(ActivityTables.runGapTable)
      let isCopy = name.hasSuffix(".rungap.json") && recordings.contains(stem)
      return isDescription || isCopy ? .skip(.noActivity) : .read(.known(notes))
    }
    if ActivityTables.isClock(name),
      measurements[String(name.dropLast(ActivityTables.clockTable.count))] != nil
    {
      return .skip(.noActivity)
    }
    if base.hasSuffix(".csv"), let notes = measurements[FileName.folder(name)] {
      return .read(.known(notes))
    }
    return nil
  }
}
