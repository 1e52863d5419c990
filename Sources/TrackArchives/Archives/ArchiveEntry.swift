/// The supported kinds of archives.
struct ArchiveFormats: OptionSet {
  let rawValue: Int
  static let zip = ArchiveFormats(rawValue: 1)
  static let tar = ArchiveFormats(rawValue: 2)
  /// gzip compression of the whole, as in `.tar.gz`.
  static let gzip = ArchiveFormats(rawValue: 4)
  static let sevenZIP = ArchiveFormats(rawValue: 8)
  /// Other compressions of the whole: xz, zstd and bzip2.
  static let otherFilters = ArchiveFormats(rawValue: 16)
  /// A single compressed file, if no archive format matches.
  static let compressedFile = ArchiveFormats(rawValue: 32)
  /// gzip without its checksums, for archives that are read again.
  static let unchecked = ArchiveFormats(rawValue: 64)

  /// All kinds that contain several files.
  static let archives: ArchiveFormats = [.zip, .tar, .gzip, .sevenZIP, .otherFilters]
}

/// A file in an archive.
struct ArchiveEntry {
  /// The name in the archive, used as a label and never as a path to write to. Invalid UTF-8 becomes U+FFFD.
  var name: String
  /// The declared size in bytes, which is not trustworthy, or `nil` if it is missing.
  var size: Int?
  /// Whether it is a file rather than a folder, a link or a device.
  var isFile: Bool
  var isFolder: Bool
  var isEncrypted: Bool
}
