import CLibArchive
public import TrackFormats
public import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads an archive entry by entry. The content of the current entry is a stream of bytes, which can be
/// another archive.
///
/// For a ZIP in memory or in a regular file, the directory at its end is used. In a stream, the entries are
/// used in the order in which they occur.
@safe
final class ArchiveReader: ByteStream {
  /// The version of libarchive that runs.
  static var version: String {
    let number = archive_version_number()
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }

  private let handle: OpaquePointer
  private let source: ArchiveSource
  private let budget: ArchiveBudget
  /// The damage of gzip around the whole that is not an error of its own; `nil` if it is not checked.
  private let damage: CompressionDamage?
  private let locale = UTF8Locale()
  /// Whether a header of an entry could not be read.
  private var hasLostHeader = false
  private var isAtEnd = false
  private var entrySize = 0

  /// Opens an archive in memory.
  ///
  /// - Parameter budget: the budget shared with enclosing archives.
  convenience init(
    memory: ArchiveMemory, formats: ArchiveFormats, budget: ArchiveBudget = ArchiveBudget()
  ) throws(TrackError) {
    try self.init(ArchiveSource(memory: memory), formats, budget)
  }

  /// Opens an archive in a stream, such as an entry of another archive.
  convenience init(
    stream: any ByteStream, formats: ArchiveFormats, budget: ArchiveBudget = ArchiveBudget()
  ) throws(TrackError) {
    try self.init(ArchiveSource(stream: stream), formats, budget)
  }

  /// Opens an archive in an open regular file. Several readers can use one file at a time.
  convenience init(
    file: FileDescriptor, formats: ArchiveFormats, budget: ArchiveBudget = ArchiveBudget()
  ) throws(TrackError) {
    try self.init(ArchiveSource(file: file), formats, budget)
  }

  private init(
    _ packed: ArchiveSource, _ formats: ArchiveFormats, _ budget: ArchiveBudget
  ) throws(TrackError) {
    let damage = formats.contains(.unchecked) ? nil : CompressionDamage()
    let isCompressible = !formats.isDisjoint(with: [.gzip, .otherFilters])
    let source =
      try isCompressible
      ? packed.withoutGzip(damage, dictionarySize: budget.limits.dictionarySize) : packed
    guard let handle = unsafe archive_read_new() else { throw ArchiveReader.outOfMemory }
    unsafe self.handle = unsafe handle
    self.source = source
    self.budget = budget
    self.damage = damage
    if formats.contains(.zip) { unsafe archive_read_support_format_zip(handle) }
    if formats.contains(.tar) {
      unsafe archive_read_support_format_tar(handle)
      // A block of zeros ends an archive. If it is a lost header, entries follow it.
      unsafe archive_read_set_options(handle, "tar:read_concatenated_archives")
    }
    if formats.contains(.sevenZIP) { unsafe archive_read_support_format_7zip(handle) }
    if formats.contains(.compressedFile) {
      unsafe archive_read_support_format_raw(handle)
      unsafe archive_read_support_format_empty(handle)
    }
    // In another compression.
    if formats.contains(.gzip) { unsafe archive_read_support_filter_gzip(handle) }
    if formats.contains(.otherFilters) {
      unsafe archive_read_support_filter_xz(handle)
      unsafe archive_read_support_filter_zstd(handle)
      unsafe archive_read_support_filter_bzip2(handle)
    }
    try open()
  }

  /// The bytes of the packed archive read so far.
  var position: Int { source.position }

  /// Whether it is a single compressed file. Known after its entry is reached.
  var isCompressedFile: Bool { unsafe archive_format(handle) & 0xFF0000 == 0x90000 }

  /// Whether entries can be skipped without unpacking. Known after an entry is reached.
  var skipsForFree: Bool {
    unsafe archive_format(handle) & 0xFF0000 == 0x50000 && source.isSeekable
  }

  deinit { unsafe archive_read_free(handle) }

