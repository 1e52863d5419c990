import TrackFormats
import TrackModel

/// The workouts in the `export.xml` of an Apple Health export, with their pauses and the names of their
/// routes.
///
/// The file can have gigabytes, nearly all of them measurements. Only the tags of workouts are read; entities
/// of the document type are never expanded.
struct HealthWorkouts {
  struct Workout {
    var notes = ActivityNotes()
    var start: String?
    /// The paths of the routes, relative to the folder of the file.
    var routes: [String] = []
  }

  private(set) var workouts: [Workout] = []
  private(set) var byRoute: [String: Int] = [:]
  /// Whether the file ends before its root element.
  private(set) var isCut = true

  /// The number of bytes at the start in which the root element is expected, after the document type.
  private static let openingLength = 1 << 16
  private static let maximumTag = 1 << 16
  private static let maximumWorkouts = 1 << 20
  /// The maximum number of pauses of a workout.
  private static let maximumPauses = 1 << 12

  /// Reads the workouts. A damaged file is read up to the damage.
  ///
  /// - Returns: nil if the root element is not `HealthData`.
  init?(_ input: inout ByteInput) throws(TrackError) {
    while input.available.count < Self.openingLength, try input.fill() {}
    guard input.available.holds("<HealthData", within: Self.openingLength) else { return nil }
    var isOpen = false
    while true {
      let start = input.available.index(of: UInt8(ascii: "<"), from: 0)
      input.consume(start)
      try input.fill(atLeast: 17)
      if input.available.starts(with: "</HealthData>") { isCut = false }
      guard input.available.count > 16 else { return }
      let isWorkout = input.available.starts(with: "<Workout ")
      let isEvent = input.available.starts(with: "<WorkoutEvent ")
      if isWorkout || isOpen && (isEvent || input.available.starts(with: "<FileReference ")) {
        guard let end = try Self.endOfTag(&input) else { return }
        let attributes = Self.attributes(input.available.extracting(first: end))
        if isWorkout {
          guard workouts.count < Self.maximumWorkouts else { return }
          workouts.append(Self.workout(attributes))
          // An element without content ends with `/>`.
          isOpen = input.available[end - 1] != UInt8(ascii: "/")
        } else if isEvent {
          takeEvent(attributes)
        } else if let path = attributes["path"] {
          let route = String(path.drop { $0 == "/" })
          workouts[workouts.count - 1].routes.append(route)
          byRoute[route] = workouts.count - 1
        }
        input.consume(end)
      } else {
        if input.available.starts(with: "</Workout>") { isOpen = false }
        input.consume(1)
      }
    }
  }

  /// Adds the end of a pause to the last workout.
  private mutating func takeEvent(_ attributes: [String: String]) {
    guard attributes["type"] == "HKWorkoutEventTypeResume",
      let end = attributes["date"].flatMap(Self.instant),
      workouts[workouts.count - 1].notes.pauses.count < Self.maximumPauses
    else { return }
    workouts[workouts.count - 1].notes.pauses.append(ActivityNotes.Pause(end: end))
  }

  /// Returns the offset of the `>` that ends the current tag, or nil at the end of the file.
  private static func endOfTag(_ input: inout ByteInput) throws(TrackError) -> Int? {
    var index = 1
    var quote: UInt8?
    while index < maximumTag {
      if index >= input.available.count, try !input.fill() { return nil }
      let byte = input.available[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func attributes(_ tag: Span<UInt8>) -> [String: String] {
    var attributes: [String: String] = [:]
    var index = 0
    while index < tag.count {
      let equals = tag.index(of: UInt8(ascii: "="), from: index)
      guard equals + 1 < tag.count else { break }
      var start = equals
      while start > index, tag[start - 1] > 0x20 { start -= 1 }
      let end = tag.index(of: tag[equals + 1], from: equals + 2)
      let name = String(decoding: tag.extracting(start..<equals).array, as: UTF8.self)
      let value = String(decoding: tag.extracting((equals + 2)..<max(end, equals + 2)).array, as: UTF8.self)
      attributes[name] = decoded(value)
      index = end + 1
    }
    return attributes
  }

  /// Replaces the predefined entities and the character references of XML.
  private static func decoded(_ value: String) -> String {
    guard value.contains("&") else { return value }
    return value.replacing(/&(?:([a-z]+)|#([0-9]+)|#x([0-9A-Fa-f]+));/) { match in
      if let name = match.1 { return entities[String(name)] ?? match.0 }
      let code = match.2.map { UInt32($0) } ?? match.3.map { UInt32($0, radix: 16) }
      guard let code, let number = code, number >= 0x20, let scalar = Unicode.Scalar(number) else {
        return match.0
      }
      return Substring(String(scalar))
    }
  }

  private static let entities: [String: Substring] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private static func workout(_ attributes: [String: String]) -> Workout {
    var workout = Workout()
    workout.notes.type = attributes["workoutActivityType"].map(kind)
    workout.start = attributes["startDate"]
    if let start = attributes["startDate"].flatMap(instant), let end = attributes["endDate"].flatMap(instant),
      start <= end
    {
      workout.notes.timeSpan = TimeSpan(begin: start, end: end)
    }
    if let device = attributes["sourceName"], !device.isEmpty {
      workout.notes.description = "recorded with " + device
    }
    return workout
  }

  /// Returns the words of a type such as `HKWorkoutActivityTypeTraditionalStrengthTraining`.
  private static func kind(_ type: String) -> String {
    let prefix = "HKWorkoutActivityType"
    let name = type.hasPrefix(prefix) ? type.dropFirst(prefix.count) : type[...]
    return name.reduce(into: "") { text, letter in
      if letter.isUppercase, text.last?.isLowercase == true { text += " " }
      text.append(letter)
    }
  }

  /// Parses `2024-05-01 18:02:10 +0200`.
  private static func instant(_ text: String) -> Instant? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, parts[2].count == 5 else { return nil }
    let zone = "\(parts[2].prefix(3)):\(parts[2].suffix(2))"
    return ISO8601.read(Array("\(parts[0])T\(parts[1])\(zone)".utf8).span)?.instant
  }
}

extension Span<UInt8> {
  fileprivate func holds(_ text: StaticString, within length: Int) -> Bool {
    let end = Swift.min(count, length)
    var start = 0
    while start < end {
      start = index(of: text.withUTF8Buffer { unsafe $0[0] }, from: start)
      guard start < end else { return false }
      if extracting(start..<count).starts(with: text) { return true }
      start += 1
    }
    return false
  }
}
