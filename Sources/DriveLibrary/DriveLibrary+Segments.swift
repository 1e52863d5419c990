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
  /// The number of passages of all drives.
  public var passages: Int
  /// The shortest duration in seconds, or nil without passages.
  public var best: Double?
}

/// A passage of a drive in a library.
public struct LibraryPassage: Sendable, Hashable {
  /// The identifier of the drive.
  public var drive: UUID
  /// The name of the drive.
  public var name: String
  /// The start of the drive.
  public var startTime: Instant?
  /// The kind of activity of the drive, as named in its source.
  public var kind: String?
  /// The start and the duration of the passage.
  public var passage: Passage
  /// The drive that recorded the same passage of the same ride with another device, or nil. The passage
  /// counts only once.
  public var original: UUID?

  /// The time at which the passage begins.
  public var start: Instant? { startTime?.advanced(bySeconds: passage.start) }
}

extension DriveLibrary {
  /// Adds a segment and finds its passages in all drives.
  ///
  /// - Returns: the number of passages.
  /// - Throws: `usage` if there is a segment with this name.
  @discardableResult
  public func add(_ segment: RoadSegment) throws(TrackError) -> Int {
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
      guard let number = try number(ofSegment: segment.name) else { return 0 }
      let entry = NumberedSegment(number: number, segment)
      return try addPassages(of: entry, in: try candidates(for: entry.ends))
    }
  }

  /// Adds the segment on the most common route between two positions and finds its passages in all drives.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - start: the first position of the segment.
  ///   - end: the last position of the segment.
  ///   - via: positions on the route, in driving order.
  /// - Returns: the segment and the number of its passages.
  /// - Throws: `usage` if there is a segment with this name, `noTracks` if no drive passes the positions in
  ///   this order, `invalidValue` if the segment has no length.
  public func addSegment(
    named name: String, from start: Coordinate, to end: Coordinate, via: [Coordinate] = []
  ) throws(TrackError) -> (segment: RoadSegment, passages: Int) {
    try requireNew(name)
    var search = try RoadSearch(from: start, to: end, via: via)
    for id in RoadSearch.sample(try candidates(for: [start, end])) where !search.isComplete {
      if let trace = trace(ofPossiblyDamaged: id) { search.add(trace) }
    }
    let segment = try search.segment(named: name)
    return (segment, try add(segment))
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
    added: (_ segment: RoadSegment, _ passages: Int) -> Void = { _, _ in }
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
      added(segment, try add(segment))
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
    let rows = try statement(
      """
      SELECT name, geom, count(passages.fid), min(duration_s) FROM segments
        LEFT JOIN passages ON segment_fid = segments.fid GROUP BY segments.fid ORDER BY name
      """
    ).rows()
    var segments: [LibrarySegment] = []
    for row in rows {
      guard let segment = try Self.segment(row[0], row[1]) else { continue }
      segments.append(LibrarySegment(segment: segment, passages: row[2].count, best: row[3].number))
    }
    return segments
  }

  /// The segment with a name, or nil.
  public func segment(named name: String) throws(TrackError) -> RoadSegment? {
    guard try hasSegments else { return nil }
    let rows = try statement("SELECT name, geom FROM segments WHERE name = ?").rows([.text(name)])
    return try rows.first.flatMap { row throws(TrackError) in try Self.segment(row[0], row[1]) }
  }

  /// Returns the passages of a segment, ordered by time, with given times and kinds of drives.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - filter: the times and the kind. Other conditions are ignored.
  public func passages(
    of name: String, _ filter: LibraryFilter = LibraryFilter()
  ) throws(TrackError) -> [LibraryPassage] {
    guard try hasSegments else { return [] }
    // Otherwise, the index by the primary key would be used.
    let index = try has(.index, SegmentSchema.drivesIndex) ? "INDEXED BY \(SegmentSchema.drivesIndex)" : ""
    let rows = try statement(
      """
      SELECT drives.id, drives.name, start_us, kind, enter_s, leave_s, passages.distance_m, maximum_speed_mps,
        waiting_s, uncertainty_s
      FROM passages JOIN drives \(index) ON drives.fid = drive_fid
      WHERE segment_fid = (SELECT fid FROM segments WHERE name = ?)
        AND (?2 IS NULL OR start_us + enter_s * 1e6 >= ?2) AND (?3 IS NULL OR start_us + enter_s * 1e6 < ?3)
      """)
    try rows.bind([
      .text(name), filter.since.map { .integer($0.microseconds) } ?? .null,
      filter.until.map { .integer($0.microseconds) } ?? .null,
    ])
    let kinds = filter.kind.map(KindStage.kinds)
    var passages: [LibraryPassage] = []
    while try rows.step() {
      let row = rows.row
      guard let id = row[0].string.flatMap(UUID.init(uuidString:)), let enter = row[4].number,
        let leave = row[5].number, kinds.map({ KindStage.kinds($0, contain: row[3].string) }) ?? true
      else { continue }
      passages.append(
        LibraryPassage(
          drive: id, name: row[1].string ?? "", startTime: row[2].microseconds, kind: row[3].string,
          passage: Passage(
            start: enter, end: leave, distance: row[6].number ?? 0, maximumSpeed: row[7].number ?? 0,
            waiting: row[8].number ?? 0, uncertainty: row[9].number ?? 0)))
    }
    passages.sort {
      ($0.startTime?.microseconds ?? .max, $0.passage.start) < (
        $1.startTime?.microseconds ?? .max, $1.passage.start
      )
    }
    return try withOriginals(passages)
  }

  /// Returns passages with the drives that recorded the same ride.
  private func withOriginals(_ passages: [LibraryPassage]) throws(TrackError) -> [LibraryPassage] {
    var passages = passages
    var relatives: [UUID: Set<UUID>] = [:]
    // The passages under way, which are few, because passages are searched for in the order of their starts.
    var open: [LibraryPassage] = []
    let order = passages.indices.sorted {
      (passages[$0].start?.microseconds ?? .max) < (passages[$1].start?.microseconds ?? .max)
    }
    for index in order {
      let passage = passages[index]
      guard let start = passage.start else { continue }
      open.removeAll { ($0.start?.advanced(bySeconds: $0.passage.duration)).map { $0 < start } ?? true }
      for other in open where other.drive != passage.drive {
        if relatives[passage.drive] == nil { relatives[passage.drive] = try sameRides(passage.drive) }
        if relatives[passage.drive]?.contains(other.drive) == true { passages[index].original = other.drive }
      }
      if passages[index].original == nil { open.append(passage) }
    }
    return passages
  }

  /// Returns the drives that record the same ride as a drive.
  private func sameRides(_ drive: UUID) throws(TrackError) -> Set<UUID> {
    Set(try relatives(of: drive).filter { $0.relation != .companion }.map(\.drive.id))
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

  // MARK: Finding passages

  /// A segment with its row.
  struct NumberedSegment {
    let number: Int64
    let search: SegmentSearch
    let ends: [Coordinate]

    init(number: Int64, _ segment: RoadSegment) {
      self.number = number
      search = SegmentSearch(segment)
      ends = [segment.line[0], segment.line[segment.line.count - 1]]
    }
  }

  /// All segments, for finding their passages in new drives.
  func numberedSegments() throws(TrackError) -> [NumberedSegment] {
    guard try hasSegments else { return [] }
    var segments: [NumberedSegment] = []
    for row in try statement("SELECT name, geom, fid FROM segments").rows() {
      guard case .integer(let number) = row[2], let segment = try Self.segment(row[0], row[1]) else {
        continue
      }
      segments.append(NumberedSegment(number: number, segment))
    }
    return segments
  }

  /// The distance in metres from both ends of a segment within which a drive must come to pass it.
  private static let reach = 60.0

  /// Finds the passages of segments by a drive and writes them.
  ///
  /// - Parameter envelope: the envelope of the drive's line, or nil without a line.
  func addPassages(
    of segments: [NumberedSegment], in id: UUID, envelope: GeoPackageGeometry.Envelope?
  ) throws(TrackError) {
    guard let envelope else { return }
    let near = segments.filter { Self.holds(envelope, $0.ends) }
    guard !near.isEmpty, let trace = trace(ofPossiblyDamaged: id) else { return }
    for segment in near { try insert(segment.search.passages(in: trace), of: segment, in: id) }
  }

  /// The number of drives, and of the bytes of their recordings, in which passages are searched for at the
  /// same time.
  private static let searched = (drives: 64, bytes: 10_000_000)

  /// Finds the passages of a segment in drives on all cores and writes them.
  ///
  /// - Returns: the number of passages.
  private func addPassages(of segment: NumberedSegment, in drives: [UUID]) throws(TrackError) -> Int {
    var count = 0
    var recordings: [(id: UUID, bytes: [UInt8])] = []
    var size = 0
    for (index, id) in drives.enumerated() {
      // A recording that cannot be read does not fail the others.
      let bytes = (try? recordedPoints(id)) ?? []
      recordings.append((id, bytes))
      size += bytes.count
      guard
        recordings.count == Self.searched.drives || size >= Self.searched.bytes || index == drives.count - 1
      else { continue }
      // Decoding takes as long as the search.
      let found = segment.search.passages(inEachOf: recordings.count) { [recordings] index in
        guard let recording = try? RecordedPoints.decode(recordings[index].bytes) else { return nil }
        return try? recording.trace(label: "", source: nil)
      }
      for (drive, passages) in zip(recordings, found) {
        // Drives without a recording are searched as they are.
        guard
          let passages = passages
            ?? trace(ofPossiblyDamaged: drive.id).map({ segment.search.passages(in: $0) })
        else { continue }
        try insert(passages, of: segment, in: drive.id)
        count += passages.count
      }
      recordings.removeAll(keepingCapacity: true)
      size = 0
    }
    return count
  }

  /// Returns a drive for the search, or nil if it is damaged, because a damaged drive has no passages.
  private func trace(ofPossiblyDamaged id: UUID) -> TimedDrive? {
    do throws(TrackError) {
      return try summary(id).flatMap { drive throws(TrackError) in
        try trace(of: drive, label: drive.name)
      }
    } catch {
      return nil
    }
  }

  /// Writes the passages of a segment by a drive.
  private func insert(
    _ passages: [Passage], of segment: NumberedSegment, in drive: UUID
  ) throws(TrackError) {
    for passage in passages {
      try statement(
        """
        INSERT INTO passages (segment_fid, drive_fid, enter_s, leave_s, duration_s, distance_m,
          maximum_speed_mps, waiting_s, uncertainty_s)
          VALUES (?, (SELECT fid FROM drives WHERE id = ?), ?, ?, ?, ?, ?, ?, ?)
        """
      ).run([
        .integer(segment.number), .text(drive.uuidString), .real(passage.start), .real(passage.end),
        .real(passage.duration), .real(passage.distance), .real(passage.maximumSpeed),
        .real(passage.waiting), .real(passage.uncertainty),
      ])
    }
  }

  /// Returns the ids of the drives whose lines pass near all given places.
  private func candidates(for places: [Coordinate]) throws(TrackError) -> [UUID] {
    let box = "SELECT id FROM rtree_drives_geom WHERE maxx >= ? AND minx <= ? AND maxy >= ? AND miny <= ?"
    var conditions: [String] = []
    var parameters: [SQLiteValue] = []
    for end in places {
      let boxes = Self.boxes(around: end, radius: Self.reach)
      conditions.append("fid IN (" + boxes.map { _ in box }.joined(separator: " UNION ") + ")")
      for box in boxes { parameters += [.real(box.minX), .real(box.maxX), .real(box.minY), .real(box.maxY)] }
    }
    let rows = try database.prepare(
      "SELECT id, geom FROM drives WHERE " + conditions.joined(separator: " AND "))
    try rows.bind(parameters)
    var found: [UUID] = []
    while try rows.step() {
      guard let id = rows.row[0].string.flatMap(UUID.init(uuidString:)), case .blob(let bytes) = rows.row[1],
        let line = GeoPackageGeometry.coordinates(bytes),
        places.allSatisfy({ Geodesy.distance(from: $0, toLine: line) <= Self.reach })
      else { continue }
      found.append(id)
    }
    return found
  }

  /// Returns whether all places are in or near an envelope. The envelope of a drive across the antimeridian
  /// contains every longitude.
  private static func holds(_ envelope: GeoPackageGeometry.Envelope, _ places: [Coordinate]) -> Bool {
    places.allSatisfy { place in
      boxes(around: place, radius: reach).contains {
        $0.maxX >= envelope.minX && $0.minX <= envelope.maxX && $0.maxY >= envelope.minY
          && $0.minY <= envelope.maxY
      }
    }
  }

  // MARK: Tables

  private var hasSegments: Bool {
    get throws(TrackError) { try has(.table, "segments") }
  }

  private enum SchemaObject: String { case table, index }

  private func has(_ type: SchemaObject, _ name: String) throws(TrackError) -> Bool {
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
  private static func segment(_ name: SQLiteValue, _ line: SQLiteValue) throws(TrackError) -> RoadSegment? {
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
