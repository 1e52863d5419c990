import TrackFormats
public import TrackModel

extension DiscoveredInput {
  /// The size in bytes, if known without reading.
  public var size: Int? {
    switch content {
    case .file(let path):
      nextClips.reduce(InputEnumerator.size(path)) { sum, clip in
        sum.flatMap { sum in InputEnumerator.size(clip).map { sum + $0 } }
      }
    case .bytes(let bytes): bytes.count
    case .stream: nil
    }
  }

  /// A cheap fingerprint for detecting unchanged inputs: size and modification time of a file, the content of
  /// an archive entry, or size and time of the archive for a large entry. `nil` if there is none.
  ///
  /// - Parameter root: the path given by the user.
  public func fingerprint(inside root: String) -> String? {
    switch content {
    case .file(let path):
      nextClips.reduce(FileDescriptor.stamp(path)) { stamps, clip in
        stamps.flatMap { stamps in FileDescriptor.stamp(clip).map { stamps + " " + $0 } }
      }
    case .bytes(let bytes): ContentHash(bytes.span).description
    case .stream: root == "-" ? nil : FileDescriptor.stamp(root).map { "in " + $0 }
    }
  }

  /// Returns the identity of the content by reading it; of a large film by reading samples of it.
  ///
  /// - Throws: if it cannot be read; `.usage` for a streamed input.
  public func identity() throws(TrackError) -> ContentIdentity {
    if case .bytes(let bytes) = content {
      return ContentIdentity(hash: ContentHash(bytes.span), size: bytes.count)
    }
    guard case .file(let path) = content else {
      throw TrackError(.usage, "a streamed input can only be read during the enumeration")
    }
    return try ContentIdentity(file: path).followed(by: nextClips)
  }
}
