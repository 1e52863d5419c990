public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive of a library without its coordinates.
public struct LibraryDrive: Sendable, Hashable, Identifiable {
  public var id: UUID
  public var name: String
  public var startTime: Instant?
  public var endTime: Instant?
  /// Seconds.
  public var duration: Double
  /// Miles.
  public var distance: Double
  /// How many coordinates it has.
  public var points: Int
  /// What was driven or done, in the words of its source.
  public var kind: String?
  public var description: String?
  public var gear: String?
  /// The file that it came from.
  public var source: String?
  /// Where it began and ended; nil for a drive without coordinates.
  public var start: Coordinate?
  public var end: Coordinate?
}

/// A drive on its way into a library.
public struct NewLibraryDrive: Sendable {
  public var drive: Drive
  /// What it was made from, so that comparisons from the library have the times of its points. A check of the
  /// library misses it where there is none.
  public var recording: Recording?
  public var kind: String?
  public var description: String?
  public var gear: String?

  public init(
    _ drive: Drive, recording: Recording? = nil, kind: String? = nil, description: String? = nil,
    gear: String? = nil
  ) {
    self.drive = drive
    self.recording = recording
    self.kind = kind
    self.description = description
    self.gear = gear
  }
}

/// Which drives are meant; every part that is given must hold.
public struct LibraryFilter: Sendable, Hashable {
  /// Begun at this moment or later.
  public var since: Instant?
  /// Begun before this moment.
  public var until: Instant?
  /// A place, and metres from it within which a drive must have come.
  public var near: (place: Coordinate, radius: Double)?
  /// A part of the name, case not minded.
  public var name: String?
  public var kind: String?

  public init() {}

  public static func == (left: LibraryFilter, right: LibraryFilter) -> Bool {
    left.since == right.since && left.until == right.until && left.name == right.name
      && left.kind == right.kind && left.near?.place == right.near?.place
      && left.near?.radius == right.near?.radius
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(since)
    hasher.combine(until)
    hasher.combine(name)
    hasher.combine(near?.place)
  }
}

/// What became of an input of an import.
public struct SourceOutcome: Sendable, Hashable {
  public enum State: String, Sendable, Hashable, CaseIterable {
    case imported
    /// It had been imported before.
    case alreadyThere = "already there"
    /// Its drive is another's: see ``duplicateOf``.
    case duplicate
    /// It is sound and holds nothing to import.
    case skipped
    case failed
  }

  /// What people call the input: a path, or archive and entry.
  public var path: String
  /// Of the input's bytes; equal for equal content, nil for what was not read to its end.
  public var contentHash: String?
  /// Bytes.
  public var size: Int?
  /// The format's name.
  public var format: String?
  public var state: State
  /// Why, for what was not imported.
  public var reason: String?
  /// The drive that it is a duplicate of.
  public var duplicateOf: UUID?

  public init(
    path: String, contentHash: String?, size: Int? = nil, format: String? = nil, state: State,
    reason: String? = nil, duplicateOf: UUID? = nil
  ) {
    self.path = path
    self.contentHash = contentHash
    self.size = size
    self.format = format
    self.state = state
    self.reason = reason
    self.duplicateOf = duplicateOf
  }
}
