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

extension ExtraValues {
  /// Returns the values between those of two points, or nil if no channel has a value in both. Directions
  /// are interpolated along the shorter arc.
  ///
  /// - Parameters:
  ///   - end: the values of the second point.
  ///   - fraction: the fraction of the way from the first to the second, 0…1.
  package func interpolated(to end: ExtraValues, fraction: Double) -> ExtraValues? {
    var ends = end.values
    if names != end.names {
      let values = Dictionary(zip(end.names, end.values)) { first, _ in first }
      ends = names.map { values[$0] ?? .nan }
    }
    let values = names.indices.map {
      names[$0].interpolated(from: self.values[$0], to: ends[$0], fraction: fraction)
    }
    let result = ExtraValues(names, values)
    return result.isEmpty ? nil : result
  }
}

extension ExtraValues.Name {
  /// Returns the value between the values of two points. Directions are interpolated along the shorter arc.
  ///
  /// - Parameters:
  ///   - start: the value of the first point. NaN, which is a missing value, makes the result NaN.
  ///   - end: the value of the second point.
  ///   - fraction: the fraction of the way from the first to the second, 0…1.
  package func interpolated(from start: Double, to end: Double, fraction: Double) -> Double {
    guard abs(end - start) > 180, isDirection else { return start + (end - start) * fraction }
    let range = start < 0 || end < 0 ? -180.0..<180 : 0..<360
    guard range.contains(start), range.contains(end) else { return start + (end - start) * fraction }
    let value = start + (end - start + (end < start ? 360 : -360)) * fraction
    return value < range.lowerBound ? value + 360 : value < range.upperBound ? value : value - 360
  }

  /// Whether the values are directions in degrees, by the name.
  fileprivate var isDirection: Bool {
    let name = name.lowercased()
    return ["heading", "bearing", "course", "azimuth", "yaw"].contains { name.contains($0) }
      && !name.contains("rate")
  }
}
