import TrackModel

/// What activities and courses of a file are known by, which the schema wants to differ.
struct TCXIdentifiers {
  private var starts: Set<Instant> = []
  private var names: Set<String> = []

  /// Gives a time, or the next one that no activity of the file begins at.
  mutating func unused(_ start: Instant) -> Instant {
    var result = start
    while !starts.insert(result).inserted { result.microseconds += 1000 }
    return result
  }

  /// Gives a name of at most 15 letters, or one like it with a number that no other course of the file has.
  mutating func unused(_ name: String) -> String {
    var result = name
    var number = 2
    while !names.insert(result).inserted {
      let suffix = " \(number)"
      result = String(name.unicodeScalars.prefix(15 - suffix.count)) + suffix
      number += 1
    }
    return result
  }
}
