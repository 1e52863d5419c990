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

  /// The elevations that terrain models, their tools and GPSBabel write where they have none.
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
