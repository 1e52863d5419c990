import TrackModel

/// The array `coordTimes` of a track, packed until its coordinates end: one or two bytes for most times
/// instead of thirty as text.
///
/// It is created with the first time.
struct GeoJSONTimeSpool {
  /// The times, with ``Instant/absent`` for null.
  private var times = ColumnSpool<Int64>(memoryLimit: GeoJSONLines.memoryLimit)
  private(set) var hasValues = false

  /// Appends rows of times.
  ///
  /// - Parameter counts: the number of positions in each line so far, the current line last, without these
  ///   rows.
  /// - Returns: the number of times that became null because their year does not have four digits.
  mutating func append(_ values: Span<Int64>, _ rows: Range<Int>, counts: [Int]) throws(TrackError) -> Int {
    if !hasValues {
      guard rows.contains(where: { values[$0] != Instant.absent }) else { return 0 }
      hasValues = true
      for _ in 0..<counts.reduce(0, +) { try times.append(Instant.absent) }
    }
    var unwritable = 0
    for row in rows {
      let time = values[row]
      if Instant(microseconds: time).hasFourDigitYear {
        try times.append(time)
      } else {
        try times.append(Instant.absent)
        if time != Instant.absent { unwritable += 1 }
      }
    }
    return unwritable
  }

  /// Moves the array to a sink, with brackets, and with inner brackets for several lines.
  ///
  /// - Parameter counts: the number of positions in each line.
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
    // Last, because the next member checks the last byte to decide on a comma.
    sink.buffer.append(counts.count > 1 ? "]]" : "]")
  }

  mutating func removeAll() throws(TrackError) {
    guard hasValues else { return }
    hasValues = false
    try times.removeValues(from: 0)
  }
}