  private func open() throws(TrackError) {
    if let memory = source.memory {
      return try unsafe check(
        archive_read_open_memory(handle, UnsafeRawPointer(memory.base), memory.count))
    }
    if source.isSeekable {
      try unsafe check(
        archive_read_set_seek_callback(handle) { _, data, offset, whence in
          unsafe ArchiveSource.of(data)?.seek(to: Int(offset), from: whence) ?? -1
        })
    }
    try unsafe check(
      archive_read_set_read_callback(handle) { _, data, start in
        guard let start = unsafe start, let source = unsafe ArchiveSource.of(data) else { return -1 }
        return unsafe source.read(start)
      })
    try unsafe check(
      archive_read_set_callback_data(handle, Unmanaged.passUnretained(source).toOpaque()))
    try unsafe check(archive_read_open1(handle))
    // The last filter before the end of the list reads the source, and the others read each other.
    let filters = unsafe archive_filter_count(handle)
    for filter in 0..<max(filters - (source.isXZ ? 2 : 1), 0)
    where unsafe archive_filter_code(handle, filter) == ARCHIVE_FILTER_XZ {
      throw TrackError(
        .unsupported, "xz inside another compression", suggestion: .text("decompress the file first"))
    }
  }

  // MARK: Entries

  /// Advances to the next entry, skipping the rest of the current one.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: ``TrackError/Code/malformed``, `.limitExceeded` for too many entries, or errors of the source.
  func nextEntry() throws(TrackError) -> ArchiveEntry? {
    var entry: OpaquePointer?
    while !isAtEnd {
      let result = locale.use { unsafe archive_read_next_header(handle, &entry) }
      if result == ARCHIVE_EOF {
        isAtEnd = true
        if hasLostHeader {
          throw TrackError(
            .malformed, "the archive is damaged: the entries with unreadable headers are missing")
        }
        guard let warning = damage?.warnings.first else { return nil }
        throw TrackError(.malformed, "the archive is damaged: \(warning.message)")
      }
      if result == ARCHIVE_RETRY {
        // The next block may be a header.
        hasLostHeader = true
        continue
      }
      // Warnings are about names or attributes, which are not used.
      guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry = unsafe entry else { throw fault() }
      try budget.addEntry()
      entrySize = 0
      let size = unsafe archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
      return unsafe ArchiveEntry(
        name: ArchiveReader.name(of: entry), size: size,
        // A hard link to an earlier file has no content.
        isFile: archive_entry_filetype(entry) == 0o100000 && archive_entry_hardlink(entry) == nil,
        isFolder: archive_entry_filetype(entry) == 0o040000,
        isEncrypted: archive_entry_is_data_encrypted(entry) != 0)
    }
    return nil
  }

  /// The longest name in bytes, which is that of paths on Linux. The middle of longer names is omitted.
  static let maximumName = 1 << 12

  private static func name(of entry: OpaquePointer) -> String {
    guard
      let name = unsafe archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
    else { return "" }
    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
    guard bytes.count > maximumName else { return unsafe String(decoding: bytes, as: UTF8.self) }
    let half = maximumName / 2
    return unsafe String(decoding: bytes.prefix(half), as: UTF8.self) + "…"
      + String(decoding: bytes.suffix(half), as: UTF8.self)
  }

  /// Reads from the content of the current entry.
  ///
  /// - Throws: ``TrackError/Code/malformed`` if it cannot be unpacked, `.unsupported` if it is encrypted,
  ///   `.limitExceeded` if it exceeds the limits.
  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    while true {
      let result = unsafe archive_read_data(handle, start, count)
      if result == Int(ARCHIVE_RETRY) { continue }
      guard result >= 0 else { throw fault() }
      entrySize += result
      try budget.spend(result, entrySize: entrySize, packedSize: source.size)
      return result
    }
  }

  /// Rejects an entry whose declared size exceeds the limits, or that cannot be read.
  func check(_ entry: ArchiveEntry) throws(TrackError) {
    if entry.isEncrypted {
      throw TrackError(
        .unsupported, "the archive is encrypted", suggestion: .text("unpack it with its password"))
    }
    if let size = entry.size { try budget.check(size, packedSize: source.size) }
  }

  private func check(_ result: Int32) throws(TrackError) { if result < ARCHIVE_WARN { throw fault() } }

  private func fault() -> TrackError {
    if let error = source.error { return error }
    let message =
      unsafe archive_error_string(handle).map { unsafe String(cString: $0) } ?? "cannot be unpacked"
    let text = message.lowercased()
    if text.contains("unsupported") || text.contains("not supported") {
      return TrackError(
        .unsupported, "the archive cannot be unpacked: \(ArchiveReader.inSentence(message))",
        suggestion: .text("unpack it with the program that created it"))
    }
    if let error = ArchiveReader.compressionFault(text) { return error }
    return TrackError(
      text.contains("truncated") ? .truncated : .malformed,
      "the archive is damaged: \(ArchiveReader.inSentence(message))")
  }
}

