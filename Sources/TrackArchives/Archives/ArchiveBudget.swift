import TrackModel

/// What an archive and all that lies in it may unpack to: one account for as many levels as there are, so
/// that archives in archives cannot multiply.
final class ArchiveBudget {
  let limits: ArchiveLimits
  /// Bytes that were unpacked so far, those of inner archives counted again.
  private(set) var unpackedSize = 0
  private var entries = 0
  /// Bytes of the outermost archive, as far as they are known.
  private let packedSize: Int?
  /// Whether a limit was met; nothing more is unpacked then.
  private var isExhausted = false

  /// - Parameter packedSize: bytes of the outermost archive; nil where the one that is read first is that.
  init(_ limits: ArchiveLimits = ArchiveLimits(), packedSize: Int? = nil) {
    self.limits = limits
    self.packedSize = packedSize
  }

  /// The same budget with nothing spent.
  func renewed() -> ArchiveBudget { ArchiveBudget(limits, packedSize: packedSize) }

  /// Counts an entry.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` for one too many, or where too much was unpacked before.
  func addEntry() throws(TrackError) {
    entries += 1
    guard entries <= limits.entryCount else {
      throw TrackError(.limitExceeded, "the archive has more than \(limits.entryCount) entries")
    }
    if isExhausted { throw ArchiveBudget.tooMuch }
  }

  /// Counts bytes of an entry.
  ///
  /// - Parameters:
  ///   - entrySize: bytes of the entry, these included.
  ///   - packedSize: bytes of the archive that the entry lies in.
  func spend(_ bytes: Int, entrySize: Int, packedSize: Int) throws(TrackError) {
    unpackedSize += bytes
    do throws(TrackError) { try check(entrySize, unpackedSize, packedSize) } catch {
      isExhausted = true
      throw error
    }
  }

  /// Refuses a size that is announced.
  func check(_ announced: Int, packedSize: Int) throws(TrackError) {
    try check(announced, announced, packedSize)
  }

  private func check(_ entry: Int, _ all: Int, _ packed: Int) throws(TrackError) {
    let (allowed, overflow) = max(packedSize ?? packed, 1).multipliedReportingOverflow(by: limits.ratio)
    guard entry <= limits.entrySize, all <= limits.freeSize || overflow || all <= allowed else {
      throw ArchiveBudget.tooMuch
    }
  }

  private static let tooMuch = TrackError(
    .limitExceeded, "the archive unpacks to more than a track file can be",
    suggestion: .text("unpack it yourself where you trust it"))
}
