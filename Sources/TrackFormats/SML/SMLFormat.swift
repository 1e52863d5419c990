extension TrackFormat {
  /// Logs of Suunto watches, in XML or JSON. Read only.
  public static let sml = TrackFormat(
    name: "sml", title: "Suunto SML logs", fileExtensions: ["sml"],
    recognizes: { $0.rootElement == "sml" || $0.holdsSuuntoJSON },
    reading: { input, options in
      var input = input
      if input.opening.isJSON {
        return LogReader(SMLDocument(input, options: options), options: options)
      }
      return LogReader(SMLSource(input, options: options), options: options)
    },
    writing: nil)
}

extension FileOpening {
  /// Whether the opening is a Suunto log in JSON.
  fileprivate var holdsSuuntoJSON: Bool {
    guard isJSON else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("\"Samples\"") && (text.contains("suunto/sml") || text.contains("suunto\\/sml"))
      || text.contains("\"DeviceLog\"") && (text.contains("\"Header\"") || text.contains("\"Samples\""))
  }
}
