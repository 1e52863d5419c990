/// Names of members and what they mean, looked up by their bytes: neither a `String` nor a dictionary per
/// member.
struct JSONNames: Sendable {
  private struct Entry {
    var start: Int
    var count: Int
    var code: UInt16
  }

  private var entries: [Entry] = []
  private var spellings: [UInt8] = []
  /// Indices into `entries`, plus 1; 0 for a free place. A power of two, at least twice as many as names.
  private var buckets: [UInt16]

  /// - Parameter names: spellings, each once, with codes above 0.
  init(_ names: [(String, UInt16)]) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    buckets = Array(repeating: 0, count: size)
    for (name, code) in names {
      let bytes = Array(name.utf8)
      var bucket = JSONNames.hash(bytes.span) & (size - 1)
      while buckets[bucket] != 0 { bucket = (bucket + 1) & (size - 1) }
      buckets[bucket] = UInt16(entries.count + 1)
      entries.append(Entry(start: spellings.count, count: bytes.count, code: code))
      spellings += bytes
    }
  }

  /// The names of an enumeration whose raw values are codes, 0 left out.
  init<Name: RawRepresentable>(_ names: [(String, Name)]) where Name.RawValue == UInt16 {
    self.init(names.map { ($0.0, $0.1.rawValue) })
  }

  /// The code of a spelling, 0 for one that is not known.
  func code(of name: Span<UInt8>) -> UInt16 {
    var bucket = JSONNames.hash(name) & (buckets.count - 1)
    while buckets[bucket] != 0 {
      let entry = entries[Int(buckets[bucket]) - 1]
      if entry.count == name.count, isEqual(entry.start, name) { return entry.code }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return 0
  }

  private func isEqual(_ start: Int, _ name: Span<UInt8>) -> Bool {
    for index in 0..<name.count where spellings[start + index] != name[index] { return false }
    return true
  }

  /// Names differ in their length and their ends; what is between them seldom has to be looked at.
  @inline(__always)
  private static func hash(_ name: Span<UInt8>) -> Int {
    let count = name.count
    guard count > 0 else { return 0 }
    let first = Int(name[0])
    let last = Int(name[count - 1])
    let middle = Int(name[count / 2])
    return (count &* 7) ^ (first &* 31) ^ (last &* 131) ^ (middle &* 17)
  }
}
