import TrackModel

/// The end record of a ZIP, which locates its directory (APPNOTE 4.3.16).
enum ZIPDirectory {
  /// The maximum length of the end record: 22 bytes and a comment.
  static let maximumLength = 22 + 65_535

  /// Rejects a ZIP with an invalid directory location. Otherwise libarchive would scan for entries, which can
  /// differ from those of the directory.
  ///
  /// - Parameters:
  ///   - tail: the last ``maximumLength`` bytes of the file, or all of a smaller one.
  ///   - size: the size of the file in bytes.
  static func check(tail: [UInt8], size: Int) throws(TrackError) {
    guard tail.count >= 22 else { return }
    func number(_ position: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(tail[position + $1]) << (8 * $1) }
    }
    for position in stride(from: tail.count - 22, through: 0, by: -1) where number(position, 4) == 0x0605_4B50
    {
      let length = number(position + 12, 4)
      let offset = number(position + 16, 4)
      // All ones if the values are in the ZIP64 record.
      guard length != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else { return }
      guard offset + length <= size - tail.count + position else {
        throw TrackError(.malformed, "the archive is damaged: directory location beyond the end")
      }
      return
    }
  }
}
