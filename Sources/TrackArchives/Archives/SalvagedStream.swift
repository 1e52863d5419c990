import TrackFormats
import TrackModel

/// A compressed file that is given up to the place where it is damaged, and ends there.
final class SalvagedStream: ByteStream {
  private let archive: ArchiveReader?
  private let damage: CompressionDamage
  /// Opens the compressed bytes once more; nil where that cannot be done.
  private let reopen: (() throws(TrackError) -> ByteInput)?
  private var delivered = 0
  private var isSalvaging = false
  private var rest: ArraySlice<UInt8> = []
  private var inflation: Inflation?
  private var salvaged = 0

  /// Bytes that libarchive may hold back before a damage; more is not to be had.
  private static let heldBack = 1 << 20

  init(
    _ archive: ArchiveReader?, _ damage: CompressionDamage, reopen: (() throws(TrackError) -> ByteInput)?
  ) {
    self.archive = archive
    self.damage = damage
    self.reopen = reopen
  }

  /// Begins with what can be had where libarchive gives nothing at all.
  ///
  /// - Throws: the error where there is nothing.
  func salvage(_ error: TrackError) throws(TrackError) {
    isSalvaging = true
    damage.set(
      TrackError(
        error.code,
        error.code == .truncated
          ? "the compression is cut off, and everything before that is kept"
          : "the compression is damaged, and everything before that is kept"))
    if let reopen, let input = try? reopen() {
      inflation = Inflation(input)
      var skipped = 0
      while skipped < delivered {
        let piece = inflation?.next() ?? []
        guard !piece.isEmpty else { break }
        rest = piece.dropFirst(delivered - skipped)
        skipped += piece.count
      }
      if rest.isEmpty, skipped >= delivered { rest = inflation?.next() ?? [] }
    }
    if delivered == 0, rest.isEmpty { throw error }
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    if !isSalvaging, let archive {
      do throws(TrackError) {
        let result = try unsafe archive.read(to: start, count: count)
        delivered += result
        return result
      } catch {
        guard error.code == .truncated || error.code == .malformed else { throw error }
        try salvage(error)
      }
    }
    if rest.isEmpty, salvaged < SalvagedStream.heldBack { rest = inflation?.next() ?? [] }
    let length = min(count, rest.count)
    for (index, byte) in rest.prefix(length).enumerated() { unsafe start[index] = byte }
    rest = rest.dropFirst(length)
    salvaged += length
    return length
  }
}
