public import TrackFormats

/// The options of an enumeration.
public struct EnumerationOptions: Sendable {
  /// A folder to skip, such as the output folder.
  public var excludedFolder: String?
  /// Files to skip in folders, such as outputs.
  public var excludedFiles: [String] = []
  /// The format specified by the user.
  public var format: TrackFormat?
  /// Whether files with the extension of a table are inputs, although they cannot be recognized without a
  /// heading.
  package var acceptsAnyTable = false
  /// The largest entry in memory. Larger entries are streamed.
  public var heldSize = 1 << 24
  /// The largest nested archive in memory. Larger ones are streamed.
  public var heldArchiveSize = 1 << 25
  /// The limits of archives.
  public var archiveLimits = ArchiveLimits()
  /// The depth of folders in folders.
  public var folderDepth = 100
  /// Standard input, if it has already been classified.
  public var standardInput: StandardInput?

  /// Whether there are other inputs, which a named pipe would block.
  public var isOneOfSeveral = false

  /// Whether an empty folder is allowed.
  public var takesEmptyFolders = false

  /// Whether the consecutive films of a camera are one input, and films with the same positions are skipped.
  public var joinsClips = false

  /// Creates options with the defaults.
  public init() {}
}
