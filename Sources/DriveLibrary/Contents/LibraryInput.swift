public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An input that has been read and can be added to a library.
public struct LibraryInput: Sendable {
  /// The content of an input.
  public enum Content: Sendable {
    /// Drives, and warnings about the rest of the input.
    case drives([PreparedDrive], failure: String?)
    /// A valid input without anything to import.
    case skipped(reason: String)
    /// An input that could not be read to its end.
    case failed(reason: String)
    /// An input that was not read, because the library knows its content
    /// (``DriveLibrary/knownContents(_:)``).
    case known
  }

  /// The name of the input for people: a path, or archive and entry.
  public var path: String
  /// The identity of the content, or `nil` if the input was not read to its end.
  public var identity: ContentIdentity?
  /// The format's name.
  public var format: String?
  /// The name that an export gives the input.
  public var name: String?
  /// The options for reading it, as on the command line. Empty for the defaults.
  public var options: String
  /// The drives of the input, or the reason why it has no drives.
  public var content: Content

  /// Creates an input whose export has no name for it.
  public init(
    path: String, identity: ContentIdentity?, format: String?, options: String, content: Content
  ) {
    self.path = path
    self.identity = identity
    self.format = format
    self.options = options
    self.content = content
  }
}

/// The handling of existing drives in an import.
public struct LibraryImportPolicy: Sendable, Hashable {
  /// Whether to keep duplicates. They get a separate id.
  public var keepsDuplicates = false
  /// Whether to replace the drives of known inputs, and to restore removed drives.
  public var isAgain = false

  /// Creates a policy that skips duplicates, known inputs and removed drives.
  public init() {}
}

/// The outcome of an input in a library.
public struct LibraryResult: Sendable {
  /// The outcome of the input.
  public var state: SourceOutcome.State
  /// The reason if the input was not imported.
  public var reason: String?
  /// A way to resolve the problem.
  public var suggestion: Suggestion?
  /// The drives of the input that are in the library.
  public var drives: [UUID] = []
  /// The indices of the new drives in the input.
  public var added: Set<Int> = []
  /// The indices of skipped duplicates in the input, with their originals.
  public var duplicates: [(index: Int, of: LibraryDuplicate)] = []
  /// The indices of drives that were kept although the library contains part of the same recording
  /// (`duplicate`), or a recording by another device or a companion.
  public var related: [(index: Int, relation: RideRelation, to: LibraryDuplicate)] = []
  /// The indices of drives that were skipped because they were removed from the library.
  public var removed: Set<Int> = []
  /// For a duplicate: its first original.
  public var duplicateOf: LibraryDuplicate?
  /// Whether the existing import used other options.
  public var hasOtherOptions = false
  /// Whether the export's name differs from the one in the library.
  public var hasOtherName = false

  /// The reason for skipping an input whose drives were removed from the library.
  public static let removedReason = "removed"
}

/// The original of a duplicate.
public struct LibraryDuplicate: Sendable, Hashable {
  /// The identifier of the original in the library.
  public var id: UUID
  /// The source file.
  public var source: String

  /// Creates a reference to a drive of the library.
  public init(id: UUID, source: String) {
    self.id = id
    self.source = source
  }
}
