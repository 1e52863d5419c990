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

  /// All kinds that contain several files.
  static let archives: ArchiveFormats = [.zip, .tar, .gzip, .sevenZIP, .otherFilters]
}

/// Limits that protect against archives designed to fill a disk.
package struct ArchiveLimits {
  /// The largest entry in bytes.
  package var entrySize = 1 << 32
  /// The total unpacked bytes that are allowed regardless of compression.
  package var freeSize = 1 << 26
  /// The expansion ratio allowed beyond that. Track files compress to a tenth, and in extreme cases to a
  /// hundredth.
  package var ratio = 500
  package var entryCount = 1 << 20
  /// The maximum nesting depth of archives.
  package var depth = 6

  package init() {}

  /// The versions of the libraries that read archives.
  package static var libraryVersions: [(name: String, version: String)] {
    [("libarchive", ArchiveReader.version), ("zlib", Inflation.version)]
  }
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
