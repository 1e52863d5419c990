import TrackModel

/// An array that runs beside the coordinates of a track, waiting for them to end: elements parted by commas, lines
/// parted by `],[`, without the brackets around them.
///
/// It begins only with the first value; before that there may be none at all.
final class GeoJSONColumnSpool {
  private var spool = Spool(memoryLimit: GeoJSONLines.memoryLimit)
  private(set) var hasValues = false

  /// Begins with nulls for the positions before.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last.
  private func begin(_ counts: [Int]) throws(TrackError) {
    hasValues = true
    for (line, count) in counts.enumerated() {
      if line > 0 { spool.buffer.append("],[") }
      for index in 0..<count {
        if index > 0 { spool.buffer.append(UInt8(ascii: ",")) }
        spool.buffer.append("null")
        if index & 0xFFFF == 0 { try spool.flush() }
      }
    }
  }

  func beginLine() {
    if hasValues { spool.buffer.append("],[") }
  }

  /// Appends rows of a channel; NaN becomes null, and no values at all as many nulls.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last, without these rows.
  func append(_ values: Span<Double>, _ rows: Range<Int>, counts: [Int]) throws(TrackError) {
    if !hasValues {
      guard !values.isEmpty, rows.contains(where: { !values[$0].isNaN }) else { return }
      try begin(counts)
    }
    GeoJSONColumnSpool.append(values, rows, isFirst: counts.last == 0, to: &spool.buffer)
    try spool.flush()
  }

  private static func append(
    _ values: Span<Double>, _ rows: Range<Int>, isFirst: Bool, to bytes: inout ByteBuffer
  ) {
    var isFirst = isFirst
    for row in rows {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      if values.isEmpty || values[row].isNaN {
        bytes.append("null")
      } else {
        append(values[row], to: &bytes)
      }
    }
  }

  /// Appends a number; most of what sensors measure is a small whole one.
  @inline(__always)
  private static func append(_ value: Double, to bytes: inout ByteBuffer) {
    if value >= 0, value < 1000, value == value.rounded(.towardZero) {
      let whole = Int(value)
      bytes.append(whole, width: whole < 10 ? 1 : whole < 100 ? 2 : 3)
    } else {
      bytes.append(decimal: value)
    }
  }

  /// Appends rows of times.
  ///
  /// - Returns: how many of them are in no year of four digits, and became null.
  func append(_ times: Span<Int64>, _ rows: Range<Int>, counts: [Int]) throws(TrackError) -> Int {
    if !hasValues {
      guard rows.contains(where: { times[$0] != Instant.absent }) else { return 0 }
      try begin(counts)
    }
    let unwritable = GeoJSONColumnSpool.append(times, rows, isFirst: counts.last == 0, to: &spool.buffer)
    try spool.flush()
    return unwritable
  }

  private static func append(
    _ times: Span<Int64>, _ rows: Range<Int>, isFirst: Bool, to bytes: inout ByteBuffer
  ) -> Int {
    var isFirst = isFirst
    var unwritable = 0
    var clock = GeoJSONClock()
    for row in rows {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      let time = times[row]
      if let instant = Instant(writable: time) {
        clock.append(instant, to: &bytes)
      } else {
        bytes.append("null")
        if time != Instant.absent { unwritable += 1 }
      }
    }
    return unwritable
  }

  /// Moves everything to a sink, in brackets.
  func drain(into sink: inout ByteSink, isNested: Bool) throws(TrackError) {
    sink.buffer.append(isNested ? "[[" : "[")
    try spool.drain(into: &sink)
    sink.buffer.append(isNested ? "]]" : "]")
  }

  func removeAll() throws(TrackError) {
    guard hasValues else { return }
    hasValues = false
    try spool.removeAll()
  }
}

/// Writes times one after the other, and the date only once for all of a day.
private struct GeoJSONClock {
  private static let day: Int64 = 86_400_000_000
  /// The first microsecond of the day whose date is at hand; at first behind every time.
  private var start = Int64.max
  /// `"YYYY-MM-DDT`
  private var date: [UInt8] = []

  mutating func append(_ instant: Instant, to bytes: inout ByteBuffer) {
    let microseconds = instant.microseconds
    // A fraction, or a day that is not at hand: the long way.
    guard microseconds >= start, microseconds - start < GeoJSONClock.day, microseconds % 1_000_000 == 0 else {
      let first = bytes.count
      bytes.append(json: instant)
      let rest = microseconds % GeoJSONClock.day
      start = microseconds - (rest < 0 ? rest + GeoJSONClock.day : rest)
      date.removeAll(keepingCapacity: true)
      for index in first..<(first + 12) { date.append(bytes.bytes[index]) }
      return
    }
    let second = Int((microseconds - start) / 1_000_000)
    bytes.append(contentsOf: date.span)
    bytes.append(second / 3600, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(second / 60 % 60, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(second % 60, width: 2)
    bytes.append("Z\"")
  }
}

extension Instant {
  /// The instant of a column where there is one in the years 0000 to 9999, which ISO 8601 can write.
  init?(writable microseconds: Int64) {
    guard microseconds >= -62_167_219_200_000_000, microseconds < 253_402_300_800_000_000 else { return nil }
    self.init(microseconds: microseconds)
  }
}
