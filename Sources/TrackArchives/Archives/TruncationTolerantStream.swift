import TrackFormats
import TrackModel

/// A decompressed stream that ends where the compressed file is damaged.
final class TruncationTolerantStream: ByteStream {
  private let archive: ArchiveReader?
  private let damage: CompressionDamage
  /// Opens the compressed bytes again, or `nil` if that is not possible.
  private let reopen: (() throws(TrackError) -> ByteInput)?
  private var delivered = 0
  private var isSalvaging = false
  private var rest: ArraySlice<UInt8> = []
  private var inflation: Inflation?
  private var salvaged = 0

  /// The number of bytes that libarchive can withhold before damage.
  private static let heldBack = 1 << 20

  init(
    _ archive: ArchiveReader?, _ damage: CompressionDamage, reopen: (() throws(TrackError) -> ByteInput)?
  ) {
    self.archive = archive
    self.damage = damage
    self.reopen = reopen
  }

  /// Creates a stream of the recoverable bytes if libarchive returns none.
  ///
  /// - Throws: the error if there are none.
  func salvage(_ error: TrackError) throws(TrackError) {
    isSalvaging = true
    damage.set(
      TrackError(
        error.code,
        error.code == .truncated
          ? "the compressed file is truncated; complete data is kept"
          : "the compressed file is damaged; everything before the damage is kept"))
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
    if rest.isEmpty, salvaged < TruncationTolerantStream.heldBack { rest = inflation?.next() ?? [] }
    let length = min(count, rest.count)
    for (index, byte) in rest.prefix(length).enumerated() { unsafe start[index] = byte }
    rest = rest.dropFirst(length)
    salvaged += length
    return length
  }
}
