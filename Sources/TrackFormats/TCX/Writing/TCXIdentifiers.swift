import TrackModel

/// The identifiers of a file's activities and courses, which the schema requires to be unique.
struct TCXIdentifiers {
  private var starts: Set<Instant> = []
  private var names: Set<String> = []
  /// The last start and the last number that a repeated start or name was given.
  private var lastStarts: [Instant: Instant] = [:]
  private var lastNumbers: [String: Int] = [:]

  /// Returns a time, moved by milliseconds until no other activity of the file begins at it.
  mutating func unused(_ start: Instant) -> Instant {
    if starts.insert(start).inserted { return start }
    var result = lastStarts[start] ?? start
    repeat { result.microseconds += 1000 } while !starts.insert(result).inserted
    lastStarts[start] = result
    return result
  }

  /// Returns a name of at most 15 characters, with a number appended if another course of the file has that
  /// name.
  mutating func unused(_ name: String) -> String {
    if names.insert(name).inserted { return name }
    var number = lastNumbers[name] ?? 1
    while true {
      number += 1
      let suffix = " \(number)"
      let result = String(name.unicodeScalars.prefix(15 - suffix.count)) + suffix
      if names.insert(result).inserted {
        lastNumbers[name] = number
        return result
      }
    }
  }
}
