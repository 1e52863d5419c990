import TrackModel

/// Single files that were compressed, such as `ride.gpx.gz`, as the bytes that they hold.
enum Decompression {
  /// An input that delivers what is inside, also where it was compressed over and over (as far as libarchive goes
  /// along); an input that is not compressed comes back as it is.
  ///
  /// - Parameter limits: how much may come out of it.
  /// - Throws: ``TrackError`` where the compression is damaged.
  static func unpacked(
    _ input: consuming ByteInput, limits: ArchiveLimits = ArchiveLimits()
  ) throws(TrackError) -> ByteInput {
    var input = input
    try input.fill(atLeast: ContainerKind.length)
    guard case .compressed? = ContainerKind(input.available) else { return input }
    let name = input.name
    let budget = ArchiveBudget(limits, packedSize: input.size)
    let archive = try ArchiveReader(
      stream: InputStream(input), formats: [.gzip, .otherFilters, .compressedFile], budget: budget)
    guard try archive.nextEntry() != nil else { throw TrackError(.truncated, "the file is empty") }
    return ByteInput(stream: archive, name: name)
  }
}

/// An input as a source of bytes for what unpacks it.
final class InputStream: ByteStream {
  private var input: ByteInput

  init(_ input: consuming ByteInput) { self.input = input }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    if input.available.isEmpty, try !input.fill() { return 0 }
    let length = min(count, input.available.count)
    unsafe input.copy(length, to: start)
    input.consume(length)
    return length
  }
}
