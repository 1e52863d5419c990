import TrackModel

/// The limit on the unpacked size of an archive, shared by all nested archives so that they cannot multiply
/// it.
final class ArchiveBudget {
  let limits: ArchiveLimits
  /// The bytes unpacked so far, including those of nested archives.
  private(set) var unpackedSize = 0
  /// The number of entries so far.
  var entries = 0
  /// The size of the outermost archive in bytes, or `nil` if it is not known.
  private let packedSize: Int?
  /// Whether a limit has been exceeded, so that nothing more is unpacked.
  private var isExhausted = false

  /// - Parameter packedSize: the size of the outermost archive, or `nil` to use the first archive that is
  ///   read.
  init(_ limits: ArchiveLimits = ArchiveLimits(), packedSize: Int? = nil) {
    self.limits = limits
    self.packedSize = packedSize
  }

  /// Returns an unused budget with the same limits.
  func renewed() -> ArchiveBudget { ArchiveBudget(limits, packedSize: packedSize) }

  /// Counts an entry.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` for too many entries, or if a limit was exceeded before.
  func addEntry() throws(TrackError) {
    entries += 1
    guard entries <= limits.entryCount else {
      throw TrackError(.limitExceeded, "the archive has more than \(limits.entryCount) entries")
    }
    if isExhausted { throw tooMuchInAll }
  }

  /// Counts bytes of an entry.
  ///
  /// - Parameters:
  ///   - entrySize: the bytes of the entry including these.
  ///   - packedSize: the size of the archive that contains the entry.
  func spend(_ bytes: Int, entrySize: Int, packedSize: Int) throws(TrackError) {
    unpackedSize += bytes
    do throws(TrackError) { try check(entrySize, unpackedSize, packedSize) } catch {
      isExhausted = true
      throw error
    }
  }

  /// Rejects a declared size.
  func check(_ announced: Int, packedSize: Int) throws(TrackError) {
    try check(announced, announced, packedSize)
  }

  private func check(_ entry: Int, _ all: Int, _ packed: Int) throws(TrackError) {
    let (allowed, overflow) = max(packedSize ?? packed, 1).multipliedReportingOverflow(by: limits.ratio)
    guard entry <= limits.entrySize else {
      throw tooMuch("one of its files unpacks to more than \(ReadingLimits.text(size: limits.entrySize))")
    }
    guard all <= limits.freeSize || overflow || all <= allowed else { throw tooMuchInAll }
  }

  private var tooMuchInAll: TrackError {
    tooMuch(
      "the archive unpacks to more than \(ReadingLimits.text(size: limits.freeSize)) and \(limits.ratio) times its size"
    )
  }

  /// The error of a file whose decompression takes more than `size` bytes of memory.
  static func tooMuchMemory(_ size: Int) -> TrackError {
    TrackError(
      .limitExceeded, "decompressing the file takes more than \(ReadingLimits.text(size: size)) of memory",
      suggestion: .text("decompress it yourself if you trust it"))
  }

  private func tooMuch(_ message: String) -> TrackError {
    TrackError(.limitExceeded, message, suggestion: .text("unpack the archive yourself if you trust it"))
  }
}
