extension TrackFormat {
  public static let gpsd = TrackFormat(
    name: "gpsd", title: "Reports of gpsd, as gpspipe -w writes them", fileExtensions: [],
    recognizes: { $0.holdsGPSD },
    reading: { input, options in GPSDReader(input, options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the first line is an object of one of the classes that gpsd begins with.
  var holdsGPSD: Bool {
    guard let line = bytes.split(separator: 0x0A, maxSplits: 1).first, line.first == UInt8(ascii: "{") else {
      return false
    }
    let text = String(decoding: line.prefix(200), as: UTF8.self)
    return ["VERSION", "DEVICES", "WATCH", "TPV", "SKY", "DEVICE"].contains { name in
      text.contains("\"class\":\"\(name)\"")
    }
  }
}
