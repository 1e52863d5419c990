import TrackModel

extension ArchiveReader {
  static let outOfMemory = TrackError(.limitExceeded, "not enough memory for the archive")

  /// Returns the error for a message about compressed data, or `nil` for other messages. libarchive reports
  /// that of the library that decompresses.
  ///
  /// - Parameter message: the message in lower case.
  static func compressionFault(_ message: String) -> TrackError? {
    // The largest window of Zstandard that is not configurable in libarchive.
    if message.contains("too much memory") { return ArchiveBudget.tooMuchMemory(1 << 27) }
    if message.contains("memory") { return outOfMemory }
    if message == "truncated input" || message.contains("no progress is possible")
      || message.hasPrefix("truncated") && message.hasSuffix(" input")
    {
      return TrackError(.truncated, "the compressed file is truncated")
    }
    if ["lzma", "zstd", "bzip", "gzip"].contains(where: { message.hasPrefix($0) }) {
      return TrackError(.malformed, "the compressed file is damaged")
    }
    // An entry of a ZIP or of 7z, with the number of an error of the library.
    return message.contains("decompression failed")
      ? TrackError(.malformed, "the compressed data is damaged") : nil
  }

  /// Converts a message of libarchive for use after a colon: a capitalised word becomes lower case, but not
  /// `ZIP`.
  static func inSentence(_ message: String) -> String {
    var text = message[...]
    while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
    guard let second = text.dropFirst().first, second.isLowercase else { return String(text) }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
