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
}
