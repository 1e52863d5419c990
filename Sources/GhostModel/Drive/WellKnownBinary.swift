public import TrackModel

/// Encodes lines as well-known binary (OGC 06-103r4, 8.2), for PostGIS, GeoParquet and others.
public enum WellKnownBinary {
  /// Encodes a little-endian LINESTRING in degrees east and north as upper-case hexadecimal digits: 18
  /// characters plus 32 per coordinate. Empty for fewer than two coordinates.
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

  /// Appends the little-endian bytes of a number.
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
