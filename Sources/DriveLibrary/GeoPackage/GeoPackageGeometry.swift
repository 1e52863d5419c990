import GhostModel
import TrackModel

/// Encodes and decodes GeoPackage geometries: a header with an envelope, followed by well-known binary (OGC
/// 12-128, 2.1.3).
enum GeoPackageGeometry {
  /// EPSG code of WGS 84.
  static let spatialReference: Int32 = 4326

  struct Envelope: Sendable, Equatable {
    var minX: Double
    var maxX: Double
    var minY: Double
    var maxY: Double
  }

  /// Encodes a LINESTRING in degrees east and north. Empty for fewer than two coordinates.
  static func line(_ coordinates: [Coordinate]) -> [UInt8] {
    var bytes: [UInt8] = []
    let isEmpty = coordinates.count < 2
    bytes.reserveCapacity(57 + coordinates.count * 16)
    // "GP", version 0, flags: little-endian, envelope of x and y unless empty.
    bytes += [0x47, 0x50, 0, isEmpty ? 0b01_0001 : 0b00_0011]
    bytes.append(littleEndian: UInt32(bitPattern: spatialReference))
    if !isEmpty {
      let envelope = envelope(of: coordinates)
      for value in [envelope.minX, envelope.maxX, envelope.minY, envelope.maxY] {
        bytes.append(littleEndian: value)
      }
    }
    bytes += WellKnownBinary.line(coordinates)
    return bytes
  }

  /// Returns the envelope of a line, with all longitudes if the line crosses the antimeridian.
  private static func envelope(of coordinates: [Coordinate]) -> Envelope {
    var result = Envelope(
      minX: .infinity, maxX: -.infinity, minY: .infinity, maxY: -.infinity)
    for coordinate in coordinates {
      result.minX = min(result.minX, coordinate.longitude)
      result.maxX = max(result.maxX, coordinate.longitude)
      result.minY = min(result.minY, coordinate.latitude)
      result.maxY = max(result.maxY, coordinate.latitude)
    }
    if zip(coordinates, coordinates.dropFirst()).contains(where: { abs($0.longitude - $1.longitude) > 180 }) {
      (result.minX, result.maxX) = (-180, 180)
    }
    return result
  }

  /// Returns the union of two optional envelopes.
  static func union(_ first: Envelope?, _ second: Envelope?) -> Envelope? {
    guard let first, let second else { return first ?? second }
    return Envelope(
      minX: min(first.minX, second.minX), maxX: max(first.maxX, second.maxX),
      minY: min(first.minY, second.minY), maxY: max(first.maxY, second.maxY))
  }

  /// Returns the envelope of a header, or `nil` if it is missing, or if the geometry is empty or invalid.
  /// Supports both byte orders and all kinds of envelopes.
  static func envelope(_ bytes: [UInt8]) -> Envelope? {
    guard bytes.count >= 8, bytes[0] == 0x47, bytes[1] == 0x50 else { return nil }
    let flags = bytes[3]
    guard flags & 0b1_0000 == 0, (1...4).contains(flags >> 1 & 0b111), bytes.count >= 40 else { return nil }
    func value(_ index: Int) -> Double {
      var bits: UInt64 = 0
      for offset in 0..<8 {
        let byte = UInt64(bytes[8 + index * 8 + offset])
        bits |= byte << UInt64(flags & 1 == 1 ? offset * 8 : 56 - offset * 8)
      }
      return Double(bitPattern: bits)
    }
    return Envelope(minX: value(0), maxX: value(1), minY: value(2), maxY: value(3))
  }

  /// Whether the geometry is empty or missing.
  static func isEmpty(_ bytes: [UInt8]) -> Bool { bytes.count < 8 || bytes[3] & 0b1_0000 != 0 }
}
