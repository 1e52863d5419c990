import TrackFormats
import TrackModel

/// The names of activities in a Garmin account export, from `…summarizedActivities.json`.
///
/// The list contains the start of each activity in milliseconds and its number. Files are usually named after
/// a different number, so activities are mostly identified by start.
public struct GarminActivityNames: Sendable {
  private struct Activity {
    var identifier: String
    var start: Instant?
    var notes: ActivityNotes
  }

  private var activities: [Activity] = []

  init() {}

  /// The largest difference in seconds between the start in the list and in the file.
  private static let tolerance = 5.0

  /// Adds a list. A damaged list is read up to the damage.
  mutating func add(_ bytes: [UInt8]) {
    var lexer = JSONLexer(ByteInput(bytes: bytes))
    try? readLists(&lexer)
  }

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
      default: try lexer.skip()
      }
    }
    activities.append(activity)
  }

  /// Returns the metadata of the activity that started at a time, or whose number ends the file name.
  ///
  /// - Complexity: O(*n*) in the number of activities.
  func notes(start: Instant?, fileName: String) -> ActivityNotes? {
    if let start {
      var best: (activity: Activity, seconds: Double)?
      for activity in activities {
        guard let listed = activity.start else { continue }
        let seconds = abs(listed.seconds(since: start))
        if seconds <= GarminActivityNames.tolerance, seconds < best?.seconds ?? .infinity {
          best = (activity, seconds)
        }
      }
      if let best { return best.activity.notes }
    }
    let stem = fileName.prefix { $0 != "." || fileName.contains("@") }
    let digits = String(stem.split { !$0.isNumber }.last(where: { $0.count >= 6 }) ?? "")
    return activities.first { !$0.identifier.isEmpty && $0.identifier == digits }?.notes
  }
}
