public import DriveMatching
public import GhostModel
public import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A segment of a library.
public struct LibrarySegment: Sendable, Hashable {
  /// The name and the line of the segment.
  public var segment: RoadSegment
  /// The number of passages of all drives. Two recordings of one passage count once.
  public var passages: Int
  /// The shortest duration in seconds, or nil without passages.
  public var best: Double?
}

/// A segment that was added to a library.
public struct AddedSegment: Sendable, Hashable {
  /// The name and the line of the segment.
  public var segment: RoadSegment
  /// The number of passages of all drives. Two recordings of one passage count once.
  public var passages: Int
  /// The drives near the segment that are damaged, so that their passages were not searched for.
  public var damagedDrives: [UUID]
}

extension DriveLibrary {
  /// Adds a segment and finds its passages in all drives.
  ///
  /// - Throws: `usage` if there is a segment with this name.
  @discardableResult
  public func add(_ segment: RoadSegment) throws(TrackError) -> AddedSegment {
    try change { () throws(TrackError) in
      if try !hasSegments { try database.execute(SegmentSchema.creation) }
      try database.execute(SegmentSchema.indexCreation)
      try requireNew(segment.name)
      try statement(
        """
        INSERT INTO segments (name, length_m, created, geom)
          VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?)
        """
      ).run([.text(segment.name), .real(segment.length), .blob(GeoPackageGeometry.line(segment.line))])
      try database.execute(SegmentSchema.extent)
      var result = AddedSegment(segment: segment, passages: 0, damagedDrives: [])
      guard let number = try number(ofSegment: segment.name) else { return result }
      let entry = NumberedSegment(number: number, segment)
      result.damagedDrives = try addPassages(of: entry, in: try candidates(for: entry.ends))
      result.passages = try passages(of: segment.name).count { $0.original == nil }
      return result
    }
  }

  /// Adds the segment on the most common route between two positions and finds its passages in all drives.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - start: the first position of the segment.
  ///   - end: the last position of the segment.
  ///   - via: positions on the route, in driving order.
  /// - Throws: `usage` if there is a segment with this name, `noTracks` if no drive passes the positions in
  ///   this order, `invalidValue` if the segment has no length.
  public func addSegment(
    named name: String, from start: Coordinate, to end: Coordinate, via: [Coordinate] = []
  ) throws(TrackError) -> AddedSegment {
    try requireNew(name)
    var search = try RoadSearch(from: start, to: end, via: via)
    for id in RoadSearch.sample(try candidates(for: [start, end])) where !search.isComplete {
      if let trace = trace(ofPossiblyDamaged: id) { search.add(trace) }
    }
    return try add(try search.segment(named: name))
  }

  /// Checks that no segment has a name.
  ///
  /// - Throws: `usage` if there is a segment with this name.
  public func requireNew(_ name: String) throws(TrackError) {
    guard try number(ofSegment: name) == nil else {
      throw TrackError(
        .usage, "a segment with this name already exists: \(name)", suggestion: .text("use another name"))
    }
  }

  /// Returns the segment with a name.
  ///
  /// - Throws: `notFound` if there is no segment with this name.
  public func existingSegment(_ name: String) throws(TrackError) -> RoadSegment {
    guard let segment = try segment(named: name) else {
      throw TrackError(.notFound, "no segment named \(name)", suggestion: .listSegments)
    }
    return segment
  }

  /// Creates a segment along a drive or a part of it, centered on other drives of the library. It is not
  /// added.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - drive: the drive.
  ///   - part: the part in seconds since the first point, or nil for the whole drive.
  ///   - ends: the positions at which the line is cut, or nil.
  /// - Throws: the errors of `RoadSegment`, or those of the library.
  public func segment(
    named name: String, along drive: TimedDrive, part: ClosedRange<Double>? = nil,
    between ends: (start: Coordinate, end: Coordinate)? = nil
  ) throws(TrackError) -> RoadSegment {
    let segment = try RoadSegment(
      name: name, along: drive, from: part?.lowerBound ?? 0, to: part?.upperBound ?? .infinity)
    let whole = segment.centered(
      on: try traces(from: segment.line[0], to: segment.line[segment.line.count - 1]))
    return try ends.map { ends throws(TrackError) in try whole.part(from: ends.start, to: ends.end) } ?? whole
  }

  /// The largest number of drives from which the line of a segment is computed.
  private static let mostDrives = 24

  /// The largest distance in metres between the lines of two segments on one road, the largest ratio of their
  /// lengths, and the number of places that are compared.
  private static let sameSegment = (metres: 60.0, ratio: 1.1, places: 50)

