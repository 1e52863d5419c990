/// A table from member names to codes, looked up by bytes without creating a `String`.
struct JSONNames: Sendable {
  private struct Entry {
    var start: Int
    var count: Int
    var code: UInt16
  }

  private var entries: [Entry] = []
  private var spellings: [UInt8] = []
  /// Indices in `entries` plus 1; 0 for a free slot. The count is a power of two and at least twice the
  /// number of names.
  private var buckets: [UInt16]

  /// - Parameter names: distinct spellings with codes above 0.
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

  /// Creates a table for an enumeration whose raw values are codes, except 0.
  init<Name: RawRepresentable>(_ names: [(String, Name)]) where Name.RawValue == UInt16 {
    self.init(names.map { ($0.0, $0.1.rawValue) })
  }

  /// Returns the code of a spelling, or 0 if it is unknown.
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

  /// Names differ in their lengths and ends; the bytes between rarely need to be compared.
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
