public import TrackFormats
public import TrackModel

/// A possible track file: a file or an entry of an archive.
public struct DiscoveredInput: Sendable {
  enum Content: Sendable {
    /// A file on disk.
    case file(String)
    /// The content of an archive entry in memory, still compressed if it is a compressed file.
    case bytes([UInt8])
    /// Too large for memory, or not readable twice; see ``InputEnumerator/takeStream(tap:)``.
    case stream
  }

  /// The index of the given path that contains the input.
  public let root: Int
  /// The names of the input for messages and outputs.
  public let label: InputLabel
  /// Whether the input is in an archive or a folder.
  public let isInContainer: Bool
  /// The metadata from the tables of an export.
  public let notes: ActivityNotesSource
  /// The format, if already known.
  public let format: TrackFormat?
  let content: Content
  /// The path that contains it, as given by the user or found in a list.
  public var rootPath = ""
  /// The path of the file on disk: the input itself, or the outermost archive that contains it.
  public var file = ""
  /// Whether the path is from a list.
  public var isListed = false
  /// The films that continue it, in the order of their times.
  package var nextClips: [String] = []

  /// Whether it must be read with ``InputEnumerator/takeStream(tap:)`` before the enumeration continues.
  public var isStreamed: Bool { if case .stream = content { true } else { false } }

  /// The size in memory in bytes.
  public var heldSize: Int { if case .bytes(let bytes) = content { bytes.count } else { 0 } }

  /// Opens the input, decompressing it if necessary. Of several clips, opens the first.
  ///
  /// - Parameters:
  ///   - progress: receives the number of bytes read from a file.
  ///   - tap: receives the original, possibly compressed bytes.
  /// - Throws: `TrackError` if it cannot be opened or decompressed; `.usage` for a streamed input.
  public func open(progress: ByteProgress? = nil, tap: HashingInput? = nil) throws(TrackError) -> ByteInput {
    switch content {
    case .file(let path):
      return try Decompression.unpacked(
        DiscoveredInput.tapped(try ByteInput(path: path, progress: progress), tap, nextClips))
    case .bytes(let bytes):
      return try Decompression.unpacked(
        DiscoveredInput.tapped(ByteInput(bytes: bytes, name: label.path), tap))
    case .stream: throw TrackError(.usage, "a streamed input can only be read during the enumeration")
    }
  }

  static func tapped(
    _ input: consuming ByteInput, _ tap: HashingInput?, _ nextFiles: [String] = []
  ) -> ByteInput {
    guard let tap else { return input }
    tap.nextFiles = nextFiles
    return tap.watching(input)
  }
}

/// A step of an enumeration.
public enum EnumerationStep: Sendable {
  /// The start of an archive or a folder, followed by its inputs.
  case container(DiscoveredContainer)
  /// A possible track file. A streamed one must be taken before the next step.
  case input(DiscoveredInput)
  /// An item that is not an input, with the reason.
  case skipped(root: Int, label: InputLabel, SkipReason)
  /// An input that cannot be read.
  case failed(root: Int, label: InputLabel, TrackError)
  /// The end of an archive or a folder of a list.
  case left(root: Int)
}

/// An archive or a folder.
public struct DiscoveredContainer: Sendable {
  /// The index of the given path that contains the archive or folder.
  public let root: Int
  /// The names of the archive or folder for messages.
  public let label: InputLabel
  /// `zip`, `7z`, `tar` or `folder`.
  public let kind: String
  /// The service of an export: `Strava`, `Garmin`, `Google Takeout`.
  public let services: [String]
  /// The number of listed files.
  public let fileCount: Int
  /// The number of enclosing archives and folders.
  public let depth: Int
  /// The path, given or found in a list, from which the enumeration reached it.
  public var rootPath = ""
  /// Whether the path was in a list.
  public var isListed = false
}
