import TrackModel

/// A position of GeoJSON: an array of numbers. Track files consist almost entirely of positions.
struct JSONPosition {
  /// Degrees east.
  var longitude: Double
  /// Degrees north.
  var latitude: Double
  /// Metres; NaN if missing.
  var elevation: Double
  /// The number of numbers in the array, 2 or more.
  var count: Int

  init(longitude: Double, latitude: Double, elevation: Double, count: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.elevation = elevation
    self.count = count
  }

  enum Scan {
    /// A complete position, with the index of its array.
    case whole(JSONPosition, start: Int)
    /// The bytes end inside a possible position.
    case incomplete
    /// Something else, which may still be an array.
    case other
  }

  /// Reads an array of two or three numbers at `index`, after optional white space, and moves `index` past
  /// it. Otherwise `index` is unchanged.
  @inline(__always)
  static func scan(_ bytes: Span<UInt8>, at index: inout Int) -> Scan {
    var position = index
    skipBlanks(bytes, &position)
    let start = position
    var result = JSONPosition(longitude: .nan, latitude: .nan, elevation: .nan, count: 0)
    guard position < bytes.count else { return .incomplete }
    guard bytes[position] == UInt8(ascii: "[") else { return .other }
    position += 1
    while result.count < 3 {
      skipBlanks(bytes, &position)
      switch JSONNumber.scan(bytes, at: &position, isLast: false) {
      case .value(let value):
        switch result.count {
        case 0: result.longitude = value
        case 1: result.latitude = value
        default: result.elevation = value
        }
      case .incomplete: return .incomplete
      case .outOfRange, .malformed: return .other
      }
      result.count += 1
      skipBlanks(bytes, &position)
      guard position < bytes.count else { return .incomplete }
      if bytes[position] == UInt8(ascii: "]"), result.count >= 2 {
        index = position + 1
        return .whole(result, start: start)
      }
      guard bytes[position] == UInt8(ascii: ",") else { return .other }
      position += 1
    }
    return .other
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
