import TrackFormats
import TrackModel

/// A decompressed stream that ends where the compressed file is damaged.
final class TruncationTolerantStream: ByteStream {
  private let stream: any ByteStream
  private let damage: CompressionDamage
  private var isEmpty = true

  init(_ stream: any ByteStream, _ damage: CompressionDamage) {
    self.stream = stream
    self.damage = damage
  }

  /// Reads decompressed bytes.
  ///
  /// - Throws: the error of damage before the first byte, and other errors.
  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    guard damage.error == nil else { return 0 }
    do throws(TrackError) {
      let result = try unsafe stream.read(to: start, count: count)
      if result > 0 { isEmpty = false }
      return result
    } catch {
      guard !isEmpty, error.code == .truncated || error.code == .malformed else { throw error }
      damage.set(error, kept: kept(before: error))
      return 0
    }
  }

  /// libarchive withholds its last block, of up to 128 KiB, or of 900 KB and 64 KiB for bzip2.
  private func kept(before error: TrackError) -> String {
    let exception = stream is GzipStream ? "" : ", except for up to 1 MiB"
    return error.code == .truncated
      ? "complete data is kept" + exception : "everything before the damage is kept" + exception
  }
}
