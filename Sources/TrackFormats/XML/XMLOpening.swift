import TrackModel

/// Chooses the parser for a document from its first bytes.
enum XMLOpening {
  /// The number of bytes examined. A document whose root element begins later is read by libxml2.
  static let length = 1 << 14

  /// Returns whether the bytes before the root element indicate UTF-8 without a document type.
  static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    var cursor = Cursor(bytes)
    if cursor.take("<?xml"), !cursor.takeDeclaration() { return false }
    while true {
      cursor.skipBlanks()
      if cursor.take("<!--") {
        guard cursor.skip(behind: "-->") else { return false }
      } else if cursor.take("<?") {
        guard cursor.skip(behind: "?>") else { return false }
      } else {
        // A root element, or a fault for both parsers. In UTF-16 the second byte is zero.
        return cursor.take("<") && cursor.index < bytes.count && bytes[cursor.index] != UInt8(ascii: "!")
          && bytes[cursor.index] != 0
      }
    }
  }

  /// An offset in the bytes.
  private struct Cursor: ~Escapable {
    let bytes: Span<UInt8>
    var index = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Consumes the rest of an XML declaration after `<?xml`. Returns false unless it matches XML 1.0
    /// (production 23) exactly and names no encoding other than UTF-8; other declarations are left to
    /// libxml2.
    mutating func takeDeclaration() -> Bool {
      guard skipBlanks(), take("version"), takeValue("1.0") else { return false }
      var hasBlank = skipBlanks()
      if hasBlank, take("encoding") {
        guard takeValue("utf-8", ignoresCase: true) else { return false }
        hasBlank = skipBlanks()
      }
      if hasBlank, take("standalone") {
        guard takeValue("yes") || takeValue("no") else { return false }
        skipBlanks()
      }
      return take("?>")
    }

    /// Consumes an equals sign and a quoted value. Consumes nothing if they do not follow.
    private mutating func takeValue(_ value: StaticString, ignoresCase: Bool = false) -> Bool {
      let start = index
      skipBlanks()
      if take("=") {
        skipBlanks()
        let open = index
        for quote in ["\"", "'"] as [StaticString] {
          if take(quote), take(value, ignoresCase: ignoresCase), take(quote) { return true }
          index = open
        }
      }
      index = start
      return false
    }

    /// Consumes white space.
    ///
    /// - Returns: whether white space was found.
    @discardableResult
    mutating func skipBlanks() -> Bool {
      let start = index
      while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
      return index > start
    }

    /// Consumes a text if it follows, and returns whether it did.
    mutating func take(_ text: StaticString, ignoresCase: Bool = false) -> Bool {
      guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
      for offset in 0..<text.utf8CodeUnitCount {
        let byte = bytes[index + offset]
        let isCapital = ignoresCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        guard unsafe (isCapital ? byte | 0x20 : byte) == text.utf8Start[offset] else { return false }
      }
      index += text.utf8CodeUnitCount
      return true
    }

    /// Moves to the end of the next occurrence of a text. Returns false if the text does not occur.
    mutating func skip(behind text: StaticString) -> Bool {
      while index < bytes.count {
        if take(text) { return true }
        index += 1
      }
      return false
    }
  }
}
