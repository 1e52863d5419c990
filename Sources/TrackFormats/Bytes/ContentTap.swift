public import TrackModel

/// Looks at the bytes of an input as a reader takes them, so that its content is hashed without being read
/// twice.
///
/// For one input at a time, which one thread reads.
public final class ContentTap {
  private var stream: TappedStream?

  public init() {}

  /// An input with the same bytes, which this tap looks at.
  package func watching(_ input: consuming ByteInput) -> ByteInput {
    let name = input.name
    let size = input.size
    let damage = input.damage
    let stream = TappedStream(input)
    self.stream = stream
    return ByteInput(stream: stream, name: name, size: size, damage: damage)
  }

  /// What the content is, to its end, however much of it the reader wanted; nil where none was opened.
  ///
  /// - Throws: where the rest cannot be read.
  public func finish() throws(TrackError) -> ContentIdentity? {
    guard let stream else { return nil }
    self.stream = nil
    return try stream.finish()
  }
}

private final class TappedStream: ByteStream {
  private var input: ByteInput
  private var hasher = ContentHasher()

  init(_ input: consuming ByteInput) { self.input = input }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    let length = try unsafe input.read(to: start, count: count)
    hasher.update(unsafe UnsafeBufferPointer(start: start, count: length).span)
    return length
  }

  func finish() throws(TrackError) -> ContentIdentity {
    repeat {
      hasher.update(input.available)
      input.consumeAll()
    } while try input.fill()
    return ContentIdentity(hash: hasher.result, size: hasher.count)
  }
}
