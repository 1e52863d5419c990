import TrackModel

extension GeoPackageGeometry {
  /// Decodes the coordinates of a LINESTRING in either byte order and with any envelope. Elevations and
  /// measures are skipped.
  ///
  /// - Returns: `nil` for any other geometry, and for an empty or truncated one.
  /// - Complexity: O(*n*)
  static func coordinates(_ bytes: [UInt8]) -> [Coordinate]? {
    guard bytes.count >= 8, bytes[0] == 0x47, bytes[1] == 0x50 else { return nil }
    // The sizes for no envelope, xy, xyz, xym and xyzm (OGC 12-128, table 7).
    let envelopes = [0, 32, 48, 48, 64]
    let flags = bytes[3]
    let kind = Int(flags >> 1 & 0b111)
    guard flags & 0b1_0000 == 0, kind < envelopes.count else { return nil }
    let start = 8 + envelopes[kind]
    guard bytes.count >= start + 9 else { return nil }
    let isLittle = bytes[start] == 1
    // 2 for xy, plus 1,000 with z, 2,000 with m, 3,000 with both (ISO 13249-3).
    let dimensions: [UInt64: Int] = [2: 2, 1002: 3, 2002: 3, 3002: 4]
    guard let width = dimensions[number(bytes, start + 1, 4, isLittle)].map({ $0 * 8 }) else { return nil }
    let count = Int(number(bytes, start + 5, 4, isLittle))
    let first = start + 9
    guard count <= (bytes.count - first) / width else { return nil }
    var result: [Coordinate] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let place = first + index * width
      result.append(
        Coordinate(
          latitude: Double(bitPattern: number(bytes, place + 8, 8, isLittle)),
          longitude: Double(bitPattern: number(bytes, place, 8, isLittle))))
    }
    return result
  }

  @inline(__always)
  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int, _ isLittle: Bool) -> UInt64 {
    var result: UInt64 = 0
    for offset in 0..<count {
      result |= UInt64(bytes[start + offset]) << UInt64(8 * (isLittle ? offset : count - 1 - offset))
    }
    return result
  }
}
