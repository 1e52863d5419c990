/// What may be in an archive.
struct ArchiveFormats: OptionSet {
  let rawValue: Int
  static let zip = ArchiveFormats(rawValue: 1)
  static let tar = ArchiveFormats(rawValue: 2)
  /// Compression around the whole, as in `.tar.gz`.
  static let gzip = ArchiveFormats(rawValue: 4)
  static let sevenZIP = ArchiveFormats(rawValue: 8)
  /// The other compressions around the whole: xz, zstd and bzip2.
  static let otherFilters = ArchiveFormats(rawValue: 16)
  /// No archive but one compressed file; taken where nothing else fits.
  static let compressedFile = ArchiveFormats(rawValue: 32)

  /// Everything that holds several files.
  static let archives: ArchiveFormats = [.zip, .tar, .gzip, .sevenZIP, .otherFilters]
}

/// How much an archive may turn out to hold: what is beyond is made to fill a disk.
struct ArchiveLimits {
  /// Bytes of one entry.
  var entrySize = 1 << 32
  /// Bytes of all entries together that are allowed whatever their compression.
  var freeSize = 1 << 26
  /// Beyond them, bytes for each byte of the archive. Track files compress to a tenth, and the dullest of
  /// them to a hundredth.
  var ratio = 500
  var entryCount = 1 << 20
  /// How many archives may lie in each other.
  var depth = 6
}

/// A file in an archive.
struct ArchiveEntry {
  /// The name as the archive has it: a label, never a path to write to. What is not UTF-8 becomes U+FFFD.
  var name: String
  /// Bytes of the content as the archive says, which may lie; nil where it does not say.
  var size: Int?
  /// Whether it is a file, not a folder, a link or a device.
  var isFile: Bool
  var isFolder: Bool
  var isEncrypted: Bool
}
