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

  /// Returns a value from a file, or nil if it means "unknown", like the -1 of phones for speed and accuracy.
  func known(_ value: Double) -> Double? {
    switch self {
    case .speed, .horizontalAccuracy, .verticalAccuracy: value < 0 ? nil : value
    case .course, .bearing, .magneticVariation: value < 0 || value > 360 ? nil : value == 360 ? 0 : value
    default: value
    }
  }
}
