import TrackModel

/// A strict reader of JSON (RFC 8259) over bytes in memory, value by value at a position that moves forward.
///
/// What the grammar leaves open is settled on the strict side: UTF-8 only, surrogates only in pairs. Every error
/// names the byte offset of what was wrong and what was expected there.
struct JSONScanner: ~Escapable {
  let bytes: Span<UInt8>
  private(set) var index = 0

  /// How deep arrays and objects may lie in each other.
  static let depthLimit = 512

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
  }

  /// The next byte, or 0 at the end, which is no part of the grammar.
  @inline(__always)
  var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  @inline(__always)
  mutating func skipBlanks() {
    // One comparison for the usual case that there are none.
    while index < bytes.count, bytes[index] <= 0x20 {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
    }
  }

  /// Takes a byte where it is the next.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Takes a punctuation mark and the blanks before it.
  @inline(__always)
  mutating func expect(_ byte: UInt8, _ what: StaticString) throws(TrackError) {
    skipBlanks()
    if !take(byte) { throw expected("\(what)") }
  }

  /// Takes nothing but blanks to the end.
  mutating func expectEnd() throws(TrackError) {
    skipBlanks()
    if index < bytes.count { throw expected("the end") }
  }

  /// The error that something else stands at the position, or that the bytes end there.
  func expected(_ what: String, at offset: Int? = nil) -> TrackError {
    let offset = offset ?? index
    if offset >= bytes.count {
      return TrackError(
        .truncated, "ends where \(what) was expected", place: Place(byteOffset: offset),
        hint: "the data is cut off")
    }
    return TrackError(
      .malformed, "expected \(what)", place: Place(byteOffset: offset), offendingText: text(from: offset))
  }

  /// What stands at an offset, for people: to the next punctuation mark, at most 40 bytes.
  func text(from offset: Int) -> String {
    var shown: [UInt8] = []
    for position in offset..<min(offset + 40, bytes.count) {
      let byte = bytes[position]
      let isMark = byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
      if isMark || byte == UInt8(ascii: "]"), position > offset { break }
      shown.append(byte)
    }
    return String(decoding: shown, as: UTF8.self)
  }

  // MARK: Numbers

  /// The number at the position, correctly rounded.
  @inline(__always)
  mutating func number() throws(TrackError) -> Double {
    let start = index
    try skipNumber()
    var position = start
    guard let value = DecimalReading.scan(bytes, at: &position), position == index else {
      throw TrackError(
        .invalidValue, "number too large", place: Place(byteOffset: start), offendingText: text(from: start))
    }
    return value
  }

  /// Moves behind a number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  mutating func skipNumber() throws(TrackError) {
    var position = index
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    position = endOfDigits(from: position)
    guard position > first else { throw expected("a number") }
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      throw expected("a number without leading zeros", at: first)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      let decimals = position + 1
      position = endOfDigits(from: decimals)
      guard position > decimals else { throw expected("a digit", at: position) }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        position += 1
      }
      let digits = position
      position = endOfDigits(from: digits)
      guard position > digits else { throw expected("a digit", at: position) }
    }
    index = position
  }

  @inline(__always)
  private func endOfDigits(from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
    return position
  }

  // MARK: Strings

  /// The string at the position as UTF-8, its escapes resolved.
  mutating func string() throws(TrackError) -> [UInt8] {
    let (content, hasEscapes) = try rangeOfString()
    return hasEscapes ? unescaped(content) : copy(content)
  }

  /// The string at the position as text.
  mutating func text() throws(TrackError) -> String {
    String(decoding: try string(), as: UTF8.self)
  }

  /// Moves behind a string and tells where its content lies, and whether it holds escapes.
  mutating func rangeOfString() throws(TrackError) -> (content: Range<Int>, hasEscapes: Bool) {
    if !take(UInt8(ascii: "\"")) { throw expected("a string") }
    let start = index
    var position = start
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        index = position + 1
        return (start..<position, hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position = try endOfEscape(at: position)
      } else if byte < 0x20 {
        throw expected("an escape for a control character", at: position)
      } else if byte < 0x80 {
        position += 1
      } else {
        position += try lengthOfUTF8(at: position)
      }
    }
    throw expected("the end of a string", at: position)
  }

  /// Behind the escape that begins at a backslash; a pair of surrogates is one.
  private func endOfEscape(at start: Int) throws(TrackError) -> Int {
    guard start + 1 < bytes.count else { throw expected("an escape", at: start + 1) }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(at: start + 2)
      if unit & 0xF800 != 0xD800 { return start + 6 }
      guard unit < 0xDC00, start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
        bytes[start + 7] == UInt8(ascii: "u"), try hexadecimal(at: start + 8) & 0xFC00 == 0xDC00
      else { throw expected("a pair of surrogates", at: start) }
      return start + 12
    default: throw expected("an escape", at: start)
    }
  }

  private func hexadecimal(at start: Int) throws(TrackError) -> UInt32 {
    var value: UInt32 = 0
    for position in start..<(start + 4) {
      guard position < bytes.count, let digit = Self.hexadecimalDigit(bytes[position]) else {
        throw expected("four hexadecimal digits", at: position)
      }
      value = value << 4 | digit
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  /// The length of the multi-byte character at a position, by table 3-7 of the Unicode standard.
  private func lengthOfUTF8(at start: Int) throws(TrackError) -> Int {
    let lead = bytes[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw expected("UTF-8", at: start)
    }
    for offset in 1..<length {
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard start + offset < bytes.count else { throw expected("UTF-8", at: start + offset) }
      guard allowed.contains(bytes[start + offset]) else { throw expected("UTF-8", at: start) }
    }
    return length
  }

  private func copy(_ content: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    for position in content { result.append(bytes[position]) }
    return result
  }

  /// The bytes of a string whose escapes are known to be sound.
  func unescaped(_ content: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var position = content.lowerBound
    while position < content.upperBound {
      let byte = bytes[position]
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        position += 1
        continue
      }
      let kind = bytes[position + 1]
      position += 2
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = soundHexadecimal(at: position)
        position += 4
        if scalar & 0xF800 == 0xD800 {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + soundHexadecimal(at: position + 2) & 0x3FF
          position += 6
        }
        if let scalar = Unicode.Scalar(scalar) { result.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
      default: result.append(kind)
      }
    }
    return result
  }

  private func soundHexadecimal(at start: Int) -> UInt32 {
    (start..<(start + 4)).reduce(0) { $0 << 4 | (Self.hexadecimalDigit(bytes[$1]) ?? 0) }
  }

  // MARK: Values

  /// Moves behind a value of any kind and the blanks before it.
  ///
  /// - Parameter depth: how many arrays and objects are open around it.
  mutating func skipValue(depth: Int) throws(TrackError) {
    skipBlanks()
    switch next {
    case UInt8(ascii: "\""): _ = try rangeOfString()
    case UInt8(ascii: "{"): try skipObject(depth: depth + 1)
    case UInt8(ascii: "["): try skipArray(depth: depth + 1)
    case UInt8(ascii: "t"): try skipWord("true")
    case UInt8(ascii: "f"): try skipWord("false")
    case UInt8(ascii: "n"): try skipWord("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
    default: throw expected("a value")
    }
  }

  /// Takes `null` where it stands.
  mutating func takeNull() throws(TrackError) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: "n") else { return false }
    try skipWord("null")
    return true
  }

  private mutating func skipWord(_ word: StaticString) throws(TrackError) {
    let start = index
    for byte in "\(word)".utf8 where !take(byte) { throw expected("\(word)", at: start) }
  }

  private mutating func skipArray(depth: Int) throws(TrackError) {
    try checkDepth(depth)
    index += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return }
    while true {
      try skipValue(depth: depth)
      skipBlanks()
      if take(UInt8(ascii: "]")) { return }
      if !take(UInt8(ascii: ",")) { throw expected("a comma or ]") }
    }
  }

  private mutating func skipObject(depth: Int) throws(TrackError) {
    try checkDepth(depth)
    index += 1
    skipBlanks()
    if take(UInt8(ascii: "}")) { return }
    while true {
      skipBlanks()
      _ = try rangeOfString()
      try expect(UInt8(ascii: ":"), "a colon")
      try skipValue(depth: depth)
      skipBlanks()
      if take(UInt8(ascii: "}")) { return }
      if !take(UInt8(ascii: ",")) { throw expected("a comma or }") }
    }
  }

  private func checkDepth(_ depth: Int) throws(TrackError) {
    guard depth > Self.depthLimit else { return }
    throw TrackError(
      .limitExceeded, "nested deeper than \(Self.depthLimit) levels", place: Place(byteOffset: index))
  }
}
