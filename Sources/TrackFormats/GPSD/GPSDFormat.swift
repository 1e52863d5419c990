extension TrackFormat {
  /// JSON reports of gpsd (protocol 3), one per line. Read only.
  public static let gpsd = TrackFormat(
    name: "gpsd", title: "gpsd reports, as written by gpspipe -w", fileExtensions: [],
    recognizes: { $0.holdsGPSD },
    reading: { input, options in GPSDReader(input, options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the first line is an object of a class that gpsd sends first. Returns false if NMEA sentences
  /// follow, because `gpspipe -r` writes them after gpsd's greeting.
  var holdsGPSD: Bool {
    let lines = bytes.split(separator: 0x0A)
    guard let first = lines.first,
      Self.isGPSD(first, ["VERSION", "DEVICES", "WATCH", "TPV", "SKY", "DEVICE"])
    else { return false }
    return lines.contains { Self.isGPSD($0, ["TPV"]) } || !holdsNMEA
  }

  /// Whether a line contains a position.
  var holdsPositionOfGPSD: Bool {
    bytes.split(separator: 0x0A).contains { Self.isGPSD($0, ["TPV"]) }
  }

  /// Whether a line is an object of one of gpsd's classes.
  static func isGPSD(_ line: ArraySlice<UInt8>, _ classes: [String]) -> Bool {
    guard line.first == UInt8(ascii: "{") else { return false }
    let text = String(decoding: line.prefix(200).filter { $0 > 0x20 }, as: UTF8.self)
    return classes.contains { text.contains("\"class\":\"\($0)\"") }
  }
}
