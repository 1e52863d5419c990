public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DriveLibrary {
  private static let summaryColumns = """
    id, name, start_time, end_time, duration_s, distance_miles, points, kind, description, gear, source,
    start_lat, start_lon, end_lat, end_lon
    """

  /// The drives that a filter lets through, by start; those without a time at the end, by name.
  ///
  /// A place is looked for through the spatial index first, then along each drive's line.
  public func drives(_ filter: LibraryFilter = LibraryFilter()) throws(TrackError) -> [LibraryDrive] {
    var conditions: [String] = []
    var parameters: [SQLiteValue] = []
    if let since = filter.since {
      conditions.append("start_time >= ?")
      parameters.append(.text(ISO8601.text(since, decimals: 3)))
    }
    if let until = filter.until {
      conditions.append("start_time < ?")
      parameters.append(.text(ISO8601.text(until, decimals: 3)))
    }
    if let name = filter.name {
      conditions.append("instr(lower(name), lower(?)) > 0")
      parameters.append(.text(name))
    }
    if let kind = filter.kind {
      conditions.append("lower(kind) = lower(?)")
      parameters.append(.text(kind))
    }
    if let near = filter.near {
      let boxes = Self.boxes(around: near.place, radius: near.radius)
      let box = "(maxx >= ? AND minx <= ? AND maxy >= ? AND miny <= ?)"
      conditions.append(
        "fid IN (SELECT id FROM rtree_drives_geom WHERE "
          + boxes.map { _ in box }.joined(separator: " OR ") + ")")
      for box in boxes {
        parameters += [.real(box.minX), .real(box.maxX), .real(box.minY), .real(box.maxY)]
      }
    }
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let found = try database.rows(
      "SELECT \(Self.summaryColumns) FROM drives \(condition) ORDER BY start_time IS NULL, start_time, name, id",
      parameters
    ).compactMap(Self.summary)
    guard let near = filter.near else { return found }
    var result: [LibraryDrive] = []
    for drive in found where try passes(drive.id, near.place, near.radius) { result.append(drive) }
    return result
  }

  /// Rectangles in degrees that hold everything within so many metres of a place: two at the antimeridian.
  static func boxes(around place: Coordinate, radius: Double) -> [GeoPackageGeometry.Envelope] {
    let north = radius / 110_500
    let minY = place.latitude - north
    let maxY = place.latitude + north
    // The widest at the edge that is nearer to a pole.
    let edge = min(max(abs(minY), abs(maxY)), 90)
    let scale = 111_320 * cosine(ofDegrees: edge)
    guard edge < 89.9, radius / scale < 180 else {
      return [.init(minX: -180, maxX: 180, minY: minY, maxY: maxY)]
    }
    let east = radius / scale
    let minX = place.longitude - east
    let maxX = place.longitude + east
    var boxes = [
      GeoPackageGeometry.Envelope(minX: max(minX, -180), maxX: min(maxX, 180), minY: minY, maxY: maxY)
    ]
    if minX < -180 { boxes.append(.init(minX: minX + 360, maxX: 180, minY: minY, maxY: maxY)) }
    if maxX > 180 { boxes.append(.init(minX: -180, maxX: maxX - 360, minY: minY, maxY: maxY)) }
    return boxes
  }

  private static func cosine(ofDegrees degrees: Double) -> Double {
    let east = Geodesy.distance(
      from: Coordinate(latitude: degrees, longitude: 0), to: Coordinate(latitude: degrees, longitude: 0.01))
    // Of what a hundredth of a degree is at the equator.
    return east / 1113.2
  }

  /// Whether a drive's line comes within so many metres of a place.
  private func passes(_ id: UUID, _ place: Coordinate, _ radius: Double) throws(TrackError) -> Bool {
    guard let coordinates = try drive(id)?.coordinates else { return false }
    return Geodesy.distance(from: place, toLine: coordinates) <= radius
  }

  /// The drive with an id, coordinates and all; nil where there is none.
  public func drive(_ id: UUID) throws(TrackError) -> Drive? {
    let rows = try database.rows(
      "SELECT \(Self.summaryColumns), coordinates_data FROM drives WHERE id = ?", [.text(id.uuidString)])
    guard let row = rows.first, let summary = Self.summary(row), case .blob(let blob)? = row.last else {
      return nil
    }
    return Drive(
      id: summary.id, name: summary.name, startTime: summary.startTime, endTime: summary.endTime,
      duration: summary.duration, distance: summary.distance, coordinatesData: Data(blob))
  }

  /// The summary of the drive with an id.
  public func summary(_ id: UUID) throws(TrackError) -> LibraryDrive? {
    try database.rows(
      "SELECT \(Self.summaryColumns) FROM drives WHERE id = ?", [.text(id.uuidString)]
    ).first.flatMap(Self.summary)
  }

  /// The ids that begin with a text; case does not matter. For people, who do not type 36 characters.
  public func ids(beginningWith prefix: String) throws(TrackError) -> [UUID] {
    let rows = try database.rows(
      "SELECT id FROM drives WHERE substr(id, 1, ?) = ? ORDER BY id",
      [.integer(prefix.count), .text(prefix.uppercased())])
    return rows.compactMap { row in
      if case .text(let text)? = row.first { UUID(uuidString: text) } else { nil }
    }
  }

  /// What a drive was recorded as, with times per point; nil where the library does not have it.
  public func recording(_ id: UUID) throws(TrackError) -> Recording? {
    guard
      case .blob(let bytes)? = try database.rows(
        "SELECT data FROM recordings WHERE drive_id = ?", [.text(id.uuidString)]
      ).first?.first
    else { return nil }
    return try RecordedPoints.decode(bytes)
  }

  /// Removes a drive and what it was recorded as. Its source stays known, so that importing it again does not bring the
  /// drive back unless asked to.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: UUID) throws(TrackError) -> Bool {
    try database.transaction { () throws(TrackError) in
      _ = try database.rows("DELETE FROM recordings WHERE drive_id = ?", [.text(id.uuidString)])
      _ = try database.rows("DELETE FROM drives WHERE id = ?", [.text(id.uuidString)])
      return database.changes > 0
    }
  }

  /// Adds drives of a source; those whose id is there already stay as they are.
  ///
  /// - Returns: how many were new.
  func insert(_ drives: [NewLibraryDrive], source: Int64, path: String, hash: String) throws(TrackError)
    -> Int
  {
    var added = 0
    var extent: GeoPackageGeometry.Envelope?
    for new in drives {
      let drive = try PreparedDrive(new, sketchesRoad: false)
      guard try insert(drive, source: source, path: path, hash: hash) else { continue }
      added += 1
      extent = GeoPackageGeometry.union(extent, drive.envelope)
    }
    if let extent { try widenContents(extent) }
    return added
  }

  /// Adds a drive; one whose id is there already stays as it is.
  ///
  /// - Returns: whether it was new.
  @discardableResult
  func insert(_ drive: PreparedDrive, source: Int64, path: String, hash: String) throws(TrackError) -> Bool {
    try statement(
      """
      INSERT INTO drives (geom, id, name, start_time, end_time, duration_s, distance_miles, points,
        coordinates_data, kind, description, gear, source_fid, source, content_hash, start_lat, start_lon, end_lat,
        end_lon)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
      """
    ).run([
      .blob(drive.geometry), .text(drive.id.uuidString), .text(drive.name),
      .text(drive.startTime.map { ISO8601.text($0, decimals: 3) }),
      .text(drive.endTime.map { ISO8601.text($0, decimals: 3) }), .real(drive.duration),
      .real(drive.distance), .integer(drive.points), .blob(drive.coordinatesData), .text(drive.kind),
      .text(drive.description), .text(drive.gear), .integer(source), .text(path), .text(hash),
      .real(drive.start?.latitude), .real(drive.start?.longitude),
      .real(drive.end?.latitude), .real(drive.end?.longitude),
    ])
    guard database.changes > 0 else { return false }
    if let recording = drive.recording {
      try statement(
        "INSERT OR REPLACE INTO recordings (drive_id, points, has_times, data) VALUES (?, ?, ?, ?)"
      ).run([
        .text(drive.id.uuidString), .integer(recording.points), .integer(recording.hasTimes ? 1 : 0),
        .blob(recording.data),
      ])
    }
    return true
  }

  private static func summary(_ row: [SQLiteValue]) -> LibraryDrive? {
    guard row.count >= 15, case .text(let text) = row[0], let id = UUID(uuidString: text) else { return nil }
    return LibraryDrive(
      id: id, name: row[1].string ?? "", startTime: row[2].instant, endTime: row[3].instant,
      duration: row[4].number ?? 0, distance: row[5].number ?? 0, points: Int(row[6].number ?? 0),
      kind: row[7].string, description: row[8].string, gear: row[9].string, source: row[10].string,
      start: coordinate(row[11], row[12]), end: coordinate(row[13], row[14]))
  }

  private static func coordinate(_ latitude: SQLiteValue, _ longitude: SQLiteValue) -> Coordinate? {
    guard let latitude = latitude.number, let longitude = longitude.number else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

extension SQLiteValue {
  var string: String? { if case .text(let text) = self { text } else { nil } }

  var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: nil
    }
  }

  /// Times are ISO 8601 in UTC.
  var instant: Instant? { string.flatMap { ISO8601.read(Array($0.utf8).span)?.instant } }
}
