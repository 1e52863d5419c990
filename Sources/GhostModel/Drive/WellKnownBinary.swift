public import TrackModel

/// Lines as well-known binary (OGC 06-103r4, 8.2): what PostGIS, GeoParquet and most others take.
public enum WellKnownBinary {
  /// A LINESTRING of degrees east and north, little-endian, as hexadecimal digits in capitals; empty for
  /// fewer than two coordinates, which are no line. 18 characters and 32 for each coordinate.
  public static func hexadecimalLine(_ coordinates: [Coordinate]) -> [UInt8] {
    let count = coordinates.count < 2 ? 0 : coordinates.count
    var digits: [UInt8] = []
    digits.reserveCapacity(18 + count * 32)
    // 1 is little-endian, 2 is a line.
    append(UInt8(1), &digits)
    append(UInt32(2), &digits)
    append(UInt32(clamping: count), &digits)
    for row in 0..<count {
      append(coordinates[row].longitude.bitPattern, &digits)
      append(coordinates[row].latitude.bitPattern, &digits)
    }
    return digits
  }

  /// The bytes of a number, the lowest first.
  private static func append<Integer: FixedWidthInteger>(_ value: Integer, _ digits: inout [UInt8]) {
    var rest = value
    for _ in 0..<(Integer.bitWidth / 8) {
      let byte = UInt8(truncatingIfNeeded: rest)
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 0x0F))
      rest >>= 8
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
