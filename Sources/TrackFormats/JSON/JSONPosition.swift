/// A position of GeoJSON: numbers in an array, which is nearly all that a file of tracks holds.
struct JSONPosition {
  /// Degrees east.
  var longitude: Double
  /// Degrees north.
  var latitude: Double
  /// Metres; NaN where there is none.
  var elevation: Double
  /// How many numbers there were, 2 or more.
  var count: Int

  init(longitude: Double, latitude: Double, elevation: Double, count: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.elevation = elevation
    self.count = count
  }

  /// Where its array begins.
  var start = 0

  /// Reads the array of two or three numbers that begins at `index` or behind blanks, and moves `index` behind it.
  ///
  /// - Returns: nil, and `index` where it was, for anything else and where the bytes end before the bracket.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, at index: inout Int) {
    var position = index
    JSONPosition.skipBlanks(bytes, &position)
    let start = position
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else { return nil }
    position += 1
    guard let longitude = JSONPosition.number(bytes, &position),
      position < bytes.count, bytes[position] == UInt8(ascii: ",")
    else { return nil }
    position += 1
    guard let latitude = JSONPosition.number(bytes, &position), position < bytes.count else { return nil }
    self.longitude = longitude
    self.latitude = latitude
    elevation = .nan
    count = 2
    if bytes[position] == UInt8(ascii: ",") {
      position += 1
      guard let elevation = JSONPosition.number(bytes, &position), position < bytes.count else { return nil }
      self.elevation = elevation
      count = 3
    }
    guard bytes[position] == UInt8(ascii: "]") else { return nil }
    self.start = start
    index = position + 1
  }

  /// A number with blanks around it.
  @inline(__always)
  private static func number(_ bytes: Span<UInt8>, _ position: inout Int) -> Double? {
    skipBlanks(bytes, &position)
    guard case .value(let value) = JSONNumber.scan(bytes, at: &position, isLast: false) else { return nil }
    skipBlanks(bytes, &position)
    return value
  }

  @inline(__always)
  private static func skipBlanks(_ bytes: Span<UInt8>, _ position: inout Int) {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }
}
