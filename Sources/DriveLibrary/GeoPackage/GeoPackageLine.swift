import TrackModel

extension GeoPackageGeometry {
  /// The coordinates of a LINESTRING, as this or another program has written it: in either byte order, with
  /// any envelope, with elevations and measures, which are passed over.
  ///
  /// - Returns: nil for any other geometry, for an empty one, and for what is cut off.
  /// - Complexity: O(n).
  static func coordinates(_ bytes: [UInt8]) -> [Coordinate]? {
    guard bytes.count >= 8, bytes[0] == 0x47, bytes[1] == 0x50 else { return nil }
    // None; x and y; and z; and m; and both (OGC 12-128, table 7).
    let envelopes = [0, 32, 48, 48, 64]
    let flags = bytes[3]
    let kind = Int(flags >> 1 & 0b111)
    guard flags & 0b1_0000 == 0, kind < envelopes.count else { return nil }
    let start = 8 + envelopes[kind]
    guard bytes.count >= start + 9 else { return nil }
    let isLittle = bytes[start] == 1
    // 2 for x and y, 1,000 more with z, 2,000 more with m, 3,000 more with both (ISO 13249-3).
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
