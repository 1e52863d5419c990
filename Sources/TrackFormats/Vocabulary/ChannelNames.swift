import TrackModel

extension Channel {
  /// The plural name, for reports of losses.
  var pluralTitle: String {
    switch self {
    case .horizontalAccuracy: "horizontal accuracies"
    case .verticalAccuracy: "vertical accuracies"
    case .satellites: "numbers of satellites"
    case .hdop, .vdop, .pdop: "\(title) values"
    default: "\(title)s"
    }
  }

  /// Returns a value from a file within the channel's range, or nil if it means "unknown", like the -1 of
  /// phones for speed, course and accuracy.
  ///
  /// Degrees of -180..<0 become 180..<360.
  func known(_ value: Double) -> Double? {
    switch self {
    case .speed, .horizontalAccuracy, .verticalAccuracy: return value < 0 ? nil : value
    case .course, .bearing:
      return value == -1 ? nil : Channel.turned(value)
    case .magneticVariation: return Channel.turned(value)
    case .elevation: return value <= -9999 && Channel.voids.contains(value) ? nil : value
    default: return value
    }
  }

  /// Returns the factor and the offset that convert a value from the unit in a heading, such as
  /// `Speed (km/h)` or `km/h`, to the channel's unit.
  func scale(heading: String?) -> (factor: Double, offset: Double) {
    guard let heading = heading?.lowercased() else { return (1, 0) }
    switch self {
    case .speed:
      if heading.contains("km/h") || heading.contains("kph") || heading.contains("kmh") {
        return (1 / SpeedUnits.kilometresPerHour, 0)
      }
      if heading.contains("mph") || heading.contains("mi/h") { return (Geodesy.metresPerMile / 3600, 0) }
      if heading.contains("knot") || heading.contains("(kn)") || heading.contains("(kt)")
        || ["kn", "kt", "kts"].contains(heading)
      {
        return (Geodesy.metresPerNauticalMile / 3600, 0)
      }
    case .temperature, .waterTemperature:
      if heading.contains("°f") || heading.contains("fahrenheit") || heading == "f" {
        return (1 / 1.8, -32 / 1.8)
      }
    case .elevation, .depth, .distance, .horizontalAccuracy, .verticalAccuracy:
      let unit = heading.split { "()".contains($0) }.last ?? ""
      if unit == "km" { return (1000, 0) }
      if ["ft", "feet"].contains(unit) { return (Geodesy.metresPerFoot, 0) }
      if ["mi", "miles"].contains(unit) { return (Geodesy.metresPerMile, 0) }
    default: break
    }
    return (1, 0)
  }

  /// The elevations that terrain models, their tools and GPSBabel write for "unknown".
  private static let voids: [Double] = [-9999, -32768, -99_999, -99_999_999]

  private static func turned(_ degrees: Double) -> Double? {
    switch degrees {
    case 0..<360: degrees
    // The sum of a tiny negative number is 360.
    case -180..<0: degrees + 360 < 360 ? degrees + 360 : 0
    case 360: 0
    default: nil
    }
  }
}

extension PointBatch {
  /// Sets a channel of the last row to a value from a file, if it is finite and known.
  mutating func set(_ channel: Channel, ifKnown value: Double?) {
    if let value, value.isFinite, let value = channel.known(value) { set(channel, value) }
  }
}
