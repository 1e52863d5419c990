/// The four letters that name a box of a film or a value of its telemetry.
struct FourCC: Equatable, ExpressibleByStringLiteral {
  private let value: UInt32

  init(stringLiteral text: StaticString) {
    value = text.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// Returns the letters at an index.
  ///
  /// - Precondition: there are four bytes.
  init(_ bytes: Span<UInt8>, at index: Int) { value = UInt32(truncatingIfNeeded: bytes.number(index, 4)) }

  /// Whether all letters are printable characters of ASCII or the copyright sign of QuickTime.
  var isPrintable: Bool {
    stride(from: 0, to: 32, by: 8).allSatisfy { shift in
      let letter = value >> UInt32(shift) & 0xFF
      return (0x20...0x7E).contains(letter) || letter == 0xA9
    }
  }
}

extension Span<UInt8> {
  /// Returns the big-endian number of up to eight bytes at an index.
  ///
  /// - Precondition: the bytes are within the span.
  func number(_ index: Int, _ length: Int) -> UInt64 {
    var value: UInt64 = 0
    for offset in 0..<length { value = value << 8 | UInt64(self[index + offset]) }
    return value
  }

  /// Returns the little-endian number of four bytes at an index.
  ///
  /// - Precondition: the bytes are within the span.
  func littleEndian(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(index, 4)).byteSwapped }

  /// Whether there are bytes, and all are zeros.
  var isBlank: Bool { !isEmpty && indices.allSatisfy { self[$0] == 0 } }
}
