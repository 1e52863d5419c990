public import TrackModel

/// Encodes lines as well-known binary (OGC 06-103r4, 8.2), for PostGIS, GeoParquet and others.
public enum WellKnownBinary {
  /// Encodes a little-endian LINESTRING in degrees east and north: 9 bytes plus 16 per coordinate. Empty for
  /// fewer than two coordinates.
  ///
  /// - Parameters:
  ///   - coordinates: the coordinates in driving order.
  ///   - spatialReference: the identifier of the spatial reference, which PostGIS adds to the format
  ///     (EWKB) in four more bytes.
  public static func line(_ coordinates: [Coordinate], spatialReference: UInt32? = nil) -> [UInt8] {
    let count = coordinates.count < 2 ? 0 : coordinates.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(13 + count * 16)
    // 1 is little-endian, 2 is a line.
    bytes.append(1)
    bytes.append(littleEndian: UInt32(2) | (spatialReference == nil ? 0 : hasReference))
    if let spatialReference { bytes.append(littleEndian: spatialReference) }
    bytes.append(littleEndian: UInt32(clamping: count))
    for row in 0..<count {
      bytes.append(littleEndian: coordinates[row].longitude)
      bytes.append(littleEndian: coordinates[row].latitude)
    }
    return bytes
  }

  /// The bit of the type that announces a spatial reference.
  package static var hasReference: UInt32 { 0x2000_0000 }

  /// Returns bytes as upper-case hexadecimal digits.
  public static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 0x0F))
    }
    return digits
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

extension [UInt8] {
  /// Appends the bytes of an integer, the lowest first.
  package mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
    for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
    }
  }

  /// Appends the bytes of a number, the lowest first.
  package mutating func append(littleEndian value: Double) { append(littleEndian: value.bitPattern) }
}
