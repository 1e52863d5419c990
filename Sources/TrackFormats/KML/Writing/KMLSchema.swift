import TrackModel

extension ByteBuffer {
  /// Appends the declaration of the sensors of tracks, which contains their display names.
  ///
  /// - Parameters:
  ///   - id: the identifier used by `SchemaData`.
  ///   - hasUntimed: whether the array that marks interpolated times is declared too.
  mutating func append(schema id: StaticString, _ channels: ChannelSet, hasUntimed: Bool) {
    guard !channels.isEmpty || hasUntimed else { return }
    append("  <Schema id=\"")
    append(id)
    append("\">\n")
    for channel in channels.channels {
      let array = KMLFields.array(channel)
      append("   <gx:SimpleArrayField name=\"\(array.name)\" type=\"\(array.type)\"><displayName>")
      append(array.heading)
      append("</displayName></gx:SimpleArrayField>\n")
    }
    if hasUntimed {
      append("   <gx:SimpleArrayField name=\"\(KMLFields.untimed)\" type=\"bool\"><displayName>")
      append("Time filled in</displayName></gx:SimpleArrayField>\n")
    }
    append("  </Schema>\n")
  }
}
