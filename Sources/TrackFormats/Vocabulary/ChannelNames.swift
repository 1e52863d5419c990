import TrackModel

extension Channel {
  /// The name in the plural, for reports of what was left out.
  var pluralTitle: String {
    switch self {
    case .horizontalAccuracy: "horizontal accuracies"
    case .verticalAccuracy: "vertical accuracies"
    case .satellites: "numbers of satellites"
    case .hdop, .vdop, .pdop: "\(title) values"
    default: "\(title)s"
    }
  }
}