  /// Adds routes as segments. Skips those that are segments of that name already, and those whose drives
  /// share no road. Routes of equal names are numbered.
  ///
  /// - Parameters:
  ///   - routes: routes of drives of the library.
  ///   - name: returns the name of a route's segment.
  ///   - added: receives each new segment and the number of its passages.
  /// - Throws: if a stored drive is damaged or unusable, or the library cannot be written.
  public func addSegments(
    of routes: [DrivenRoute], named name: (DrivenRoute) -> String,
    added: (AddedSegment) -> Void = { _ in }
  ) throws(TrackError) {
    for route in routes {
      let traces = try traces(of: route.drives.suffix(Self.mostDrives))
      let segment: RoadSegment
      do throws(TrackError) {
        segment = try RoadSegment(name: name(route), sharedBy: traces)
      } catch {
        guard error.code == .noTracks else { throw error }
        continue
      }
      guard let segment = try renamed(segment) else { continue }
      added(try add(segment))
    }
  }

  /// Returns a segment with a name that no other segment has, or nil if the library contains it already.
  private func renamed(_ segment: RoadSegment) throws(TrackError) -> RoadSegment? {
    var name = segment.name
    var number = 1
    while let other = try self.segment(named: name) {
      if Self.areSame(segment, other) { return nil }
      number += 1
      name = "\(segment.name) (\(number))"
    }
    return number == 1 ? segment : try RoadSegment(name: name, line: segment.line)
  }

  /// Whether two segments are the same road in one direction.
  private static func areSame(_ first: RoadSegment, _ second: RoadSegment) -> Bool {
    guard let start = first.line.first, let other = second.line.first,
      Geodesy.distance(from: start, to: other) < sameSegment.metres,
      max(first.length, second.length) < sameSegment.ratio * min(first.length, second.length)
    else { return false }
    let step = max(1, first.line.count / sameSegment.places)
    return stride(from: 0, to: first.line.count, by: step).allSatisfy { index in
      second.line.contains { Geodesy.distance(from: first.line[index], to: $0) < sameSegment.metres }
    }
  }

  /// The segments by name.
  public func segments() throws(TrackError) -> [LibrarySegment] {
    guard try hasSegments else { return [] }
    var segments: [LibrarySegment] = []
    for row in try statement("SELECT name, geom FROM segments ORDER BY name").rows() {
      guard let segment = try Self.segment(row[0], row[1]) else { continue }
      let passages = try passages(of: segment.name).filter { $0.original == nil }
      segments.append(
        LibrarySegment(
          segment: segment, passages: passages.count, best: passages.map(\.passage.duration).min()))
    }
    return segments
  }

  /// The segment with a name, or nil.
  public func segment(named name: String) throws(TrackError) -> RoadSegment? {
    guard try hasSegments else { return nil }
    let rows = try statement("SELECT name, geom FROM segments WHERE name = ?").rows([.text(name)])
    return try rows.first.flatMap { row throws(TrackError) in try Self.segment(row[0], row[1]) }
  }

  /// Removes a segment and its passages. The drives are not affected.
  ///
  /// - Returns: whether the segment existed.
  @discardableResult
  public func removeSegment(named name: String) throws(TrackError) -> Bool {
    guard try hasSegments else { return false }
    return try change { () throws(TrackError) in
      try statement("DELETE FROM segments WHERE name = ?").run([.text(name)])
      let isRemoved = database.changes > 0
      try database.execute(SegmentSchema.extent)
      return isRemoved
    }
  }

  // MARK: Tables

  var hasSegments: Bool {
    get throws(TrackError) { try has(.table, "segments") }
  }

  enum SchemaObject: String { case table, index }

  func has(_ type: SchemaObject, _ name: String) throws(TrackError) -> Bool {
    try statement("SELECT count(*) FROM sqlite_master WHERE type = ? AND name = ?")
      .rows([.text(type.rawValue), .text(name)]).first?.first?.count == 1
  }

  private func number(ofSegment name: String) throws(TrackError) -> Int64? {
    guard try hasSegments,
      case .integer(let number)? = try statement("SELECT fid FROM segments WHERE name = ?")
        .rows([.text(name)]).first?.first
    else { return nil }
    return number
  }

  /// Nil if another program has replaced the line with a different geometry.
  static func segment(_ name: SQLiteValue, _ line: SQLiteValue) throws(TrackError) -> RoadSegment? {
    guard let name = name.string, case .blob(let bytes) = line,
      let coordinates = GeoPackageGeometry.coordinates(bytes)
    else { return nil }
    return try? RoadSegment(name: name, line: coordinates)
  }
}

extension DriveLibrary {
  /// Returns drives whose lines pass near two places, at most 200, chosen at random.
  ///
  /// - Parameters:
  ///   - start: the first place.
  ///   - end: the second place.
  /// - Throws: if a stored drive is damaged or unusable.
  public func traces(from start: Coordinate, to end: Coordinate) throws(TrackError) -> [TimedDrive] {
    try traces(of: RoadSearch.sample(candidates(for: [start, end])).prefix(Self.mostTraces))
  }

  private static let mostTraces = 200

  private func traces(of drives: some Sequence<UUID>) throws(TrackError) -> [TimedDrive] {
    var traces: [TimedDrive] = []
    for id in drives {
      if let drive = try summary(id), let trace = try trace(of: drive, label: drive.name) {
        traces.append(trace)
      }
    }
    return traces
  }
}
