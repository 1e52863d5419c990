/// What the first bytes of a ZIP tell about what is in it.
extension FileOpening {
  /// Whether the file begins like a ZIP with files in it.
  var isZIP: Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Whether it is a ZIP with a KML file, or may be one: pictures before the KML can fill all of the opening.
  var isKMZ: Bool {
    guard isZIP else { return false }
    let (names, isWhole) = entryNames
    if names.contains(where: { $0.hasSuffix(".kml") }) { return true }
    return !isWhole && !names.contains { name in FileOpening.otherTracks.contains { name.hasSuffix($0) } }
  }

  /// The endings of track files that make an archive one of many formats.
  private static let otherTracks = [
    ".gpx", ".fit", ".tcx", ".gz", ".zip", ".csv", ".json", ".geojson", ".nmea", ".html",
  ]

  /// The names of the entries that lie in the opening, in small letters, and whether that are all.
  ///
  /// Each entry begins with a header (APPNOTE 4.3.7): its signature, 14 bytes on the packed size, then the lengths
  /// of name and extra field, name, extra field, content.
  private var entryNames: (names: [String], isWhole: Bool) {
    var names: [String] = []
    var offset = 0
    func number(_ position: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
    while offset + 30 <= bytes.count {
      guard number(offset, 4) == 0x0403_4B50 else {
        // The directory follows the last entry.
        return (names, number(offset, 4) == 0x0201_4B50)
      }
      let nameCount = number(offset + 26, 2)
      guard offset + 30 + nameCount <= bytes.count else { break }
      let name = bytes[(offset + 30)..<(offset + 30 + nameCount)]
      names.append(String(decoding: name, as: UTF8.self).lowercased())
      // The size stands behind the content where bit 3 says so.
      guard number(offset + 6, 2) & 8 == 0 else { break }
      offset += 30 + nameCount + number(offset + 28, 2) + number(offset + 18, 4)
    }
    return (names, false)
  }
}
