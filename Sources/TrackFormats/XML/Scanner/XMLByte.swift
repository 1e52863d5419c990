/// The classes of bytes and characters in XML 1.0 encoded as UTF-8.
enum XMLByte {
  /// A byte of text that requires handling: `<`, `&`, `>`, line ends, control characters, and all non-ASCII
  /// bytes.
  static let special: UInt8 = 1
  /// A byte that may occur in a name. All non-ASCII bytes are included; ``XMLNameTable`` checks them once
  /// per name.
  static let name: UInt8 = 2
  /// A byte that may begin a name.
  static let nameStart: UInt8 = 4
  /// White space.
  static let blank: UInt8 = 8

  /// The classes of each of the 256 bytes, shared by all scanners and never changed or deallocated.
  @unsafe
  nonisolated(unsafe) static let classes: UnsafeMutablePointer<UInt8> = {
    let classes = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for value in UInt8.min ... .max {
      var bits: UInt8 = 0
      let isLetter = (value | 0x20) &- UInt8(ascii: "a") < 26
      // A tab is unchanged in text but becomes a space in an attribute value, so it needs handling.
      if value < 0x20 || value >= 0x80 || "<&>".utf8.contains(value) { bits |= special }
      if isLetter || value >= 0x80 || "_:".utf8.contains(value) { bits |= name | nameStart }
      if "-.0123456789".utf8.contains(value) { bits |= name }
      if " \n\r\t".utf8.contains(value) { bits |= blank }
      unsafe classes[Int(value)] = bits
    }
    return unsafe classes
  }()

  /// Returns a mask of the special bytes among eight bytes of text, the first in the lowest bits. The lowest
  /// set bit of the result is the top bit of the first special byte; zero without special bytes.
  ///
  /// Subtracting 1 sets the top bit of a zero byte. In other bytes, the top bit stays set only for non-ASCII
  /// bytes, which are special anyway. A borrow can mark an ordinary byte, but only above a special byte, and
  /// only the lowest mark is used.
  @inline(__always)
  static func specials(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let angle = (word | ones &* 2) ^ (ones &* 0x3E)
    let ampersand = word ^ (ones &* 0x26)
    let found = word | (word &- ones &* 0x20) | (angle &- ones) | (ampersand &- ones)
    return found & (ones &* 0x80)
  }

  /// Returns a mask of the bytes that are special or equal to `stop`, as ``specials(in:)`` does.
  @inline(__always)
  static func specials(in word: UInt64, or stop: UInt64) -> UInt64 {
    specials(in: word) | ((word ^ stop) &- 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080
  }

  /// Returns eight bytes, the first in the lowest bits.
  @unsafe
  @inline(__always)
  static func word(_ position: UnsafePointer<UInt8>) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
  }

  /// Returns eight bytes of a span.
  ///
  /// - Precondition: `0 <= index <= text.count - 8`, which only debug builds check.
  @inline(__always)
  static func word(_ text: Span<UInt8>, at index: Int) -> UInt64 {
    assert(index >= 0 && index <= text.count - 8, "index out of range")
    return unsafe UInt64(
      littleEndian: text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Returns a byte repeated eight times, for ``specials(in:or:)``.
  @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Returns whether a text is a qualified name: one name without colons, or two joined by a colon
  /// (Namespaces in XML 1.0, production 7).
  static func isQualifiedName(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy(isUnqualifiedName)
  }

  /// Returns whether a text is a name of XML 1.0, fifth edition, production 5, without a colon.
  static func isUnqualifiedName(_ text: some StringProtocol) -> Bool {
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let begins: Bool =
        switch scalar.value {
        case 0x5F, 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
          0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
          0xFDF0...0xFFFD, 0x10000...0xEFFFF:
          true
        default: false
        }
      let goesOn: Bool =
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false
        }
      guard begins || (index > 0 && goesOn) else { return false }
    }
    return !text.isEmpty
  }

  /// The result of decoding a non-ASCII character.
  enum Sequence {
    case whole(length: Int, scalar: UInt32)
    /// The sequence continues after the end of the bytes.
    case cut
    case invalid
  }

  /// Decodes a UTF-8 sequence of two to four bytes that is an XML character. Overlong forms, surrogates,
  /// U+FFFE and U+FFFF are invalid.
  @unsafe
  static func sequence(_ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Sequence {
    let lead = unsafe position.pointee
    let length: Int
    var scalar: UInt32
    switch lead {
    case 0xC2...0xDF: (length, scalar) = (2, UInt32(lead & 0x1F))
    case 0xE0...0xEF: (length, scalar) = (3, UInt32(lead & 0x0F))
    case 0xF0...0xF4: (length, scalar) = (4, UInt32(lead & 0x07))
    default: return .invalid
    }
    for offset in 1..<length {
      guard unsafe position + offset < end else { return .cut }
      let next = unsafe position[offset]
      guard next & 0xC0 == 0x80 else { return .invalid }
      scalar = scalar << 6 | UInt32(next & 0x3F)
    }
    let isSound =
      switch length {
      case 2: true
      case 3: scalar >= 0x800 && !(0xD800...0xDFFF).contains(scalar) && scalar < 0xFFFE
      default: scalar >= 0x10000 && scalar <= 0x10FFFF
      }
    return isSound ? .whole(length: length, scalar: scalar) : .invalid
  }

  /// Returns the character for the digits of a character reference, or nil if XML does not allow it.
  @unsafe
  static func scalar(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let isHexadecimal = unsafe digits.first == UInt8(ascii: "x")
    let text = unsafe String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let value = UInt32(text, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value),
      value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D, value != 0xFFFE, value != 0xFFFF
    else { return nil }
    return scalar
  }

  /// Returns the character of a predefined entity, or nil for other names.
  @unsafe
  static func predefined(_ name: UnsafeBufferPointer<UInt8>) -> UInt8? {
    switch unsafe String(decoding: name, as: UTF8.self) {
    case "amp": UInt8(ascii: "&")
    case "lt": UInt8(ascii: "<")
    case "gt": UInt8(ascii: ">")
    case "quot": UInt8(ascii: "\"")
    case "apos": UInt8(ascii: "'")
    default: nil
    }
  }

  /// Returns whether an attribute's name is `xmlns` or begins with `xmlns:`.
  @unsafe
  @inline(__always)
  static func isDeclaration(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count >= 5, unsafe name[0] == UInt8(ascii: "x"), unsafe name[1] == UInt8(ascii: "m"),
      unsafe name[2] == UInt8(ascii: "l"), unsafe name[3] == UInt8(ascii: "n"),
      unsafe name[4] == UInt8(ascii: "s")
    else { return false }
    return unsafe count == 5 || name[5] == UInt8(ascii: ":")
  }

  /// Returns whether the bytes begin with a text, or nil if there are too few bytes to decide.
  @unsafe
  static func begins(
    _ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, with text: StaticString
  ) -> Bool? {
    for offset in 0..<text.utf8CodeUnitCount {
      guard unsafe position + offset < end else { return nil }
      if unsafe position[offset] != text.utf8Start[offset] { return false }
    }
    return true
  }
}
