import TrackModel

/// Single files that were compressed, such as `ride.gpx.gz`, as the bytes that they hold.
enum Decompression {
  /// How often a file may have been compressed over.
  static let maximumDepth = 4

  /// An input that delivers what is inside, whatever number of times it was compressed; an input that is not
  /// compressed comes back as it is.
  ///
  /// - Parameter limits: how much may come out of it.
  /// - Throws: ``TrackError`` where the compression is damaged, or has more layers than ``maximumDepth``.
  static func unpacked(
    _ input: consuming ByteInput, limits: ArchiveLimits = ArchiveLimits()
  ) throws(TrackError) -> ByteInput {
    var input = input
    for depth in 0... {
      try input.fill(atLeast: ContainerKind.length)
      guard case .compressed? = ContainerKind(input.available) else { break }
      guard depth < maximumDepth else {
        throw TrackError(.limitExceeded, "is compressed more than \(maximumDepth) times over")
      }
      let name = input.name
      let size = input.size
      let stream = InputStream(input)
      let archive = try ArchiveReader(
        stream: stream, formats: [.gzip, .otherFilters, .compressedFile],
        budget: ArchiveBudget(limits, packedSize: size))
      guard try archive.nextEntry() != nil else { throw TrackError(.truncated, "the file is empty") }
      input = ByteInput(stream: archive, name: name)
    }
    return input
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
