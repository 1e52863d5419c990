import TrackModel

/// The first bytes of a file and the properties that identify its format.
package struct FileOpening {
  /// The number of bytes examined: enough for the comments and declarations before a root element.
  package static let length = 1 << 14

  /// The bytes without byte order mark, and without the zeros of UTF-16 and UTF-32.
  package let bytes: [UInt8]
  /// The local name of the XML root element; nil if the content is not XML.
  let rootElement: String?
  /// The original first bytes, for binary formats.
  let start: [UInt8]

  /// The name of the file, for content that does not identify its format.
  package let name: String?
  /// Whether the file continues, or may continue, after ``bytes``.
  package let isCut: Bool

  package init(_ available: Span<UInt8>, name: String? = nil) {
    self.name = name
    isCut = available.count >= FileOpening.length
    start = available.extracting(first: 16).array
    var bytes = available.extracting(first: FileOpening.length).array
    // The relevant names are ASCII, so UTF-16 and UTF-32 are read by removing the zeros.
    if FileOpening.isWide(bytes) { bytes = bytes.filter { $0 != 0 && $0 < 0xFE } }
    bytes.removeFirst(bytes.span.byteOrderMarkLength)
    self.bytes = bytes
    rootElement = FileOpening.rootElement(bytes)
  }

  /// The properties of the bytes, read as JSON.
  var json: JSONOpening { JSONOpening(bytes) }

  /// Whether the text starts with an object, or an array of objects.
  var isJSON: Bool {
    let text = bytes.lazy.filter { $0 > 0x20 }.prefix(2)
    return text.first == UInt8(ascii: "{") || text.elementsEqual([UInt8(ascii: "["), UInt8(ascii: "{")])
  }

  /// Whether the text starts with an XML declaration, a comment or a document type.
  var isMarkup: Bool { begins(with: "<?") || begins(with: "<!") }

  /// Whether the text begins with other text, after white space.
  func begins(with text: StaticString) -> Bool {
    let bytes = bytes.drop { $0 <= 0x20 }
    return text.withUTF8Buffer { unsafe bytes.starts(with: $0) }
  }

  /// The first bytes of an SQLite database, such as a GeoPackage (sqlite.org/fileformat.html, 1.3).
  package static let databaseMark = Array("SQLite format 3\0".utf8)

  /// Whether the file is an SQLite database.
  var isDatabase: Bool { bytes.starts(with: FileOpening.databaseMark) }

  /// Whether the file is a library of drives: a database whose schema has the spatial index of the drives.
  var isLibrary: Bool {
    // Without the zeros of a database in UTF-16.
    isDatabase && String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).contains("\"rtree_drives_geom")
  }

  /// A description of the content, for errors about it.
  var description: String {
    if let rootElement { return "XML with the root element \(TrackError.printable(rootElement))" }
    if isDatabase { return "SQLite database" }
    if bytes.contains(where: { $0 < 0x09 }) { return "binary data" }
    if bytes.allSatisfy({ $0 <= 0x20 }) { return "only white space" }
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      return "markup without an element" + (isCut ? " in its first \(FileOpening.length / 1024) KiB" : "")
    }
    return "text"
  }

  private static func isWide(_ bytes: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]]
    if marks.contains(where: bytes.starts) { return true }
    // Without a byte order mark, every other byte of the first ones is zero.
    guard bytes.count >= 4 else { return false }
    let zeros = bytes.prefix(4).map { $0 == 0 }
    return [
      [false, true, false, true], [true, false, true, false], [false, true, true, true],
      [true, true, true, false],
    ]
    .contains(zeros)
  }

  /// Skips white space, declarations, comments and a document type, and returns the local name of the first
  /// start tag.
  private static func rootElement(_ bytes: [UInt8]) -> String? {
    var index = 0
    func starts(_ text: StaticString, at position: Int) -> Bool {
      text.withUTF8Buffer { unsafe bytes[position...].starts(with: $0) }
    }
    func skip(past text: StaticString) {
      while index < bytes.count, !starts(text, at: index) { index += 1 }
      index += text.utf8CodeUnitCount
    }
    while index < bytes.count {
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
      guard index < bytes.count, bytes[index] == UInt8(ascii: "<") else { return nil }
      if starts("<?", at: index) {
        skip(past: "?>")
      } else if starts("<!--", at: index) {
        skip(past: "-->")
      } else if starts("<!", at: index) {
        skipDocumentType()
      } else {
        return localName(bytes[(index + 1)...])
      }
    }
    return nil

    /// A document type may contain declarations in brackets, and quoted strings with any content.
    func skipDocumentType() {
      var brackets = 0
      var quote: UInt8?
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: "[") {
          brackets += 1
        } else if byte == UInt8(ascii: "]") {
          brackets -= 1
        } else if byte == UInt8(ascii: ">"), brackets <= 0 {
          return
        }
      }
    }
  }

  /// Returns the name up to white space or the tag's end, without its prefix, or nil if it is not a name.
  private static func localName(_ bytes: ArraySlice<UInt8>) -> String? {
    let name = bytes.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    guard let first = name.first, first >= UInt8(ascii: "A") || first == UInt8(ascii: ":") else { return nil }
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[(name.index(after: $0))...] } ?? name
    let text = String(decoding: local, as: UTF8.self)
    // Binary data has bytes that are not text.
    return local.isEmpty || text.unicodeScalars.contains("\u{FFFD}") ? nil : text
  }
}

extension ByteInput {
  /// The first bytes, which are not consumed. An error occurs again when they are read.
  var opening: FileOpening {
    mutating get {
      _ = try? fill(atLeast: FileOpening.length)
      return FileOpening(available)
    }
  }
}
