import TrackFormats
import TrackModel

/// The structure of an export: its service, which of its files are activities, and their metadata from its
/// tables.
///
/// Services are recognised by content, not by name. A folder can contain several exports.
struct ExportGuide: Sendable {
  /// The handling of an entry.
  enum Verdict {
    case skip(SkipReason)
    case read(ActivityNotesSource)
  }

  private struct Strava {
    /// The folder of the table with its trailing slash.
    var folder: String
    var activities: StravaActivities
  }

  private var strava: [Strava] = []
  /// Exports of Apple Health with the paths of their records and the folders of these.
  private var health: [(path: String, folder: String, workouts: HealthWorkouts)] = []
  private var tables = ActivityTables()
  private var garminFolder: String?
  private var garminNames = GarminActivityNames()
  /// The folders of a Takeout with a monthly history, and their months.
  private var coveredMonths: [String: CoveredMonths] = [:]
  private var isTakeout = false
  /// Whether the archive is in an export whose tables describe its entries.
  private let outer: ActivityNotesSource

  /// - Parameter outer: the guide of the enclosing archive, if it is an export.
  init(inside outer: ActivityNotesSource = .none) { self.outer = outer }

  /// The names of the services. Empty for an ordinary archive.
  var services: [String] {
    (strava.isEmpty ? [] : ["Strava"]) + (garminFolder == nil ? [] : ["Garmin"])
      + (health.isEmpty ? [] : ["Apple Health"]) + (isTakeout ? ["Google Takeout"] : [])
      + tables.services
  }

  /// Whether tables list activities, some of which may have no file.
  var listsActivities: Bool { !strava.isEmpty || !health.isEmpty }

  // MARK: The survey

  /// Whether an entry is a table with metadata of other entries.
  static func isTable(_ name: String) -> Bool {
    let base = FileName.last(name)
    return base == "activities.csv" || base.hasSuffix("summarizedActivities.json")
      || ActivityTables.isTable(name)
  }

  /// Whether an entry may be the record of an Apple Health export, whose name depends on the language.
  static func mayBeHealthRecord(_ name: String) -> Bool {
    name.hasSuffix(".xml") && !name.hasSuffix("_cda.xml") && FileName.components(name).count <= 2
  }

  /// Processes the record of an Apple Health export.
  mutating func add(_ workouts: HealthWorkouts, from name: String) {
    health.append((name, FileName.folder(name), workouts))
  }

  /// Processes the name of an entry.
  mutating func add(_ name: String) {
    if garminFolder == nil, let place = ExportGuide.garminFolder(of: name) { garminFolder = place }
    let parts = FileName.components(name)
    if parts.last == "Records.json" { isTakeout = true }
    if parts.contains(ExportGuide.history[...]) { isTakeout = true }
  }

  private static let history = "Semantic Location History"

  /// Whether an entry is the history of a month, according to its name.
  static func isMonth(_ name: String) -> Bool {
    let parts = FileName.components(name)
    guard parts.contains(history[...]), let last = parts.last else { return false }
    return CoveredMonths.month(ofFile: String(last)) != nil
  }

  /// Processes the history of a month. One without activities and visits does not replace the recording.
  mutating func add(month name: String, _ input: consuming ByteInput) {
    let parts = FileName.components(name)
    guard let index = parts.firstIndex(of: ExportGuide.history[...]), let last = parts.last,
      (try? ExportGuide.hasHistory(input)) == true
    else { return }
    coveredMonths[parts[..<index].joined(separator: "/"), default: CoveredMonths()].add(
      fileName: String(last))
  }

  private static func hasHistory(_ input: consuming ByteInput) throws(TrackError) -> Bool {
    var lexer = JSONLexer(input)
    guard try lexer.nextText(), try lexer.enterObject() else { return false }
    while try lexer.nextMember() {
      if lexer.text == "timelineObjects", try lexer.enterArray() {
        if try lexer.nextElement() { return try lexer.kind() == .object }
      } else {
        try lexer.skip()
      }
    }
    return false
  }

  /// Processes the names of all entries, after their tables.
  mutating func finish(_ names: [String]) { tables.finish(names) }

  /// Processes the content of a table.
  mutating func add(table name: String, _ bytes: [UInt8]) {
    let bytes = Self.utf8(bytes)
    if ActivityTables.isTable(name) {
      tables.add(table: name, bytes)
    } else if name.hasSuffix(".json") {
      garminNames.add(bytes)
    } else if let table = StravaActivities(bytes) {
      strava.append(Strava(folder: FileName.folder(name), activities: table))
    }
  }

