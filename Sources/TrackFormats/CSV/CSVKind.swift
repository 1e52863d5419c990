import TrackModel

/// What a row of a table is.
///
/// The writer spells them as they are called here.
enum CSVKind: Sendable {
  case trackpoint, routepoint, waypoint

  /// Reads a row's word for its kind, in the common spellings; nil for any other word.
  init?(_ text: Span<UInt8>) {
    guard text.count <= 12 else { return nil }
    // The first letter and the length tell the common words apart before any of them is compared.
    var word: [UInt8] = []
    for index in text.indices {
      let byte = text[index] | 0x20
      if byte > 0x20, byte != UInt8(ascii: "_") | 0x20 { word.append(byte) }
    }
    switch String(decoding: word, as: UTF8.self) {
    case "t", "trackpoint", "trkpt", "track", "trk": self = .trackpoint
    case "r", "routepoint", "rtept", "route", "rte": self = .routepoint
    case "w", "waypoint", "wpt", "poi": self = .waypoint
    default: return nil
    }
  }
}
