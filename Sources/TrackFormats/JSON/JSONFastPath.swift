import TrackModel

/// A fast path for long arrays of simple values, which make up nearly all of a track file.
extension JSONLexer {
  /// Reads further elements of the innermost array after the current one, as long as `scan` accepts them.
  ///
  /// - Parameter scan: moves the index past as many elements as it accepts, each with the comma before it.
  ///   The others are read by the general path.
  @inline(__always)
  mutating func takeRun(
    _ scan: (Span<UInt8>, inout Int) throws(TrackError) -> Void
  ) throws(TrackError) {
    var index = cursor
    defer { skip(to: index) }
    try scan(input.available, &index)
  }
}

/// Reads array elements in the usual notation, each with the comma before it. For all other elements, and for
/// elements that may continue after the end of the bytes, the functions return nil and leave `index`
/// unchanged.
enum JSONFastPath {
  /// Reads a position of two or three numbers with coordinates in range.
  @inline(__always)
  static func position(_ bytes: Span<UInt8>, at index: inout Int) -> JSONPosition? {
    var next = index
    guard comma(bytes, &next), next < bytes.count, bytes[next] == UInt8(ascii: "[") else { return nil }
    next &+= 1
    skipBlanks(bytes, &next)
    guard let longitude = number(bytes, &next), comma(bytes, &next), let latitude = number(bytes, &next)
    else { return nil }
    var elevation = Double.nan
    var count = 2
    skipBlanks(bytes, &next)
    if next < bytes.count, bytes[next] == UInt8(ascii: ",") {
      guard comma(bytes, &next), let third = number(bytes, &next) else { return nil }
      elevation = third
      count = 3
      skipBlanks(bytes, &next)
    }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "]"), abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    index = next &+ 1
    return JSONPosition(longitude: longitude, latitude: latitude, elevation: elevation, count: count)
  }

  /// Reads a time in quotation marks, in microseconds since 1970.
  @inline(__always)
  static func time(_ bytes: Span<UInt8>, at index: inout Int, _ clock: inout ISO8601Scanner) -> Int64? {
    var next = index
    guard comma(bytes, &next), next < bytes.count, bytes[next] == UInt8(ascii: "\"") else { return nil }
    next &+= 1
    guard let time = clock.scan(bytes, at: &next), next < bytes.count,
      bytes[next] == UInt8(ascii: "\"")
    else { return nil }
    index = next &+ 1
    return time
  }

  /// Reads a number.
  @inline(__always)
  static func value(_ bytes: Span<UInt8>, at index: inout Int) -> Double? {
    var next = index
    guard comma(bytes, &next), let value = number(bytes, &next) else { return nil }
    index = next
    return value
  }

  /// Skips a comma and the white space around it.
  @inline(__always)
  private static func comma(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
    skipBlanks(bytes, &index)
    guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return false }
    index &+= 1
    skipBlanks(bytes, &index)
    return true
  }

  /// Reads a valid number that is followed by a delimiter.
  @inline(__always)
  private static func number(_ bytes: Span<UInt8>, _ index: inout Int) -> Double? {
    let start = index
    guard let value = DecimalReading.scanInline(bytes, at: &index), index < bytes.count else { return nil }
    // Leading zeros are invalid: a zero must not be followed by another digit.
    var first = start
    if bytes[first] == UInt8(ascii: "-") { first &+= 1 }
    if bytes[first] == UInt8(ascii: "0"), bytes[first &+ 1] &- UInt8(ascii: "0") <= 9 { return nil }
    let next = bytes[index]
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "]") || next <= 0x20 else { return nil }
    return value
  }

  @inline(__always)
  private static func skipBlanks(_ bytes: Span<UInt8>, _ position: inout Int) {
    while position < bytes.count {
      let byte = bytes[position]
      // Rarely true, so that most calls need one comparison.
      guard byte <= 0x20 else { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position &+= 1
    }
  }
}
