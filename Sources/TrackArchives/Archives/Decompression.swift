import TrackFormats
import TrackModel

/// Single files that were compressed, such as `ride.gpx.gz`, as the bytes that they hold.
enum Decompression {
  /// An input that delivers what is inside, also where it was compressed over and over (as far as libarchive
  /// goes along); an input that is not compressed comes back as it is.
  ///
  /// What is damaged is given up to the damage, and ``ByteInput/damage`` then says so.
  ///
  /// - Parameters:
  ///   - limits: how much may come out of it.
  ///   - reopen: opens the same input again, so that the last bytes before a damage can be had too.
  /// - Throws: ``TrackError`` where nothing can be unpacked.
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
      let stream = SalvagedStream(nil, damage, reopen: reopen)
      try stream.salvage(error)
      return ByteInput(stream: stream, name: name, damage: damage)
    }
    let stream = SalvagedStream(archive, damage, reopen: isGzip ? reopen : nil)
    return ByteInput(stream: stream, name: name, damage: damage)
  }
}

/// An input as a source of bytes for what unpacks it.
final class InputStream: ByteStream {
  private var input: ByteInput

  init(_ input: consuming ByteInput) { self.input = input }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    try unsafe input.read(to: start, count: count)
  }
}
