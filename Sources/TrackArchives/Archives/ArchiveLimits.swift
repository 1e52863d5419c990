/// The limits that bound the work for an archive that is designed to fill a disk.
///
/// ```swift
/// var options = EnumerationOptions()
/// options.archiveLimits.ratio = 5000
/// ```
public struct ArchiveLimits: Sendable, Hashable {
  /// The largest entry in bytes.
  public var entrySize = 1 << 32
  /// The total unpacked bytes that are allowed regardless of compression.
  public var freeSize = 1 << 26
  /// The expansion ratio allowed beyond that. Track files compress to a tenth, and in extreme cases to a
  /// hundredth.
  public var ratio = 500
  /// The largest dictionary of an xz file in bytes, which decompression takes of memory: that of `xz -9`.
  public var dictionarySize = 1 << 26
  /// The number of entries of one archive.
  public var entryCount = 1 << 20
  /// The nesting depth of archives.
  public var depth = 6
  /// The largest packed KMZ, which is kept in memory, in bytes.
  public var documentSize = 1 << 29
  /// The largest table with the metadata of an export, in bytes. A larger one is ignored.
  public var tableSize = 1 << 26

  /// Creates the default limits.
  public init() {}

  /// The versions of the libraries that read archives.
  package static var libraryVersions: [(name: String, version: String)] {
    [("libarchive", ArchiveReader.version), ("zlib", GzipStream.version)]
  }
}
