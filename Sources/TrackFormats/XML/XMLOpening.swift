import TrackModel

/// What the first bytes of a document tell about which parser it is for.
enum XMLOpening {
  /// How many bytes are looked at; a document whose root begins later goes to libxml2.
  static let length = 1 << 14

  /// Whether a document is UTF-8 without a document type, as far as the bytes before its root element say.
  static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    if starts(bytes, at: 0, "<?xml") {
      guard let close = find("?>", in: bytes, from: 0) else { return false }
      guard isUTF8(declaration: bytes.extracting(0..<close)) else { return false }
      index = close + 2
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte <= 0x20 {
        if byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return false }
        index += 1
      } else if starts(bytes, at: index, "<!--") {
        guard let close = find("-->", in: bytes, from: index) else { return false }
        index = close + 3
      } else if starts(bytes, at: index, "<?") {
        guard let close = find("?>", in: bytes, from: index) else { return false }
        index = close + 2
      } else {
        // A root element, or something that is a fault for both parsers.
        return byte == UInt8(ascii: "<") && index + 1 < bytes.count && bytes[index + 1] != UInt8(ascii: "!")
          && bytes[index + 1] != 0
      }
    }
    return false
  }

  /// Whether an XML declaration names no other encoding than UTF-8, or ASCII, which is part of it.
  private static func isUTF8(declaration: Span<UInt8>) -> Bool {
    var text = ""
    for index in declaration.indices { text.unicodeScalars.append(Unicode.Scalar(declaration[index])) }
    // The declaration has to be sound to be judged here.
    guard text.contains("version=\"1.0\"") || text.contains("version='1.0'") else { return false }
    guard let name = text.split(separator: "encoding", maxSplits: 1).dropFirst().first else { return true }
    let value = name.drop { $0 == " " || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return false }
    return ["utf-8", "us-ascii", "ascii"].contains(value.dropFirst().prefix { $0 != quote }.lowercased())
  }

  private static func starts(_ bytes: Span<UInt8>, at index: Int, _ text: StaticString) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    for (offset, byte) in String(describing: text).utf8.enumerated() where bytes[index + offset] != byte {
      return false
    }
    return true
  }

  private static func find(_ text: StaticString, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if starts(bytes, at: index, text) { return index }
      index += 1
    }
    return nil
  }
}