  /// Returns a table in UTF-8, also if a spreadsheet program stored it as "Unicode text", which is UTF-16.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    var input = ByteInput(bytes: bytes)
    guard (try? input.openText()) != nil else { return bytes }
    while (try? input.fill()) == true {}
    return input.available.array
  }

  /// The folder that contains `DI_CONNECT`, a name specific to Garmin, with its trailing slash.
  private static func garminFolder(of name: String) -> String? {
    let parts = FileName.components(name)
    // Archives, or folders into which they were unpacked.
    guard parts.contains(where: { $0.hasPrefix("UploadedFiles") || $0 == "DI-Connect-Uploaded-Files" }),
      let index = parts.firstIndex(where: { $0 == "DI_CONNECT" || $0.hasPrefix("DI-Connect-") })
    else { return nil }
    return parts[..<index].map { $0 + "/" }.joined()
  }

  // MARK: Verdicts

  /// Returns how to handle an entry that is a file.
  func verdict(_ name: String) -> Verdict {
    let parts = FileName.components(name)
    if parts.contains(where: { $0 == "__MACOSX" || ($0.hasPrefix(".") && $0 != "." && $0 != "..") }) {
      return .skip(.systemFile)
    }
    if TemporaryFiles.isTemporary(FileName.last(name)) { return .skip(.incompleteOutput) }
    if let export = innermost(strava, \.folder, of: name) {
      let file = String(name.dropFirst(export.folder.count))
      if file.hasPrefix("activities/") {
        return .read(export.activities.row(of: file).map { .known(export.activities[$0].notes) } ?? .none)
      }
      if !isBeside(file, ownFolders: ["routes/", "media/", "clubs/"]) { return .skip(.noActivity) }
    }
    if let export = innermost(health, \.folder, of: name) {
      let route = String(name.dropFirst(export.folder.count))
      if let index = export.workouts.byRoute[route] {
        return .read(.known(export.workouts.workouts[index].notes))
      }
      if route.hasPrefix("workout-routes/") { return .read(.none) }
      if !isBeside(route, ownFolders: ["electrocardiograms/"]) { return .skip(.noActivity) }
    }
    if let verdict = tables.verdict(name) { return verdict }
    let base = parts.last.map(String.init) ?? name
    if let garminFolder, name.hasPrefix(garminFolder) {
      let rest = name.dropFirst(garminFolder.count)
      let isUpload = rest.contains("DI-Connect-Uploaded-Files/") || base.hasPrefix("UploadedFiles")
      if isUpload { return .read(.garmin(garminNames, fileName: base)) }
      if !isBeside(String(rest), ownFolders: ["DI_", "DI-Connect-", "IT_", "customer_data/"]) {
        return .skip(.noActivity)
      }
    }
    if base == "Records.json", let months = coveredMonths[parts.dropLast().joined(separator: "/")],
      !months.isEmpty
    {
      return .read(.recording(toldElsewhere: months))
    }
    if case .garmin(let names, _) = outer { return .read(.garmin(names, fileName: base)) }
    return .read(outer)
  }

  /// Returns the export in the deepest folder that contains an entry.
  private func innermost<Export>(
    _ exports: [Export], _ folder: KeyPath<Export, String>, of name: String
  ) -> Export? {
    exports.filter { name.hasPrefix($0[keyPath: folder]) }
      .max { $0[keyPath: folder].count < $1[keyPath: folder].count }
  }

  /// Whether a file in the folder of an export may be a track that does not belong to it, as in a folder of
  /// downloads in which the export was unpacked: it is in another folder than those of the export, or has an
  /// extension that the export's own files do not have.
  private func isBeside(_ file: String, ownFolders: [String]) -> Bool {
    guard !ownFolders.contains(where: file.hasPrefix) else { return false }
    guard !file.contains("/") else { return true }
    let name = file.lowercased()
    let base = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return FileName.fileExtension(base).map { ExportGuide.otherTracks.contains(String($0)) } ?? false
  }

  /// The extensions of files beside an export that may be tracks. Those of its own files are not among them.
  private static let otherTracks = Set(
    FormatRegistry.standard.formats.flatMap(\.fileExtensions) + ["kmz", "zip", "log", "txt"]
  )
  .subtracting(["csv", "tsv", "json", "xml", "mp4", "mov", "ts"])

  /// The activities without a file, in the order of the tables. Each is looked up when it is requested.
  ///
  /// - Parameter names: the names of all entries.
  func activitiesWithoutFile(
    among names: Set<String>
  ) -> some Sequence<(label: String, reason: SkipReason?)> {
    let indoor = health.lazy.flatMap { export in
      export.workouts.workouts.lazy.compactMap { workout -> (label: String, reason: SkipReason?)? in
        let title = [workout.notes.type, workout.start].compactMap { $0 }.joined(separator: ", ")
        let missing = workout.routes.first { !names.contains(export.folder + $0) }
        guard workout.routes.isEmpty || missing != nil else { return nil }
        return ("\(export.path) (\(title))", missing == nil ? .noRoute : nil)
      }
    }
    let cut = health.lazy.filter(\.workouts.isCut).map { export -> (label: String, reason: SkipReason?) in
      (export.path, .truncatedRecord)
    }
    let uploads = strava.lazy.flatMap { export in
      export.activities.lazy.compactMap { activity -> (label: String, reason: SkipReason?)? in
        let title = [activity.name, activity.date].compactMap { $0 }.joined(separator: ", ")
        let label = "\(export.folder)activities.csv:\(activity.line) (\(title))"
        if activity.hasUnclosedQuote, !names.contains(export.folder + activity.file) {
          return (label, .unclosedQuote)
        }
        if activity.isTruncated { return (label, .truncatedTable) }
        if activity.file.allSatisfy(\.isWhitespace) { return (label, .enteredByHand) }
        if activity.file.contains(StravaActivities.lostFile) { return (label, .uploadError) }
        if let row = export.activities.row(of: activity.file), export.activities[row].line != activity.line {
          return (label, .sameFile)
        }
        return names.contains(export.folder + activity.file) ? nil : (label, nil)
      }
    }
    return [AnySequence(uploads), AnySequence(indoor), AnySequence(cut)].joined()
  }
}
