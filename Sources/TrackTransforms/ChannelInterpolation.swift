package import TrackModel

extension Channel {
  /// Returns the value between the values of two points. Directions are interpolated along the shorter arc,
  /// and counts are rounded.
  ///
  /// - Parameters:
  ///   - start: the value of the first point.
  ///   - end: the value of the second point.
  ///   - fraction: the fraction of the way from the first to the second, 0…1.
  package func interpolated(from start: Double, to end: Double, fraction: Double) -> Double {
    switch self {
    case .course, .bearing, .magneticVariation:
      let turn = (end - start + 540).truncatingRemainder(dividingBy: 360) - 180
      let value = (start + turn * fraction + 360).truncatingRemainder(dividingBy: 360)
      return value < 360 ? value : 0
    case .satellites, .heartRate, .cadence, .power: return (start + (end - start) * fraction).rounded()
    default: return start + (end - start) * fraction
    }
  }
}
