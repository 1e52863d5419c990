import TrackModel

/// A JSON scanner (RFC 8259) over bytes in memory.
///
/// It is strict, except that a comma may precede the end of an array or object, as in Foundation. It accepts
/// only UTF-8 and paired surrogates. Every error contains the byte offset and the expected input.
struct JSONScanner: ~Escapable {
  let bytes: Span<UInt8>
  var index = 0

  /// The maximum nesting depth of arrays and objects.
  static let depthLimit = 512

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    index = bytes.byteOrderMarkLength
  }

  /// The next byte, or 0 at the end.
  @inline(__always)
  var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  @inline(__always)
  mutating func skipBlanks() {
    // A single comparison for the common case of no whitespace.
    while index < bytes.count, bytes[index] <= 0x20 {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
    }
  }

  /// Consumes a byte if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Consumes a punctuation mark and preceding whitespace.
  @inline(__always)
  mutating func expect(_ byte: UInt8, _ what: StaticString) throws(TrackError) {
    skipBlanks()
    if !take(byte) { throw expected("\(what)") }
  }

  /// Consumes a comma, the closing mark, or both after an element of an array or object.
  ///
  /// Foundation accepts one comma before the closing mark, and so the app does.
  ///
  /// - Returns: whether another element follows.
  @inline(__always)
  mutating func hasElement(before close: UInt8, _ what: StaticString) throws(TrackError) -> Bool {
    skipBlanks()
    let hasComma = take(UInt8(ascii: ","))
    if hasComma { skipBlanks() }
    if take(close) { return false }
    if !hasComma { throw expected("\(what)") }
    return true
  }

  /// Consumes trailing whitespace up to the end.
  mutating func expectEnd() throws(TrackError) {
    skipBlanks()
    if index < bytes.count { throw expected("the end") }
  }

  /// Returns the error for unexpected input or the end of the bytes.
  func expected(_ what: String, at offset: Int? = nil) -> TrackError {
    let offset = offset ?? index
    if offset >= bytes.count {
      return TrackError(
        .truncated, "unexpected end, expected \(what)", place: InputLocation(byteOffset: offset),
        suggestion: .text("the data is truncated"))
    }
    return TrackError(
      .malformed, "expected \(what)", place: InputLocation(byteOffset: offset),
      offendingText: text(from: offset))
  }

  /// Returns the text at an offset up to the next punctuation mark, at most 40 bytes.
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

  /// Reads a correctly rounded number.
  mutating func number() throws(TrackError) -> Double {
    let start = index
    guard let value = try scanNumber() else {
      throw TrackError(
        .invalidValue, "number too large", place: InputLocation(byteOffset: start),
        offendingText: text(from: start))
    }
    return value
  }

  /// Skips a number.
  mutating func skipNumber() throws(TrackError) { _ = try scanNumber() }

  /// Returns a number, or nil if it is out of range for a `Double`.
  private mutating func scanNumber() throws(TrackError) -> Double? {
    var position = index
    let scan = JSONNumber.scan(bytes, at: &position, isLast: true)
    switch scan {
    case .value(let value):
      index = position
      return value
    case .outOfRange:
      index = position
      return nil
    case .malformed(.leadingZero): throw expected("a number without leading zeros", at: position)
    case .malformed(.digit): throw expected("a digit", at: position)
    case .malformed(.number), .incomplete:
      throw expected("a number", at: position < bytes.count ? index : position)
    }
  }

  // MARK: Values

  /// Skips a value of any kind and preceding whitespace.
  ///
  /// - Parameter depth: the number of enclosing arrays and objects.
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

  private mutating func skipWord(_ word: StaticString) throws(TrackError) {
    let start = index
    for byte in "\(word)".utf8 where !take(byte) { throw expected("\(word)", at: start) }
  }

  private mutating func skipArray(depth: Int) throws(TrackError) {
    try checkDepth(depth)
    index += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return }
    repeat { try skipValue(depth: depth) } while try hasElement(before: UInt8(ascii: "]"), "a comma or ]")
  }

  private mutating func skipObject(depth: Int) throws(TrackError) {
    try checkDepth(depth)
    index += 1
    skipBlanks()
    if take(UInt8(ascii: "}")) { return }
    repeat {
      _ = try rangeOfString()
      try expect(UInt8(ascii: ":"), "a colon")
      try skipValue(depth: depth)
    } while try hasElement(before: UInt8(ascii: "}"), "a comma or }")
  }

  private func checkDepth(_ depth: Int) throws(TrackError) {
    guard depth > Self.depthLimit else { return }
    throw TrackError(
      .limitExceeded, "nested deeper than \(Self.depthLimit) levels", place: InputLocation(byteOffset: index))
  }
}
