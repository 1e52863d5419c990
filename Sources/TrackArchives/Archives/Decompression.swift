import TrackFormats
import TrackModel

/// Decompresses single files such as `ride.gpx.gz`.
enum Decompression {
  /// Returns an input with the decompressed bytes, even for nested compression (as far as libarchive supports
  /// it). Other inputs are returned unchanged.
  ///
  /// Damaged files are delivered up to the damage, which ``ByteInput/damage`` then reports.
  ///
  /// - Parameters:
  ///   - limits: the limits on the decompressed size.
  ///   - reopen: opens the same input again, to recover the last bytes before damage.
  /// - Throws: ``TrackError`` if nothing can be decompressed.
  static func unpacked(
    _ input: consuming ByteInput, limits: ArchiveLimits = ArchiveLimits(),
    reopen: (() throws(TrackError) -> ByteInput)? = nil
  ) throws(TrackError) -> ByteInput {
    var input = input
    try input.fill(atLeast: ContainerKind.length)
    guard case .compressed? = ContainerKind(input.available) else { return input }
    let isGzip = input.available[0] == 0x1F
    let name = input.name
    let damage = CompressionDamage()
    let budget = ArchiveBudget(limits, packedSize: input.size)
    let archive: ArchiveReader
    do throws(TrackError) {
      archive = try ArchiveReader(
        stream: InputStream(input), formats: [.gzip, .otherFilters, .compressedFile], budget: budget)
      guard try archive.nextEntry() != nil else { throw TrackError(.truncated, "the file is empty") }
    } catch {
      guard isGzip, error.code == .truncated || error.code == .malformed else { throw error }
      let stream = TruncationTolerantStream(nil, damage, reopen: reopen)
      try stream.salvage(error)
      return ByteInput(stream: stream, name: name, damage: damage)
    }
    let stream = TruncationTolerantStream(archive, damage, reopen: isGzip ? reopen : nil)
    return ByteInput(stream: stream, name: name, damage: damage)
  }
}

/// An input as a source of bytes for decompression.
final class InputStream: ByteStream {
  private var input: ByteInput

  init(_ input: consuming ByteInput) { self.input = input }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    try unsafe input.read(to: start, count: count)
  }
}
