import TrackFormats
public import TrackModel

extension WalkedInput {
  /// How many bytes it has, where that is known without reading it.
  public var size: Int? {
    switch content {
    case .file(let path): InputWalk.size(path)
    case .bytes(let bytes): bytes.count
    case .stream: nil
    }
  }

  /// What tells cheaply whether it is the same as in an earlier run: of a file its size and when it was
  /// changed, of an entry of an archive its content, or where that is large, the size and time of the
  /// archive. Nil where nothing does.
  ///
  /// - Parameter root: the path that the walk was given.
  public func fingerprint(inside root: String) -> String? {
    switch content {
    case .file(let path): FileDescriptor.stamp(path)
    case .bytes(let bytes): ContentHash(bytes.span).description
    case .stream: root == "-" ? nil : FileDescriptor.stamp(root).map { "in " + $0 }
    }
  }

  /// What its content is, read for nothing else.
  ///
  /// - Throws: where it cannot be read; `.usage` for one that is streamed.
  public func identity() throws(TrackError) -> ContentIdentity {
    if case .bytes(let bytes) = content {
      return ContentIdentity(hash: ContentHash(bytes.span), size: bytes.count)
    }
    guard case .file(let path) = content else {
      throw TrackError(.usage, "the input can only be read where the walk stands")
    }
    var input = try ByteInput(path: path)
    var hasher = ContentHasher()
    while try input.fill() {
      hasher.update(input.available)
      input.consumeAll()
    }
    return ContentIdentity(hash: hasher.result, size: hasher.count)
  }
}
