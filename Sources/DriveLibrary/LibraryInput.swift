public import DriveMatching
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An input of an import, read and ready to go into a library.
public struct LibraryInput: Sendable {
  /// What was found in an input.
  public enum Content: Sendable {
    /// Drives, and what was wrong with the rest of the input.
    case drives([PreparedDrive], failure: String?)
    /// Sound, and nothing to import.
    case skipped(reason: String)
    /// It cannot be read to its end.
    case failed(reason: String)
    /// It was not read, because the library knows it (``DriveLibrary/knownContents(_:)``).
    case unread
  }

  /// What people call the input: a path, or archive and entry.
  public var path: String
  /// Nil for what was not read to its end.
  public var identity: ContentIdentity?
  /// The format's name.
  public var format: String?
  /// What an export calls it.
  public var name: String?
  /// How it was read, in the words of the command line; empty for the defaults.
  public var options: String
  public var content: Content

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

/// What an import does with what is there already.
public struct LibraryImportPolicy: Sendable, Hashable {
  /// Whether drives stay that are also there from another recording, or another copy of the same: it gets an
  /// id of its own then.
  public var keepsDuplicates = false
  /// Whether inputs that are known are imported once more, in place of what they were imported as, and drives
  /// that were removed come back.
  public var isAgain = false

  public init() {}
}

/// What became of an input in a library.
public struct LibraryResult: Sendable {
  public var state: SourceOutcome.State
  /// Why, for what was not imported.
  public var reason: String?
  /// What to do about it.
  public var suggestion: Suggestion?
  /// The drives of the input that are in the library.
  public var drives: [UUID] = []
  /// Those of them that are new, by their place in the input.
  public var added: Set<Int> = []
  /// Those of its drives that were left out, by their place in the input, and what they are duplicates of.
  public var duplicates: [(index: Int, of: LibraryDuplicate)] = []
  /// Those that are kept although the library has part of the same recording (`duplicate`), or one of
  /// another device or of somebody beside it, by their place in the input.
  public var related: [(index: Int, relation: RideRelation, to: LibraryDuplicate)] = []
  /// Those that were left out because they were removed from the library earlier, by their place in the
  /// input.
  public var removed: Set<Int> = []
  /// For a duplicate: the first drive that it is one of.
  public var duplicateOf: LibraryDuplicate?
  /// Whether it is there as it was read with other options.
  public var hasOtherOptions = false
  /// Whether its export calls it otherwise than it is called in the library.
  public var hasOtherName = false

  /// The reason of an input that is skipped because its drives were removed from the library.
  public static let removedReason = "removed"
}

/// A drive that another is a duplicate of.
public struct LibraryDuplicate: Sendable, Hashable {
  public var id: UUID
  /// The file that it came from.
  public var source: String

  public init(id: UUID, source: String) {
    self.id = id
    self.source = source
  }
}