/// Writes a ZIP to a sink entry by entry, without buffering it.
@safe
public final class ArchiveWriter: FileContainer {
  /// The largest entry in bytes, because KMZ readers do not support ZIP64.
  private static let maximumEntry = Int(UInt32.max) - 1

  private let handle: OpaquePointer
  private let target: ArchiveTarget
  private var entrySize = 0

  /// Creates a ZIP without entries.
  ///
  /// - Throws: `TrackError` if there is not enough memory or the sink cannot be written.
  public init(_ sink: consuming ByteSink) throws(TrackError) {
    guard let handle = unsafe archive_write_new() else { throw ArchiveReader.outOfMemory }
    unsafe self.handle = unsafe handle
    target = ArchiveTarget(sink)
    try unsafe check(archive_write_set_format_zip(handle))
    // Sizes follow the content. Without this option, libarchive writes them in a form that only newer
    // programs read.
    try unsafe check(archive_write_set_format_option(handle, "zip", "zip64", nil))
    try unsafe check(archive_write_set_bytes_per_block(handle, 0))
    try unsafe check(
      archive_write_open(
        handle, Unmanaged.passUnretained(target).toOpaque(), nil,
        { _, data, start, count in
          guard let data = unsafe data, let start = unsafe start else { return -1 }
          unsafe Unmanaged<ArchiveTarget>.fromOpaque(data).takeUnretainedValue().write(start, count)
          return count
        }, nil))
  }

  deinit {
    // Freeing completes the archive, which releases the memory of the open entry; a failed archive keeps it.
    // The file is removed with its sink.
    target.discard()
    unsafe archive_write_free(handle)
  }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { target.bytes }

  /// Starts an entry and ends the previous one.
  public func beginEntry(_ name: String) throws(TrackError) {
    guard let entry = unsafe archive_entry_new() else { throw ArchiveReader.outOfMemory }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname_utf8(entry, name)
    unsafe archive_entry_set_pathname(entry, name)
    // No time, so that the output is reproducible.
    unsafe archive_entry_set_filetype(entry, 0o100000)
    unsafe archive_entry_set_perm(entry, 0o644)
    entrySize = 0
    try unsafe check(archive_write_header(handle, entry))
  }

  /// Writes to the entry that is open.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` if it exceeds 4 GiB.
  public func write(_ bytes: Span<UInt8>) throws(TrackError) {
    guard bytes.count <= ArchiveWriter.maximumEntry - entrySize else {
      throw TrackError(
        .limitExceeded, "more than 4 GiB in a compressed file",
        suggestion: .text("write it without compression"))
    }
    entrySize += bytes.count
    var done = 0
    while done < bytes.count {
      let rest = bytes.extracting(done..<bytes.count)
      let result = unsafe rest.withUnsafeBufferPointer {
        unsafe archive_write_data(handle, $0.baseAddress, $0.count)
      }
      guard result > 0, target.error == nil else { throw fault() }
      done += result
    }
  }

  /// Ends the archive and the output.
  public func finish() throws(TrackError) {
    try unsafe check(archive_write_close(handle))
    try target.finish()
  }

  private func check(_ result: Int32) throws(TrackError) {
    if result < ARCHIVE_WARN || target.error != nil { throw fault() }
  }

  private func fault() -> TrackError {
    if let error = target.error { return error }
    let message =
      unsafe archive_error_string(handle).map { unsafe String(cString: $0) } ?? "cannot be written"
    return TrackError(.unwritable, "the archive cannot be written: \(message)")
  }
}
