import TrackModel

/// The names of a logger's channels in `coordinateProperties`.
///
/// Names with a meaning to the reader, such as `altitude` and `times`, follow the word `channel`, so that
/// they are read back as channels. So do names of this form themselves.
enum GeoJSONChannelName {
  private static let prefix = "channel "

  /// Returns the name of the array of a channel.
  static func arrayName(_ heading: String) -> String { isTaken(heading) ? prefix + heading : heading }

  /// Returns the channel in an array, or nil if the name has another meaning.
  static func heading(ofArray name: String) -> String? {
    guard isTaken(name) else { return name }
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  /// Whether a name has another meaning, or is such a name after the prefix.
  private static func isTaken(_ name: String) -> Bool {
    var name = name[...]
    while name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
    let bytes = Array(name.utf8)
    switch GeoJSONProperty(rawValue: GeoJSONProperty.names.code(of: bytes.span)) {
    case .coordTimes, .time: return true
    default: return GeoJSONSensor.channel(bytes.span) != nil
    }
  }
}
