/// Space in cubes, so that what is near can be looked up: the cubes that a box about a place touches.
///
/// Cubes of the Earth-fixed axes are the same at the poles and the antimeridian as elsewhere.
struct RouteCells {
  /// Metres: the length of an edge. A place within half of it of another sees it in one of the eight cubes
  /// about it.
  let size: Double

  /// The cube that a place is in.
  @inline(__always)
  func key(_ place: SIMD3<Double>) -> UInt64 { Self.key(cell(place)) }

  /// The eight cubes that hold everything within half an edge of a place.
  @inline(__always)
  func forEachKey(about place: SIMD3<Double>, _ body: (UInt64) -> Void) {
    let corner = cell(place - size / 2)
    for number in 0..<8 as Range<Int32> {
      body(Self.key(corner &+ SIMD3(number & 1, number >> 1 & 1, number >> 2)))
    }
  }

  /// The Earth is ±6.4e6 m wide: cubes of 100 m and more fit into 20 bits per axis.
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
