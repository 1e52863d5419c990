/// Converts file names between arbitrary bytes and text losslessly.
///
/// Unix file names are arbitrary bytes. Bytes that are not valid UTF-8 are mapped to a private use area
/// (U+10FE80 for 0x80, and so on) and mapped back for system calls. If a name already contains such
/// characters, all its non-ASCII bytes are mapped individually, so that every name round-trips.
public enum FileName {
  private static let privateUse: UInt32 = 0x10_FE00
  // Paths are searched by bytes, because characters are many times slower.
  private static let slash = UInt8(ascii: "/")

  /// Converts a file name from the system to text.
  ///
  /// - Parameter name: a null-terminated name.
  @unsafe
  package static func text(_ name: UnsafePointer<CChar>) -> String {
    var bytes: [UInt8] = []
    var cursor = unsafe name
    while unsafe cursor.pointee != 0 {
      bytes.append(UInt8(bitPattern: unsafe cursor.pointee))
      unsafe cursor += 1
    }
    return text(bytes)
  }

  package static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isByte) {
      return text
    }
    var result = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let count = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      let head = rest.prefix(count)
      if head.count == count, let text = String(validating: head, as: UTF8.self),
        let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1, !isByte(scalar)
      {
        result.append(scalar)
        rest = rest.dropFirst(count)
      } else {
        if let scalar = Unicode.Scalar(privateUse + UInt32(first)) { result.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// Returns the bytes of a name.
  public static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isByte(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += String(scalar).utf8
      }
    }
    return bytes
  }

  /// Whether a name precedes another one in byte order.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    isText(first) && isText(second)
      ? first.utf8.lexicographicallyPrecedes(second.utf8)
      : bytes(first).lexicographicallyPrecedes(bytes(second))
  }

  /// Calls `body` with the name as a null-terminated C string.
  package static func with<Result>(_ text: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard text.unicodeScalars.contains(where: isByte) else {
      return unsafe text.withCString { unsafe body($0) }
    }
    let name = bytes(text).map { CChar(bitPattern: $0) } + [0]
    return unsafe name.withUnsafeBufferPointer { buffer in
      // Not nil, because the array contains at least the terminator.
      unsafe buffer.baseAddress.map { unsafe body($0) } ?? text.withCString { unsafe body($0) }
    }
  }

  /// Returns the last component of a path without its extension, and without those of a drive document and of
  /// a compression: `ride` of `tours/ride.GPX.gz`.
  package static func stem(_ path: String) -> String {
    var name = without(String(last(path))) { packed.contains($0) }
    name = without(name) { _ in true }
    return without(name) { $0 == "drive" }
  }

  /// Extensions of compression formats.
  private static let packed = ["gz", "xz", "zst", "bz2", "tgz"]

  /// Removes an extension that satisfies a condition, unless the name consists only of it.
  private static func without(_ name: String, _ isWished: (String) -> Bool) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      isWished(name[name.index(after: dot)...].lowercased())
    else { return name }
    return String(name[..<dot])
  }

  /// Whether the bytes of a name are valid UTF-8, so that its displayed form is unambiguous.
  public static func isText(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isByte) }

  /// The name for display, with invalid bytes as replacement characters.
  public static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isByte) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isByte($0) ? "\u{FFFD}" : $0 }))
  }

  /// The folder of a path with its trailing slash. Empty for the current folder.
  package static func folder(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: slash) else { return "" }
    return String(path[..<path.utf8.index(after: slash)])
  }

  /// The path of a folder with a slash at its end, as the prefix of the paths in it.
  package static func folderPrefix(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

  /// The last component of a path, without a slash at its end.
  package static func last(_ path: String) -> Substring {
    let bytes = path.utf8
    guard let last = bytes.lastIndex(where: { $0 != slash }) else { return "" }
    let start = bytes[...last].lastIndex(of: slash).map { bytes.index(after: $0) } ?? bytes.startIndex
    return path[start..<bytes.index(after: last)]
  }

  /// The components of a path without empty ones.
  package static func components(_ path: String) -> [Substring] {
    path.utf8.split(separator: slash).map { Substring($0) }
  }

  /// The text after the last full stop of a file's name, or nil for a name without a full stop.
  package static func fileExtension(_ path: String) -> Substring? {
    let name = last(path)
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] }
  }

  /// Returns a name that is valid on all file systems and contains no path. It can be empty.
  ///
  /// - Parameter limit: the maximum number of bytes. File systems allow 255 with the extension.
  package static func safe(_ name: some StringProtocol, limit: Int) -> String {
    var result = ""
    for character in name {
      let next = character.unicodeScalars.allSatisfy(isSafe) ? String(character) : "_"
      guard result.utf8.count + next.utf8.count <= limit else { break }
      result += next
    }
    // Hidden files, `..`, and names that Windows would truncate.
    while result.hasPrefix(".") || result.hasPrefix(" ") { result.removeFirst() }
    while result.hasSuffix(".") || result.hasSuffix(" ") { result.removeLast() }
    return result
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return !"<>:\"/\\|?*".unicodeScalars.contains(scalar) }
    return !scalar.isUnprintable && scalar != "\u{FFFD}"
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
    (privateUse + 0x80...privateUse + 0xFF).contains(scalar.value)
  }
}
