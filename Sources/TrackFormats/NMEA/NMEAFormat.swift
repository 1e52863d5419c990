extension TrackFormat {
  /// Sentences of NMEA 0183, also in logs with other lines. Read only.
  public static let nmea = TrackFormat(
    name: "nmea", title: "NMEA 0183 logs", fileExtensions: ["nmea", "nma"],
    recognizes: { $0.holdsNMEA },
    reading: { input, options in NMEAReader(input, options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the bytes contain a sentence of a known kind with a correct checksum, or with all its fields if
  /// it has no checksum.
  var holdsNMEA: Bool { holdsNMEA(isWhole: bytes.count < FileOpening.length) }

  /// Whether the complete lines of the bytes contain a sentence.
  var holdsNMEALine: Bool { holdsNMEA(isWhole: false) }

  /// - Parameter isWhole: whether the last line is complete without a line end.
  private func holdsNMEA(isWhole: Bool) -> Bool {
    // A text of another format may quote a sentence.
    guard rootElement == nil else { return false }
    let bytes = bytes.span
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      // The last line may be truncated.
      if end < bytes.count || isWhole {
        let line = bytes.extracting(start..<end)
        var index = 0
        while index < line.count {
          let sentence = NMEASentence(nextIn: line, from: &index)
          if sentence.kind != nil, sentence.verdict == .sound { return true }
        }
      }
      start = end + 1
    }
    return false
  }
}
