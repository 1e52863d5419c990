extension TrackFormat {
  public static let nmea = TrackFormat(
    name: "nmea", title: "NMEA 0183 logs", fileExtensions: ["nmea", "nma"],
    recognizes: { $0.holdsNMEA },
    reading: { input, options in NMEAReader(input, options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether a sentence of a known kind with a right checksum, or with all its fields where it has no
  /// checksum, stands among the bytes.
  var holdsNMEA: Bool { holdsNMEA(isWhole: bytes.count < FileOpening.length) }

  /// The same of whole lines only, where more is to come.
  var holdsNMEALine: Bool { holdsNMEA(isWhole: false) }

  /// - Parameter isWhole: whether the last line is one although no end of it is there.
  private func holdsNMEA(isWhole: Bool) -> Bool {
    // A text that is of another format may quote a sentence.
    guard rootElement == nil else { return false }
    let bytes = bytes.span
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      // The last line may be cut by the end of the opening.
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
