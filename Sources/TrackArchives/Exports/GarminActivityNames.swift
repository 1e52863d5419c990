import TrackFormats
import TrackModel

/// The names of activities in a Garmin account export, from `…summarizedActivities.json`.
///
/// The list contains the start of each activity and its duration in milliseconds, and its number. Files are
/// usually named after a different number, so activities are mostly identified by time.
public struct GarminActivityNames: Sendable {
  private struct Activity {
    var identifier: String
    var start: Instant?
    /// The longer of the elapsed and the active time in seconds.
    var duration = 0.0
    var notes: ActivityNotes
  }

  private var activities: [Activity] = []
  /// The activities with a start in its order, and those with a number.
  private var byStart: [Int] = []
  private var byIdentifier: [String: Int] = [:]

  init() {}

  /// The largest difference in seconds between the start in the list and in the file.
  private static let tolerance = 5.0
  /// The longest duration in seconds.
  private static let longest = 864_000.0
  /// The number of activities before a time that are examined, because they may include it.
  private static let overlapping = 20

  /// Adds a list. A damaged list is read up to the damage.
  mutating func add(_ bytes: [UInt8]) {
    var lexer = JSONLexer(ByteInput(bytes: bytes))
    try? readLists(&lexer)
    byStart = activities.indices.filter { activities[$0].start != nil }
      .sorted { (seconds($0), $0) < (seconds($1), $1) }
    byIdentifier = Dictionary(
      activities.indices.lazy.map { [activities] in (activities[$0].identifier, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The start of an activity in seconds since 1970.
  private func seconds(_ index: Int) -> Double { activities[index].start?.secondsSince1970 ?? 0 }

  /// Reads lists in an object or in an array of objects.
  private mutating func readLists(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.nextText() else { return }
    if case .array = try lexer.kind() {
      try lexer.beginArray()
      while try lexer.nextElement() { try readList(&lexer) }
    } else {
      try readList(&lexer)
    }
  }

  private mutating func readList(_ lexer: inout JSONLexer) throws(TrackError) {
    guard case .object = try lexer.kind() else { return try lexer.skip() }
    try lexer.beginObject()
    while try lexer.nextMember() {
      guard lexer.text == "summarizedActivitiesExport", case .array = try lexer.kind() else {
        try lexer.skip()
        continue
      }
      try lexer.beginArray()
      while try lexer.nextElement() {
        if case .object = try lexer.kind() { try readActivity(&lexer) } else { try lexer.skip() }
      }
    }
  }

  private mutating func readActivity(_ lexer: inout JSONLexer) throws(TrackError) {
    var activity = Activity(identifier: "", notes: ActivityNotes())
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch lexer.text {
      case "name": activity.notes.name = try lexer.stringOrNothing()
      case "activityType": activity.notes.type = try lexer.stringOrNothing()
      case "description": activity.notes.description = try lexer.stringOrNothing()
      case "activityId":
        if let number = try lexer.numberOrNothing(), number >= 0, number < 1e15 {
          activity.identifier = String(Int(number))
        }
      case "beginTimestamp", "startTimeGmt":
        if let number = try lexer.numberOrNothing() {
          activity.start = activity.start ?? Instant(secondsSince1970: number / 1000)
        }
      case "duration", "elapsedDuration":
        if let number = try lexer.numberOrNothing(), (0..<Self.longest * 1000).contains(number) {
          activity.duration = max(activity.duration, number / 1000)
        }
      default: try lexer.skip()
      }
    }
    activities.append(activity)
  }

  /// Returns the metadata of the activity that started at a time, of the last one that was going on then, as
  /// when the receiver found its position later, or of the one whose number ends the file name.
  ///
  /// - Complexity: O(log *n*) in the number of activities, unless many start within seconds.
  func notes(start: Instant?, fileName: String) -> ActivityNotes? {
    if let start = start?.secondsSince1970 {
      let place = byStart.partitionIndex { seconds($0) >= start }
      let near = [place - 1, place].filter(byStart.indices.contains).map { byStart[$0] }
      func distance(_ index: Int) -> Double { abs(seconds(index) - start) }
      if let best = near.min(by: { distance($0) < distance($1) }),
        distance(best) <= GarminActivityNames.tolerance
      {
        return activities[best].notes
      }
      let earlier = byStart[max(place - Self.overlapping, 0)..<place]
      if let current = earlier.last(where: { seconds($0) + activities[$0].duration >= start }) {
        return activities[current].notes
      }
    }
    let stem = fileName.prefix { $0 != "." || fileName.contains("@") }
    let digits = String(stem.split { !$0.isNumber }.last(where: { $0.count >= 6 }) ?? "")
    return digits.isEmpty ? nil : byIdentifier[digits].map { activities[$0].notes }
  }
}
