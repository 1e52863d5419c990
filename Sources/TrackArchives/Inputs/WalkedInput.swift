public import TrackFormats
public import TrackModel

/// Something that may hold tracks: a file, or an entry of an archive.
public struct WalkedInput: Sendable {
  enum Content: Sendable {
    /// A file that can be opened by whoever reads it.
    case file(String)
    /// What was an entry of an archive, or lies in one, compressed still where it is a file that was
    /// compressed.
    case bytes([UInt8])
    /// Too large to be held, or not to be opened twice: ``InputWalk/takeStream()``.
    case stream
  }

  /// Which of the paths that the walk was given it comes from.
  public let root: Int
  public let label: InputLabel
  /// Whether it comes from an archive or a folder.
  public let isInContainer: Bool
  /// What the tables of an export say about it.
  public let notes: ActivityNotesSource
  /// The format, where it is known without looking.
  public let format: TrackFormat?
  let content: Content
  /// The path that the walk was given, or found in a list, on the way to it.
  public var rootPath = ""
  /// The path of the file on disk: the input itself, or the outermost archive that contains it.
  public var file = ""
  /// Whether that path stood in a list.
  public var isListed = false

  /// Whether it has to be read through ``InputWalk/takeStream()`` before the walk goes on.
  public var isStreamed: Bool { if case .stream = content { true } else { false } }

  /// Bytes in memory.
  public var heldSize: Int { if case .bytes(let bytes) = content { bytes.count } else { 0 } }

  /// Opens it, unpacked where it is compressed.
  ///
  /// - Parameters:
  ///   - progress: is told how many bytes were read of a file.
  ///   - tap: looks at the bytes as they are, compressed where they are.
  /// - Throws: ``TrackError`` where it cannot be opened or unpacked; `.usage` for one that is streamed.
  public func open(progress: ByteProgress? = nil, tap: ContentTap? = nil) throws(TrackError) -> ByteInput {
    switch content {
    case .file(let path):
      return try Decompression.unpacked(
        WalkedInput.tapped(try ByteInput(path: path, progress: progress), tap)
      ) {
        () throws(TrackError) in
        try ByteInput(path: path)
      }
    case .bytes(let bytes):
      return try Decompression.unpacked(
        WalkedInput.tapped(ByteInput(bytes: bytes, name: label.path), tap)
      ) { () throws(TrackError) in
        ByteInput(bytes: bytes)
      }
    case .stream: throw TrackError(.usage, "the input can only be read where the walk stands")
    }
  }

  static func tapped(_ input: consuming ByteInput, _ tap: ContentTap?) -> ByteInput {
    guard let tap else { return input }
    return tap.watching(input)
  }
}

/// A step of a walk through inputs.
public enum WalkStep: Sendable {
  /// An archive or a folder opens; its inputs follow.
  case container(WalkedContainer)
  case input(WalkedInput)
  /// Something that is no input, and why.
  case skipped(root: Int, label: InputLabel, SkipReason)
  /// Something that ought to be an input and cannot be read.
  case failed(root: Int, label: InputLabel, TrackError)
  /// The end of an archive or a folder of a list.
  case left(root: Int)
}

/// An archive or a folder.
public struct WalkedContainer: Sendable {
  public let root: Int
  public let label: InputLabel
  /// `zip`, `7z`, `tar` or `folder`.
  public let kind: String
  /// Whose export it is, for people: `Strava`, `Garmin`, `Google Takeout`.
  public let services: [String]
  /// How many files its list of names has.
  public let fileCount: Int
  /// How many archives and folders it lies in.
  public let depth: Int
  /// The path that the walk was given, or found in a list, on the way to it.
  public var rootPath = ""
  /// Whether that path stood in a list.
  public var isListed = false
}
