import TrackFormats
import TrackModel

/// Decompresses single files such as `ride.gpx.gz`.
enum Decompression {
  /// The number of bytes decompressed at a time by zlib, which copies its window after each piece.
  /// libarchive has blocks of 64 KiB, and loses those that it has joined if the next one is damaged.
  private static let pieceSize = 1 << 17

  /// Returns an input with the decompressed bytes, even for nested compression. Other inputs are returned
  /// unchanged.
  ///
  /// Damaged files are delivered up to the damage, which ``ByteInput/damage`` then reports.
  ///
  /// - Parameter limits: the limits on the decompressed size and on the depth.
  /// - Throws: ``TrackError`` if nothing can be decompressed.
  static func unpacked(
    _ input: consuming ByteInput, limits: ArchiveLimits = ArchiveLimits()
  ) throws(TrackError) -> ByteInput {
    var input = input
    let name = input.name
    let budget = ArchiveBudget(limits, packedSize: input.size)
    let damage = CompressionDamage()
    for _ in 0...limits.depth {
      try input.fill(atLeast: ContainerKind.length)
      guard case .compressed? = ContainerKind(input.available) else { return input }
      let isGzip = GzipStream.isStart(input.available)
      let stream: any ByteStream =
        try isGzip ? GzipStream(input, damage, budget) : contents(InputStream(input), budget)
      input = ByteInput(
        stream: TruncationTolerantStream(stream, damage), name: name,
        chunk: isGzip ? pieceSize : ByteInput.defaultChunk, damage: damage)
    }
    throw TrackError(
      .limitExceeded, "files compressed more than \(limits.depth) times",
      suggestion: .text("decompress them first"))
  }

  private static func contents(
    _ stream: any ByteStream, _ budget: ArchiveBudget
  ) throws(TrackError) -> any ByteStream {
    let archive = try ArchiveReader(
      stream: stream, formats: [.otherFilters, .compressedFile], budget: budget)
    guard try archive.nextEntry() != nil else { throw TrackError(.truncated, "the file is empty") }
    return archive
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
