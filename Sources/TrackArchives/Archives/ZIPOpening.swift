import TrackFormats

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
  /// Each entry begins with a header (APPNOTE 4.3.7): its signature, 14 bytes on the packed size, then the
  /// lengths of name and extra field, name, extra field, content. Where bit 3 of the flags says that the size
  /// stands behind the content, the next signature is looked for.
  private var entryNames: (names: [String], isWhole: Bool) {
    var names: [String] = []
    var offset = 0
    while offset + 30 <= bytes.count {
      guard number(offset, 4) == 0x0403_4B50 else {
        // The directory follows the last entry.
        return (names, number(offset, 4) == 0x0201_4B50)
      }
      let nameCount = number(offset + 26, 2)
      guard offset + 30 + nameCount <= bytes.count else { break }
      let name = bytes[(offset + 30)..<(offset + 30 + nameCount)]
      names.append(String(decoding: name, as: UTF8.self).lowercased())
      let content = offset + 30 + nameCount + number(offset + 28, 2)
      if number(offset + 6, 2) & 8 == 0 {
        offset = content + number(offset + 18, 4)
      } else {
        offset = (content..<max(content, bytes.count - 3)).first { isSignature(number($0, 4)) } ?? bytes.count
      }
    }
    return (names, false)
  }

  private func isSignature(_ value: Int) -> Bool { value == 0x0403_4B50 || value == 0x0201_4B50 }

  /// A number of so many bytes, the lowest first.
  private func number(_ position: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
  }
}
