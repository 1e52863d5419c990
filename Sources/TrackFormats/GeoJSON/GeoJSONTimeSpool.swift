import TrackModel

/// The array `coordTimes` of a track, waiting for its coordinates to end: packed, a byte or two for most
/// times where text would take thirty, and made into text on its way out.
///
/// It begins only with the first time; before that there may be none at all.
struct GeoJSONTimeSpool {
  /// ``Instant/absent`` for what becomes null.
  private var times = ColumnSpool<Int64>(memoryLimit: GeoJSONLines.memoryLimit)
  private(set) var hasValues = false

  /// Appends rows of times.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last, without these rows.
  /// - Returns: how many of them are in no year of four digits, and became null.
  mutating func append(_ values: Span<Int64>, _ rows: Range<Int>, counts: [Int]) throws(TrackError) -> Int {
    if !hasValues {
      guard rows.contains(where: { values[$0] != Instant.absent }) else { return 0 }
      hasValues = true
      for _ in 0..<counts.reduce(0, +) { try times.append(Instant.absent) }
    }
    var unwritable = 0
    for row in rows {
      let time = values[row]
      if Instant(writable: time) != nil {
        try times.append(time)
      } else {
        try times.append(Instant.absent)
        if time != Instant.absent { unwritable += 1 }
      }
    }
    return unwritable
  }

  /// Moves everything to a sink, in brackets, and in brackets of its own each of several lines.
  ///
  /// - Parameter counts: of all lines.
  mutating func drain(into sink: inout ByteSink, counts: [Int]) throws(TrackError) {
    var clock = ISO8601Clock()
    var index = 0
    sink.buffer.append(counts.count > 1 ? "[[" : "[")
    for (line, count) in counts.enumerated() {
      if line > 0 { sink.buffer.append("],[") }
      for place in 0..<count {
        if place > 0 { sink.buffer.append(UInt8(ascii: ",")) }
        let time = try times.value(at: index) ?? Instant.absent
        if time == Instant.absent {
          sink.buffer.append("null")
        } else {
          sink.buffer.append(UInt8(ascii: "\""))
          clock.append(Instant(microseconds: time), to: &sink.buffer)
          sink.buffer.append(UInt8(ascii: "\""))
        }
        index += 1
        if index & 0x3FF == 0 { try sink.flush() }
      }
    }
    try sink.flush()
    // Last, because who writes the next member tells from the last byte whether a comma belongs before it.
    sink.buffer.append(counts.count > 1 ? "]]" : "]")
  }

  mutating func removeAll() throws(TrackError) {
    guard hasValues else { return }
    hasValues = false
    try times.removeValues(from: 0)
  }
}

extension Instant {
  /// The instant of a column where there is one in the years 0000 to 9999, which ISO 8601 can write.
  init?(writable microseconds: Int64) {
    guard microseconds >= -62_167_219_200_000_000, microseconds < 253_402_300_800_000_000 else { return nil }
    self.init(microseconds: microseconds)
  }
}
