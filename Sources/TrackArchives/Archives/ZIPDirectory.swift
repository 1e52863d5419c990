import TrackModel

/// The end record of a ZIP, which locates its directory (APPNOTE 4.3.16).
enum ZIPDirectory {
  /// The maximum length of the end record: 22 bytes and a comment.
  static let maximumLength = 22 + 65_535

  /// Rejects a ZIP with an invalid directory location. Otherwise libarchive would scan for entries, which can
  /// differ from those of the directory.
  ///
  /// - Parameters:
  ///   - head: the first four bytes of the file, or all of a smaller one.
  ///   - tail: the last ``maximumLength`` bytes of the file, or all of a smaller one.
  ///   - size: the size of the file in bytes.
  /// - Throws: ``TrackError/Code/malformed``, or `.unsupported` for a part of a split ZIP.
  static func check(head: [UInt8], tail: [UInt8], size: Int) throws(TrackError) {
    for position in stride(from: tail.count - 22, through: 0, by: -1)
    where tail.number(position, 4) == 0x0605_4B50 {
      // The number of this part; all ones if it is in the ZIP64 record.
      guard [0, 0xFFFF].contains(tail.number(position + 4, 2)) else { throw part }
      let length = tail.number(position + 12, 4)
      let offset = tail.number(position + 16, 4)
      // All ones if the values are in the ZIP64 record.
      guard length != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else { return }
      guard offset + length <= size - tail.count + position else {
        throw TrackError(.malformed, "the archive is damaged: directory location beyond the end")
      }
      return
    }
    // The first part starts with a different signature (8.5.3).
    if head == [0x50, 0x4B, 7, 8] { throw part }
  }

  private static let part = TrackError(
    .unsupported, "the ZIP is split into parts",
    suggestion: .text("join them with the program that created them"))
}
