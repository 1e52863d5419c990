public import DriveMatching
import GhostModel
public import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  /// The recording of the same passage by another device, or nil. The passage counts only once.
  public var original: OtherRecording?

  /// Identifies a passage of a drive.
  public struct OtherRecording: Sendable, Hashable {
    /// The identifier of the drive.
    public var drive: UUID
    /// The seconds from the start of the drive to the start of the passage.
    public var start: Double
  }

  /// The time at which the passage begins.
  public var start: Instant? { startTime?.advanced(bySeconds: passage.start) }
}

extension DriveLibrary {
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
      ($0.start?.microseconds ?? .max, $0.passage.start) < ($1.start?.microseconds ?? .max, $1.passage.start)
    }
    return try withOriginals(passages)
  }

  /// Returns passages, ordered by their starts, with the drives that recorded the same ride.
  private func withOriginals(_ passages: [LibraryPassage]) throws(TrackError) -> [LibraryPassage] {
    var passages = passages
    var relatives: [UUID: Set<UUID>] = [:]
    // The passages in progress, which are few.
    var open: [LibraryPassage] = []
    for index in passages.indices {
      let passage = passages[index]
      guard let start = passage.start else { continue }
      open.removeAll { ($0.start?.advanced(bySeconds: $0.passage.duration)).map { $0 < start } ?? true }
      for other in open where other.drive != passage.drive && Self.areSimultaneous(other, passage) {
        if relatives[passage.drive] == nil { relatives[passage.drive] = try sameRides(passage.drive) }
        guard relatives[passage.drive]?.contains(other.drive) == true else { continue }
        passages[index].original = .init(drive: other.drive, start: other.passage.start)
        break
      }
      if passages[index].original == nil { open.append(passage) }
    }
    return passages
  }

  /// Whether most of the shorter of two passages is at the time of the other one. Consecutive laps of two
  /// devices overlap slightly.
  private static func areSimultaneous(_ first: LibraryPassage, _ second: LibraryPassage) -> Bool {
    guard let start = first.start, let other = second.start else { return false }
    let difference = other.seconds(since: start)
    let overlap =
      min(first.passage.duration, difference + second.passage.duration) - max(0, difference)
    return overlap > min(first.passage.duration, second.passage.duration) / 2
  }

  /// Returns the drives that record the same ride as a drive.
  func sameRides(_ drive: UUID) throws(TrackError) -> Set<UUID> {
    Set(try relatives(of: drive).filter { $0.relation != .companion }.map(\.drive.id))
  }

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

  /// The distance in metres from both ends of a segment within which a drive's line must come to pass it.
  /// Between sparse fixes, the line cuts off bends of a few hundred metres.
  private static let reach = 300.0

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
  /// - Returns: the drives that are damaged.
  func addPassages(of segment: NumberedSegment, in drives: [UUID]) throws(TrackError) -> [UUID] {
    var damaged: [UUID] = []
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
        // Drives without a recording are searched unchanged.
        guard
          let passages = passages
            ?? trace(ofPossiblyDamaged: drive.id).map({ segment.search.passages(in: $0) })
        else {
          damaged.append(drive.id)
          continue
        }
        try insert(passages, of: segment, in: drive.id)
      }
      recordings.removeAll(keepingCapacity: true)
      size = 0
    }
    return damaged
  }

  /// Returns a drive for the search, or nil if it is damaged, because a damaged drive has no passages.
  func trace(ofPossiblyDamaged id: UUID) -> TimedDrive? {
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
  func candidates(for places: [Coordinate]) throws(TrackError) -> [UUID] {
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
}
