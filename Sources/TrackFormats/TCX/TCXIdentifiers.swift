import TrackModel

/// The identifiers of a file's activities and courses, which the schema requires to be unique.
struct TCXIdentifiers {
  private var starts: Set<Instant> = []
  private var names: Set<String> = []

  /// Returns a time, moved by milliseconds until no other activity of the file begins at it.
  mutating func unused(_ start: Instant) -> Instant {
    var result = start
    while !starts.insert(result).inserted { result.microseconds += 1000 }
    return result
  }

  /// Returns a name of at most 15 characters, with a number appended if another course of the file has that
  /// name.
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
