/// A cubic curve with given velocities at its ends.
struct HermiteCurve {
  private let start: SIMD3<Double>
  private let first: SIMD3<Double>
  private let square: SIMD3<Double>
  private let cube: SIMD3<Double>

  /// - Parameters:
  ///   - velocities: the velocities at the ends in metres per second.
  ///   - seconds: the time from the start to the end.
  init(
    from start: SIMD3<Double>, to end: SIMD3<Double>,
    velocities: (start: SIMD3<Double>, end: SIMD3<Double>), seconds: Double
  ) {
    self.start = start
    first = seconds * velocities.start
    let last = seconds * velocities.end
    let move = end - start
    square = 3 * move - 2 * first - last
    cube = first + last - 2 * move
  }

  /// Returns the position at a fraction of the time.
  func place(_ fraction: Double) -> SIMD3<Double> {
    start + fraction * (first + fraction * (square + fraction * cube))
  }

  /// Returns the length in metres, as the sum of straight parts.
  func length(parts: Int) -> Double {
    var length = 0.0
    var last = start
    for part in 1...parts {
      let next = place(Double(part) / Double(parts))
      length += (next - last).length
      last = next
    }
    return length
  }
}
