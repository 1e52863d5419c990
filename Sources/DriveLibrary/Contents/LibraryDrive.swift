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
  /// The name of the drive.
  public var name: String
  /// The time of the first point, or `nil` if the drive has no times.
  public var startTime: Instant?
  /// The time of the last point, or `nil` if the drive has no times.
  public var endTime: Instant?
  /// The duration in seconds.
  public var duration: Double
  /// The distance in miles.
  public var distance: Double
  /// The distance in metres.
  public var distanceInMeters: Double { distance * Geodesy.metresPerMile }
  /// The number of coordinates.
  public var points: Int
  /// The kind of activity, as named in its source.
  public var kind: String?
  /// The notes of the driver or the export, or `nil`.
  public var description: String?
  /// The bike, the shoes or the vehicle, or `nil` if unknown.
  public var gear: String?
  /// The source file.
  public var source: String?
  /// The first coordinate, or `nil` for a drive without coordinates.
  public var start: Coordinate?
  /// The last coordinate, or `nil` for a drive without coordinates.
  public var end: Coordinate?
}

/// A drive to be added to a library.
public struct NewLibraryDrive: Sendable {
  /// The drive to store.
  public var drive: Drive
  /// The recording with the times of its points, for comparisons. By default, the exact times of ``drive``. A
  /// check of the library reports drives without either.
  public var recording: Recording?
  /// The kind of activity, as named in its source. It replaces the kind of ``drive``.
  public var kind: String?
  /// The notes of the driver or the export. They replace those of ``drive``.
  public var description: String?
  /// The bike, the shoes or the vehicle. It replaces the gear of ``drive``.
  public var gear: String?

  /// Creates a drive to be added.
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

/// A filter for drives. All given conditions must hold.
public struct LibraryFilter: Sendable, Hashable {
  /// The earliest start.
  public var since: Instant?
  /// The first instant after the latest start.
  public var until: Instant?
  /// The area that the drive must enter.
  public var near: Area?
  /// A part of the name, without regard to case and the diacritics of Latin letters.
  public var name: String?
  /// The kind of activity, or a group of kinds (`KindStage.groups`), such as `driving` for every kind of road
  /// vehicle. Case, spaces, hyphens and underscores are ignored. `nil` for all kinds.
  public var kind: String?

  /// Creates a filter that all drives pass.
  public init() {}

  /// The area around a place.
  public struct Area: Sendable, Hashable {
    /// The place.
    public var place: Coordinate
    /// The radius in metres.
    public var radius: Double

    /// Creates an area. The radius is in metres.
    public init(place: Coordinate, radius: Double) {
      self.place = place
      self.radius = radius
    }
  }
}

/// The outcome of an input of an import.
public struct SourceOutcome: Sendable, Hashable {
  /// The outcome in one word, which is stored in the library.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The library contains the drives of the input.
    case imported
    /// The input was imported before.
    case alreadyThere = "already there"
    /// The drive is a duplicate, see ``duplicateOf``.
    case duplicate
    /// The input is valid but contains nothing to import.
    case skipped
    /// The input could not be read, or a track of it could not become a drive.
    case failed
  }

  /// The name of the input for people: a path, or archive and entry.
  public var path: String
  /// The hash of the content, or `nil` if the input was not read to its end.
  public var contentHash: String?
  /// The size in bytes.
  public var size: Int?
  /// The format's name.
  public var format: String?
  /// The outcome of the input.
  public var state: State
  /// The reason if the input was not imported.
  public var reason: String?
  /// The original of a duplicate.
  public var duplicateOf: UUID?

  /// Creates an outcome.
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
