import GhostModel
import TrackModel

/// Encodes geometries for PostGIS: well-known binary with a spatial reference (EWKB), little-endian, WGS 84.
enum ExtendedBinary {
  private static let lineString: UInt32 = 2
  private static let multiLineString: UInt32 = 5
  private static let hasMeasures: UInt32 = 0x4000_0000

  /// Encodes a LINESTRING, or returns `nil` for fewer than two coordinates, which PostGIS rejects.
  static func line(_ coordinates: [Coordinate]) -> [UInt8]? {
    guard coordinates.count > 1 else { return nil }
    return WellKnownBinary.line(coordinates, spatialReference: UInt32(GeoPackageGeometry.spatialReference))
  }

  /// Encodes the segments of a recording as a MULTILINESTRING M, with the times as measures in seconds since
  /// 1970. Points without a time and segments with fewer than two points are skipped. Returns `nil` if no
  /// segment is left.
  static func trajectory(_ recording: Recording) -> [UInt8]? {
    let segments = recording.segments.map { segment in
      (segment, rows: segment.times.indices.filter { segment.times[$0] != Instant.absent })
    }.filter { $0.rows.count > 1 }
    guard !segments.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(13 + segments.reduce(0) { $0 + 9 + $1.rows.count * 24 })
    bytes.append(1)
    bytes.append(littleEndian: multiLineString | hasMeasures | WellKnownBinary.hasReference)
    bytes.append(littleEndian: UInt32(GeoPackageGeometry.spatialReference))
    bytes.append(littleEndian: UInt32(segments.count))
    for (segment, rows) in segments {
      bytes.append(1)
      bytes.append(littleEndian: lineString | hasMeasures)
      bytes.append(littleEndian: UInt32(rows.count))
      for row in rows {
        bytes.append(littleEndian: segment.longitudes[row])
        bytes.append(littleEndian: segment.latitudes[row])
        bytes.append(littleEndian: Double(segment.times[row]) / 1e6)
      }
    }
    return bytes
  }
}
