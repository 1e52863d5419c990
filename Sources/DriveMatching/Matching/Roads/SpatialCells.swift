/// A grid of cubes for spatial lookups.
///
/// The cubes are aligned with the Earth-fixed axes, so the poles and the antimeridian are not special.
struct SpatialCells {
  /// The edge of a cube in metres. Positions within half an edge are in one of the eight surrounding cubes.
  let size: Double

  /// Returns the cube of a position.
  @inline(__always)
  func key(_ place: SIMD3<Double>) -> UInt64 { Self.key(cell(place)) }

  /// Returns the eight cubes that contain everything within half an edge of a position.
  @inline(__always)
  func forEachKey(about place: SIMD3<Double>, _ body: (UInt64) -> Void) {
    let corner = cell(place - size / 2)
    for number in 0..<8 as Range<Int32> {
      body(Self.key(corner &+ SIMD3(number & 1, number >> 1 & 1, number >> 2)))
    }
  }

  /// The key of a cube. The Earth is ±6.4e6 m wide, so cubes of 100 m need less than 20 bits per axis.
  @inline(__always)
  private func cell(_ place: SIMD3<Double>) -> SIMD3<Int32> {
    let scaled = (place / size).rounded(.down)
    return SIMD3(Int32(scaled.x), Int32(scaled.y), Int32(scaled.z))
  }

  @inline(__always)
  private static func key(_ cell: SIMD3<Int32>) -> UInt64 {
    func bits(_ number: Int32) -> UInt64 { UInt64(truncatingIfNeeded: number &+ 0x80000) & 0xFFFFF }
    return bits(cell.x) << 40 | bits(cell.y) << 20 | bits(cell.z)
  }
}
