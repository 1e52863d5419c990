import TrackFormats

/// The contents of a ZIP according to its first bytes.
extension FileOpening {
  /// Whether the file starts like a non-empty ZIP.
  var isZIP: Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Whether it is a ZIP that contains a KML file or can contain one after the examined bytes.
  var isKMZ: Bool {
    guard isZIP else { return false }
    let (names, isWhole) = entryNames
    if names.contains(where: { $0.hasSuffix(".kml") }) { return true }
    return !isWhole && !names.contains { name in FileOpening.otherTracks.contains { name.hasSuffix($0) } }
  }

  /// The extensions of other track files, whose presence makes it a general archive.
  private static let otherTracks = [
    ".gpx", ".fit", ".tcx", ".gz", ".zip", ".csv", ".json", ".geojson", ".nmea", ".html",
  ]

  /// Returns the lower-case names of the entries in the first bytes, and whether they are complete.
  ///
  /// Each entry starts with a header (APPNOTE 4.3.7): the signature, the packed size 14 bytes later, the
  /// lengths of name and extra field, the name, the extra field and the content. If bit 3 of the flags is
  /// set, the size follows the content, and the next signature is searched.
  private var entryNames: (names: [String], isWhole: Bool) {
    var names: [String] = []
    var offset = 0
    while offset + 30 <= bytes.count {
      guard bytes.number(offset, 4) == 0x0403_4B50 else {
        // The directory follows the last entry.
        return (names, bytes.number(offset, 4) == 0x0201_4B50)
      }
      let nameCount = bytes.number(offset + 26, 2)
      guard offset + 30 + nameCount <= bytes.count else { break }
      let name = bytes[(offset + 30)..<(offset + 30 + nameCount)]
      names.append(String(decoding: name, as: UTF8.self).lowercased())
      let content = offset + 30 + nameCount + bytes.number(offset + 28, 2)
      if bytes.number(offset + 6, 2) & 8 == 0 {
        offset = content + bytes.number(offset + 18, 4)
      } else {
        offset =
          (content..<max(content, bytes.count - 3)).first { isSignature(bytes.number($0, 4)) } ?? bytes.count
      }
    }
    return (names, false)
  }

  private func isSignature(_ value: Int) -> Bool { value == 0x0403_4B50 || value == 0x0201_4B50 }
}

extension [UInt8] {
  /// Returns the little-endian number of some bytes.
  func number(_ position: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(self[position + $1]) << (8 * $1) }
  }
}
