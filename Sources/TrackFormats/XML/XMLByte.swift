/// What single bytes and characters mean in XML 1.0 in UTF-8.
enum XMLByte {
  /// A byte of text that stands for itself. The others need a look: `<`, `&`, `>`, line ends, control
  /// characters, and all beyond ASCII.
  static let ordinary: UInt8 = 0

  /// Says of each byte whether it is ``ordinary``; 256 bytes, for their owner to deallocate.
  @unsafe
  static func makeTable() -> UnsafeMutablePointer<UInt8> {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for byte in 0..<256 {
      // A tab is itself in a text and a blank in an attribute, so it needs a look as well.
      let isOrdinary = byte >= 0x20 && byte < 0x80 && !"<&>".utf8.contains(UInt8(byte))
      unsafe table[byte] = isOrdinary ? ordinary : 1
    }
    return unsafe table
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  /// Whether a name may begin with this byte. Beyond ASCII any character is taken for one; ``XMLNameTable``
  /// looks at it once per name.
  @inline(__always)
  static func beginsName(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
  }

  @inline(__always)
  static func isName(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte >= 0x80
  }

  /// Whether a whole name is one of XML 1.0, fifth edition, production 5, with at most one colon inside.
  static func isName(_ name: String) -> Bool {
    var colons = 0
    for (index, scalar) in name.unicodeScalars.enumerated() {
      let begins: Bool =
        switch scalar.value {
        case 0x3A, 0x5F, 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
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
      if scalar == ":" { colons += 1 }
    }
    return !name.isEmpty && colons <= 1
  }

  /// One character beyond ASCII.
  enum Sequence {
    case whole(length: Int, scalar: UInt32)
    /// The bytes end inside it.
    case cut
    case invalid
  }

  /// Decodes a UTF-8 sequence of two to four bytes that is a character of XML: no overlong form, no surrogate,
  /// not U+FFFE or U+FFFF.
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

  /// The character that `#` and these digits refer to; nil where it is none that XML allows.
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

  /// The character of one of the five predefined entities.
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

  /// The prefix that an attribute declares: `.some(nil)` for `xmlns` itself, nil for any other attribute.
  @unsafe
  static func declaredPrefix(_ name: UnsafePointer<UInt8>, _ count: Int) -> String?? {
    guard count >= 5, unsafe name[0] == UInt8(ascii: "x"), unsafe name[1] == UInt8(ascii: "m"),
      unsafe name[2] == UInt8(ascii: "l"), unsafe name[3] == UInt8(ascii: "n"),
      unsafe name[4] == UInt8(ascii: "s")
    else { return nil }
    if count == 5 { return .some(nil) }
    guard unsafe name[5] == UInt8(ascii: ":"), count > 6 else { return nil }
    return unsafe String(decoding: UnsafeBufferPointer(start: name + 6, count: count - 6), as: UTF8.self)
  }

  /// Whether the bytes begin with a text; nil where they end before that is known.
  @unsafe
  static func begins(_ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, with text: StaticString) -> Bool? {
    for offset in 0..<text.utf8CodeUnitCount {
      guard unsafe position + offset < end else { return nil }
      if unsafe position[offset] != text.utf8Start[offset] { return false }
    }
    return true
  }

  /// Where a text of ASCII begins first, or nil.
  @unsafe
  static func find(
    _ text: StaticString, from position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    let first = unsafe text.utf8Start[0]
    var cursor = unsafe position
    while unsafe cursor < end {
      if unsafe cursor.pointee == first, unsafe begins(cursor, end, with: text) == true { return unsafe cursor }
      unsafe cursor += 1
    }
    return nil
  }
}
