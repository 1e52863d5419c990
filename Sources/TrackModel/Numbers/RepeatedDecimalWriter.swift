/// Formats consecutive numbers like ``ByteBuffer/append(decimal:)``, and repeats the text of the previous
/// number if the next one is the same.
///
/// More than half of the elevations of a track are that of the point before.
package struct RepeatedDecimalWriter: Sendable {
  /// The bits of the previous number, at first of 0.
  private var bits: UInt64 = 0
  /// Its text of up to 16 bytes, and the number of bytes in each word.
  private var first = UInt64(UInt8(ascii: "0"))
  private var second: UInt64 = 0
  private var firstCount = 1
  private var secondCount = 0

  package init() {}

  /// Appends the same text as ``ByteBuffer/append(decimal:)``.
  @inline(__always)
  package mutating func append(_ value: Double, to bytes: inout ByteBuffer) {
    guard value.bitPattern == bits else { return appendOther(value, to: &bytes) }
    bytes.append(word: first, count: firstCount, then: second, count: secondCount)
  }

  private mutating func appendOther(_ value: Double, to bytes: inout ByteBuffer) {
    let start = bytes.count
    bytes.append(decimal: value)
    let text = bytes.bytes.extracting(start...)
    guard text.count <= 16 else { return }
    bits = value.bitPattern
    firstCount = min(text.count, 8)
    secondCount = text.count - firstCount
    first = Self.word(text.extracting(..<firstCount))
    second = Self.word(text.extracting(firstCount...))
  }

  /// Returns up to eight bytes as a word, the first in the lowest bits.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for index in bytes.indices { word |= UInt64(bytes[index]) << UInt64(8 * index) }
    return word
  }
}
