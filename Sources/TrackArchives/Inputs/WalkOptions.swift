public import TrackFormats

/// What a walk may do.
public struct WalkOptions: Sendable {
  /// A folder that is not looked into, such as the one that is written to.
  public var excludedFolder: String?
  /// Files that are passed over in folders, such as those that are written to.
  public var excludedFiles: [String] = []
  /// The format that the user says the inputs have.
  public var format: TrackFormat?
  /// Entries of archives that are larger are streamed.
  public var heldSize = 1 << 24
  /// Archives in archives that are larger are streamed.
  public var heldArchiveSize = 1 << 25
  /// What `-` is, where it was looked at before, or holds paths.
  public var standardInput: StandardInput?

  /// Whether there are other inputs beside those of the walk, which a named pipe would keep waiting.
  public var isOneOfSeveral = false

  /// Whether an empty folder is nothing to complain about.
  public var takesEmptyFolders = false

  public init() {}
}
