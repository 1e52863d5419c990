import TrackModel

/// The end of a ZIP, which says where its directory is (APPNOTE 4.3.16).
enum ZIPDirectory {
  /// How far from the end it may begin: 22 bytes and a comment.
  static let maximumLength = 22 + 65_535

  /// Refuses a ZIP whose directory is said to lie where it cannot. Without this its entries would be guessed
  /// from what is found on the way, which may be others than the directory has.
  ///
  /// - Parameters:
  ///   - tail: the last bytes of the file, at least ``maximumLength`` where it has so many.
  ///   - size: bytes of the file.
  static func check(tail: [UInt8], size: Int) throws(TrackError) {
    guard tail.count >= 22 else { return }
    func number(_ position: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(tail[position + $1]) << (8 * $1) }
    }
    for position in stride(from: tail.count - 22, through: 0, by: -1) where number(position, 4) == 0x0605_4B50
    {
      let length = number(position + 12, 4)
      let offset = number(position + 16, 4)
      // All ones where the real numbers are those of ZIP64.
      guard length != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else { return }
      guard offset + length <= size - tail.count + position else {
        throw TrackError(.malformed, "the archive is damaged: its directory is said to lie beyond its end")
      }
      return
    }
  }
}
