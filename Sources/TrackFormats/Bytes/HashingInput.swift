public import TrackModel

/// Hashes the content of an input while a reader reads it, so that it is not read twice.
///
/// Hashes one input at a time, which is read by one thread. Large films are identified by samples, because
/// their readers skip most of the content.
public final class HashingInput {
  private var stream: TappedStream?
  /// The files that belong to the input after its content.
  package var nextFiles: [String] = []

  /// Creates an object without an input.
  public init() {}

  /// Returns an input with the same bytes, which this object hashes.
  package func watching(_ input: consuming ByteInput) -> ByteInput {
    let name = input.name
    let size = input.size
    let damage = input.damage
    let stream = TappedStream(input)
    self.stream = stream
    return ByteInput(stream: stream, name: name, size: size, damage: damage)
  }

  /// Returns the identity of the whole content, including any unread part, or nil if no input was opened.
  ///
  /// - Throws: `TrackError` if the rest cannot be read.
  public func finish() throws(TrackError) -> ContentIdentity? {
    guard let stream else { return nil }
    self.stream = nil
    return try stream.finish().followed(by: nextFiles)
  }
}

private final class TappedStream: ByteStream {
  private var input: ByteInput
  private var hasher = ContentHasher()
  /// The offset of the next byte that is read.
  private var offset = 0

  init(_ input: consuming ByteInput) { self.input = input }

  var isSeekable: Bool { input.isSeekable }

  func seek(to offset: Int) throws(TrackError) {
    try input.seek(to: offset)
    self.offset = offset
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    let length = try unsafe input.read(to: start, count: count)
    // Bytes after a gap are hashed at the end.
    let known = hasher.count - offset
    if known >= 0, known < length {
      hasher.update(unsafe UnsafeBufferPointer(start: start + known, count: length - known).span)
    }
    offset += length
    return length
  }

  func finish() throws(TrackError) -> ContentIdentity {
    if let identity = try ContentIdentity.ofFilm(&input) { return identity }
    if input.isSeekable { try input.seek(to: offset) }
    if hasher.count != offset { try input.seek(to: hasher.count) }
    repeat {
      hasher.update(input.available)
      input.consumeAll()
    } while try input.fill()
    return ContentIdentity(hash: hasher.result, size: hasher.count)
  }
}
