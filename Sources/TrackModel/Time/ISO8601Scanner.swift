/// Parses consecutive times of the most common form like `ISO8601.scanPlain`, computing the minute
/// only when it changes.
///
/// Intended for the readers of this package. It is public because the compiler inlines only public functions
/// across modules.
public struct ISO8601Scanner: Sendable {
  /// The text `YYYY-MM-DDThh:mm` of the current minute as two words, at first `1970-01-01T00:00`.
  @usableFromInline var date: UInt64 = 0x2D31_302D_3037_3931
  @usableFromInline var clock: UInt64 = 0x3030_3A30_3054_3130
  /// The first microsecond of the current minute.
  @usableFromInline var start: Int64 = 0

  package init() {}

  /// Parses a time and advances `index` past it. A whole second of the current minute is parsed inline.
  ///
  /// - Returns: the result of `ISO8601.scanPlain`.
  @inlinable @inline(__always)
  public mutating func scan(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    if index >= 0, index <= text.count &- 20, text.uncheckedWord(at: index) == date,
      text.uncheckedWord(at: index &+ 8) == clock
    {
      // `:ssZ`, exclusive or with a colon, zeros and `Z`.
      let end = text.uncheckedWord(at: index &+ 12) >> 32 ^ 0x5A30_303A
      let tens = end >> 8 & 0xFF
      let ones = end >> 16 & 0xFF
      if end & 0xFF00_00FF == 0, tens < 6, ones < 10 {
        index &+= 20
        return start &+ Int64(tens &* 10 &+ ones) &* 1_000_000
      }
    }
    return scanUncommon(text, at: &index)
  }

  @usableFromInline
  mutating func scanUncommon(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    guard index >= 0, index <= text.count &- 20 else { return nil }
    guard text.word(at: index) == date, text.word(at: index &+ 8) == clock else {
      return scanMinute(text, at: &index)
    }
    // `:ss.`, exclusive or as above.
    let end = text.word(at: index &+ 12) >> 32 ^ 0x5A30_303A
    let tens = end >> 8 & 0xFF
    let ones = end >> 16 & 0xFF
    guard end & 0xFF == 0, tens < 6, ones < 10 else { return scanMinute(text, at: &index) }
    let time = start &+ Int64(tens &* 10 &+ ones) &* 1_000_000
    guard end >> 24 == 0x2E ^ 0x5A, index <= text.count &- 24 else { return scanMinute(text, at: &index) }
    let decimals = text.word(at: index &+ 16) >> 32 ^ 0x5A30_3030
    guard decimals >> 24 == 0, DecimalDigits.count(decimals) == 8 else { return nil }
    index &+= 24
    return time &+ Int64(DecimalDigits.value(decimals, 3)) &* 1000
  }

  /// Parses a time outside of the current minute, and makes its minute the current one.
  private mutating func scanMinute(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    let first = index
    guard let time = ISO8601.scanPlain(text, at: &index) else { return nil }
    date = text.word(at: first)
    clock = text.word(at: first &+ 8)
    let second = time % 60_000_000
    start = time &- (second < 0 ? second + 60_000_000 : second)
    return time
  }
}
