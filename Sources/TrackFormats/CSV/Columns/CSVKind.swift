import TrackModel

/// The kind of a row. The raw values are those that the writer uses.
enum CSVKind: Sendable {
  case trackpoint, routepoint, waypoint

  /// Parses the kind of a row in common spellings. Returns `nil` for other words.
  init?(_ text: Span<UInt8>) {
    guard text.count <= 12 else { return nil }
    // The first letter and the length distinguish the common words before comparing them.
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
