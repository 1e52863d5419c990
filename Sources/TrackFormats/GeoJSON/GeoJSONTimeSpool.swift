import TrackModel

/// The array `coordTimes` of a track, waiting for its coordinates to end: as differences, a byte or two for most times
/// where text would take thirty, and made into text on its way out.
///
/// It begins only with the first time; before that there may be none at all.
///
/// Each entry is a number of seven bits a byte, the lowest first, the highest bit of all but its last byte set. Its
/// two lowest bits say what the others are: the difference to the time before in seconds (0), milliseconds (1) or
/// microseconds (2), the sign in the lowest bit; or (3) no time (0) or the end of a line (1).
final class GeoJSONTimeSpool {
  private var spool = Spool(memoryLimit: GeoJSONLines.memoryLimit)
  private(set) var hasValues = false
  private var last: Int64 = 0

  private static let null: UInt8 = 3
  private static let endOfLine: UInt8 = 7

  /// Begins with nulls for the positions before.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last.
  private func begin(_ counts: [Int]) throws(TrackError) {
    hasValues = true
    last = 0
    for (line, count) in counts.enumerated() {
      if line > 0 { spool.buffer.append(GeoJSONTimeSpool.endOfLine) }
      for index in 0..<count {
        spool.buffer.append(GeoJSONTimeSpool.null)
        if index & 0xFFFF == 0 { try spool.flush() }
      }
    }
  }

  func beginLine() {
    if hasValues { spool.buffer.append(GeoJSONTimeSpool.endOfLine) }
  }

  /// Appends rows of times.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last, without these rows.
  /// - Returns: how many of them are in no year of four digits, and became null.
  func append(_ times: Span<Int64>, _ rows: Range<Int>, counts: [Int]) throws(TrackError) -> Int {
    if !hasValues {
      guard rows.contains(where: { times[$0] != Instant.absent }) else { return 0 }
      try begin(counts)
    }
    var unwritable = 0
    for row in rows {
      let time = times[row]
      if Instant(writable: time) != nil {
        GeoJSONTimeSpool.append(time - last, to: &spool.buffer)
        last = time
      } else {
        spool.buffer.append(GeoJSONTimeSpool.null)
        if time != Instant.absent { unwritable += 1 }
      }
    }
    try spool.flush()
    return unwritable
  }

  /// Appends a difference between two writable times, so that no shift loses a bit.
  private static func append(_ difference: Int64, to bytes: inout ByteBuffer) {
    var value = difference
    var unit: UInt64 = 2
    let (seconds, microseconds) = difference.quotientAndRemainder(dividingBy: 1_000_000)
    if microseconds == 0 {
      (value, unit) = (seconds, 0)
    } else if microseconds % 1000 == 0 {
      (value, unit) = (difference / 1000, 1)
    }
    var code = UInt64(bitPattern: value << 1 ^ value >> 63) << 2 | unit
    while code >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: code) | 0x80)
      code >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: code))
  }

  /// Moves everything to a sink, in brackets.
  func drain(into sink: inout ByteSink, isNested: Bool) throws(TrackError) {
    var text = Text()
    sink.buffer.append(isNested ? "[[" : "[")
    var rest = spool.count
    var input = try spool.input()
    var code: UInt64 = 0
    var shift: UInt64 = 0
    while rest > 0 {
      if input.available.isEmpty, try !input.fill() { break }
      let count = min(input.available.count, rest)
      for index in 0..<count {
        let byte = input.available[index]
        code |= UInt64(byte & 0x7F) << shift
        guard byte < 0x80 else {
          shift += 7
          continue
        }
        text.append(code, to: &sink.buffer)
        code = 0
        shift = 0
        if index & 0x3FF == 0 { try sink.flush() }
      }
      rest -= count
      input.consumeAll()
    }
    sink.buffer.append(isNested ? "]]" : "]")
    try sink.flush()
  }

  func removeAll() throws(TrackError) {
    guard hasValues else { return }
    hasValues = false
    try spool.removeAll()
  }

  /// Elements parted by commas, lines by `],[`.
  private struct Text {
    private var clock = ISO8601Clock()
    private var last: Int64 = 0
    private var isFirst = true

    mutating func append(_ code: UInt64, to bytes: inout ByteBuffer) {
      if code == GeoJSONTimeSpool.endOfLine {
        bytes.append("],[")
        isFirst = true
        return
      }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      let value = Int64(bitPattern: code >> 3) ^ -Int64(bitPattern: code >> 2 & 1)
      switch code & 3 {
      case 0: last &+= value &* 1_000_000
      case 1: last &+= value &* 1000
      case 2: last &+= value
      default:
        bytes.append("null")
        return
      }
      bytes.append(UInt8(ascii: "\""))
      clock.append(Instant(microseconds: last), to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }
}

extension Instant {
  /// The instant of a column where there is one in the years 0000 to 9999, which ISO 8601 can write.
  init?(writable microseconds: Int64) {
    guard microseconds >= -62_167_219_200_000_000, microseconds < 253_402_300_800_000_000 else { return nil }
    self.init(microseconds: microseconds)
  }
}
