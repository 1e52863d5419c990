public import GhostModel
public import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DriveLibrary {
  private static let summaryColumns = """
    id, name, start_us, end_us, duration_s, distance_miles, points, kind, description, gear, source,
    start_lat, start_lon, end_lat, end_lon
    """

  /// Returns the drives that match a filter, ordered by start, followed by drives without a time, ordered by
  /// name.
  public func drives(_ filter: LibraryFilter = LibraryFilter()) throws(TrackError) -> [LibraryDrive] {
    var drives: [LibraryDrive] = []
    try forEachDrive(filter) { drives.append($0) }
    return drives
  }

  /// Calls `body` with each drive that matches a filter, ordered by start, followed by drives without a time,
  /// ordered by name. The result is a snapshot at the time of the call.
  ///
  /// Positions are searched in the spatial index and then along each drive's line. Sorting requires about 300
  /// bytes per drive.
  public func forEachDrive(
    _ filter: LibraryFilter = LibraryFilter(), _ body: (LibraryDrive) throws(TrackError) -> Void
  ) throws(TrackError) {
    var conditions: [String] = []
    var parameters: [SQLiteValue] = []
    if let since = filter.since {
      conditions.append("start_us >= ?")
      parameters.append(.integer(since.microseconds))
    }
    if let until = filter.until {
      conditions.append("start_us < ?")
      parameters.append(.integer(until.microseconds))
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
    let rows = try database.prepare(
      "SELECT \(Self.summaryColumns) FROM drives \(condition) ORDER BY start_us IS NULL, start_us, name, id"
    )
    try rows.bind(parameters)
    let name = filter.name.map(SearchedName.init)
    let kinds = filter.kind.map(KindStage.kinds)
    while try rows.step() {
      guard let drive = Self.summary(rows.row), name.map({ $0.isPart(of: drive.name) }) ?? true,
        kinds.map({ KindStage.kinds($0, contain: drive.kind) }) ?? true
      else { continue }
      if let near = filter.near, try !passes(drive.id, near.place, near.radius) { continue }
      try body(drive)
    }
  }

  /// The number of drives.
  public var count: Int {
    get throws(TrackError) { Int(try database.integer("SELECT count(*) FROM drives") ?? 0) }
  }

  /// Returns rectangles in degrees that contain everything within `metres` of a place: two at the
  /// antimeridian.
  static func boxes(around place: Coordinate, radius: Double) -> [GeoPackageGeometry.Envelope] {
    let north = radius / 110_500
    let minY = place.latitude - north
    let maxY = place.latitude + north
    // The rectangle is widest at the edge nearest to a pole.
    let edge = min(max(abs(minY), abs(maxY)), 90)
    let scale = Geodesy.metresPerEquatorialDegree * GeodeticPoint(latitude: edge, longitude: 0).cosLatitude
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

  /// Whether a drive's line comes within `metres` of a place.
  private func passes(_ id: UUID, _ place: Coordinate, _ radius: Double) throws(TrackError) -> Bool {
    guard let coordinates = try drive(id)?.coordinates else { return false }
    return Geodesy.distance(from: place, toLine: coordinates) <= radius
  }

  /// Returns the drive with an id including its coordinates, or `nil`. It has no exact times; for
  /// comparisons, use ``trace(of:label:)``.
  ///
  /// - Throws: `TrackError.Code.invalidValue` if the drive is damaged, and errors of the database.
  public func drive(_ id: UUID) throws(TrackError) -> Drive? {
    let rows = try database.rows(
      "SELECT \(Self.summaryColumns), coordinates_data FROM drives WHERE id = ?", [.text(id.uuidString)])
    guard let row = rows.first, let summary = Self.summary(row), case .blob(let blob)? = row.last else {
      return nil
    }
    var drive = try naming(id, source: summary.source) { () throws(TrackError) in
      guard Self.isMeasure(summary.duration), Self.isMeasure(summary.distance) else {
        throw TrackError(.invalidValue, "the duration or the distance is not a positive number")
      }
      return try Drive(
        id: summary.id, name: summary.name, startTime: summary.startTime, endTime: summary.endTime,
        duration: summary.duration, distance: summary.distance, coordinatesData: Data(blob))
    }
    drive.kind = summary.kind
    drive.notes = summary.description
    drive.gear = summary.gear
    return drive
  }

  /// Returns the summary of the drive with an id, or `nil`.
  public func summary(_ id: UUID) throws(TrackError) -> LibraryDrive? {
    try database.rows(
      "SELECT \(Self.summaryColumns) FROM drives WHERE id = ?", [.text(id.uuidString)]
    ).first.flatMap(Self.summary)
  }

  /// Returns the ids with a prefix in any case, so that users do not have to type 36 characters.
  public func ids(beginningWith prefix: String) throws(TrackError) -> [UUID] {
    let prefix = prefix.uppercased()
    let letters = Array("0123456789ABCDEF-".utf8)
    guard prefix.utf8.allSatisfy(letters.contains) else { return [] }
    // `G` sorts after all hexadecimal digits.
    let rows = try database.rows(
      "SELECT id FROM drives WHERE id >= ?1 AND id < ?1 || 'G' AND substr(id, 1, length(?1)) = ?1 ORDER BY id",
      [.text(prefix)])
    return rows.compactMap { row in
      if case .text(let text)? = row.first { UUID(uuidString: text) } else { nil }
    }
  }

  /// The length of the prefixes of ids in small libraries.
  public static let leastIdentifierLength = 6

  /// Returns the length of the shortest unique prefix of all ids, at least ``leastIdentifierLength``.
  public func distinctIdentifierLength() throws(TrackError) -> Int {
    let ids = try database.prepare("SELECT id FROM drives ORDER BY id")
    try ids.bind([])
    var longest = Self.leastIdentifierLength - 1
    var previous: [UInt8] = []
    while try ids.step() {
      guard case .text(let text)? = ids.row.first else { continue }
      let id = Array(text.utf8)
      longest = max(longest, zip(previous, id).prefix { $0 == $1 }.count)
      previous = id
    }
    return longest + 1
  }

  /// Returns the recording of a drive with times per point, or `nil` if the library does not have it.
  ///
  /// - Throws: `TrackError.Code.invalidValue` if the points are damaged, and errors of the database.
  public func recording(_ id: UUID) throws(TrackError) -> Recording? {
    guard let points = try recordedPoints(id) else { return nil }
    return try naming(id, source: nil) { () throws(TrackError) in try RecordedPoints.decode(points) }
  }

  /// Decodes a value of a drive, with the drive in errors.
  private func naming<Value>(
    _ id: UUID, source: String?, _ decode: () throws(TrackError) -> Value
  ) throws(TrackError) -> Value {
    do {
      return try decode()
    } catch {
      throw TrackError(
        .invalidValue, "drive \(id) is damaged: \(error.message)", file: database.path,
        suggestion: .reimportSourceToRepair(source: source))
    }
  }

  /// Returns the bytes of the recording of a drive, or nil.
  func recordedPoints(_ id: UUID) throws(TrackError) -> [UInt8]? {
    guard
      case .blob(let bytes)? = try database.rows(
        "SELECT data FROM recordings WHERE drive_id = ?", [.text(id.uuidString)]
      ).first?.first
    else { return nil }
    return bytes
  }

  /// Removes drives and their recordings, all or none. Stores their ids and times, so that imports restore
  /// them only on request.
  ///
  /// - Returns: the number of removed drives.
  @discardableResult
  public func remove(_ ids: [UUID]) throws(TrackError) -> Int {
    try change { () throws(TrackError) in
      let count = try delete(ids)
      if count > 0 { try updateContents() }
      return count
    }
  }

  private func delete(_ ids: [UUID]) throws(TrackError) -> Int {
    var count = 0
    for id in ids {
      fingerprints.remove(id)
      times.remove(id)
      // A trigger does the rest, as for deletions by other programs.
      try statement("DELETE FROM drives WHERE id = ?").run([.text(id.uuidString)])
      count += database.changes
    }
    return count
  }

  /// Adds a drive that combines others, and removes those so that imports skip them, all or none. The sources
  /// of the others are its source.
  ///
  /// - Returns: the id of the drive.
  public func replace(_ parts: [LibraryDrive], by drive: PreparedDrive) throws(TrackError) -> UUID {
    if let fault = drive.fault { throw fault }
    let id = drive.id.uuidString
    return try change { () throws(TrackError) in
      let path = parts.map { $0.source ?? $0.name }.joined(separator: " + ")
      let outcome = SourceOutcome(path: path, contentHash: id, state: .imported)
      let known = try database.integer(
        "SELECT fid FROM sources WHERE path = ? AND content_hash = ?", [.text(path), .text(id)])
      let source = try write(outcome, options: "", drives: 1, run: nil, to: known)
      // A part that contains everything is the combined drive.
      if try insert(drive, source: source, path: path, hash: id) {
        try addPassages(of: try numberedSegments(), in: drive.id, envelope: drive.envelope)
      }
      // Adding the drive deletes the records of removed drives at its time.
      let replaced = parts.map(\.id).filter { $0 != drive.id }
      _ = try delete(replaced)
      // Another device's recording of the ride, which has the same times, is new.
      for id in replaced {
        try statement("UPDATE removed SET start_us = NULL WHERE id = ?").run([.text(id.uuidString)])
      }
      try updateContents()
      return drive.id
    }
  }

  /// Removes a drive.
  ///
  /// - Returns: whether the drive existed.
  @discardableResult
  public func remove(_ id: UUID) throws(TrackError) -> Bool { try remove([id]) > 0 }

  /// Sets values of drives, all or none. The values are also stored by the drive's id, so that an import of
  /// the same drive does not change them back.
  public func set(_ values: DriveChange, of ids: [UUID]) throws(TrackError) {
    try change { () throws(TrackError) in
      for id in ids {
        for (column, value) in values.columns {
          try statement("INSERT OR REPLACE INTO library (key, value) VALUES ('\(column) ' || ?, ?)")
            .run([.text(id.uuidString), .text(value)])
          try statement("UPDATE drives SET \(column) = nullif(?, '') WHERE id = ?")
            .run([.text(value), .text(id.uuidString)])
        }
      }
    }
  }

  /// Copies the values that were set in another library, except for values that were also set in this one.
  public func copySetValues(from other: DriveLibrary) throws(TrackError) {
    try change { () throws(TrackError) in
      for column in DriveChange.columnNames {
        let rows = try other.statement(
          "SELECT substr(key, length(?1)), value FROM library WHERE key GLOB ?1 ORDER BY fid"
        ).rows([.text("\(column) *")])
        for row in rows {
          try statement("INSERT OR IGNORE INTO library (key, value) VALUES ('\(column) ' || ?, ?)").run(row)
          guard database.changes > 0 else { continue }
          try statement("UPDATE drives SET \(column) = nullif(?2, '') WHERE id = ?1").run(row)
        }
      }
    }
  }

  /// The SQL of an inserted value, unless another value was set for the drive, whose id is the second value.
  private static func unlessSet(_ column: String) -> String {
    "nullif(coalesce((SELECT value FROM library WHERE key = '\(column) ' || ?2), ?), '')"
  }

  /// Adds drives of a source. Existing drives with the same ids are unchanged.
  ///
  /// - Returns: the number of new drives.
  func insert(_ drives: [NewLibraryDrive], source: Int64, path: String, hash: String) throws(TrackError)
    -> Int
  {
    var added = 0
    var extent: GeoPackageGeometry.Envelope?
    let segments = try numberedSegments()
    for new in drives {
      let drive = PreparedDrive(new, takesFingerprint: false)
      guard try insert(drive, source: source, path: path, hash: hash) else { continue }
      added += 1
      extent = GeoPackageGeometry.union(extent, drive.envelope)
      try addPassages(of: segments, in: drive.id, envelope: drive.envelope)
    }
    if let extent { try widenContents(extent) }
    return added
  }

  /// Adds a drive. An existing drive with the same id is unchanged.
  ///
  /// - Returns: whether it was new.
  @discardableResult
  func insert(_ drive: PreparedDrive, source: Int64, path: String, hash: String) throws(TrackError) -> Bool {
    let id = SQLiteValue.text(drive.id.uuidString)
    try statement(
      """
      INSERT INTO drives (geom, id, name, start_us, end_us, start_time, end_time, duration_s, distance_miles, points,
        coordinates_data, kind, description, gear, source_fid, source, content_hash, start_lat, start_lon, end_lat,
        end_lon)
      VALUES (?, ?, coalesce(\(Self.unlessSet("name")), ''), ?, ?, ?, ?, ?, ?, ?, ?, \(Self.unlessSet("kind")), ?,
        \(Self.unlessSet("gear")), ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
      """
    ).run([
      .blob(drive.geometry), id, .text(drive.name),
      drive.startTime.map { .integer($0.microseconds) } ?? .null,
      drive.endTime.map { .integer($0.microseconds) } ?? .null,
      .text(drive.startTime.map { ISO8601.text($0, decimals: 3) }),
      .text(drive.endTime.map { ISO8601.text($0, decimals: 3) }), .real(drive.duration),
      .real(drive.distance), .integer(drive.points), .blob(drive.coordinatesData), .text(drive.kind),
      .text(drive.description), .text(drive.gear), .integer(source), .text(path), .text(hash),
      .real(drive.start?.latitude), .real(drive.start?.longitude),
      .real(drive.end?.latitude), .real(drive.end?.longitude),
    ])
    guard database.changes > 0 else { return false }
    if let start = drive.startTime {
      times.add(
        DriveTimes.Entry(id: drive.id, row: database.lastRow, start: start, duration: drive.duration))
    }
    try forgetRemoval(of: drive)
    if let recording = drive.recording {
      try statement(
        "INSERT OR REPLACE INTO recordings (drive_id, points, has_times, data) VALUES (?, ?, ?, ?)"
      ).run([
        id, .integer(recording.points), .integer(recording.hasTimes ? 1 : 0),
        .blob(recording.data),
      ])
    }
    return true
  }

  private static func summary(_ row: [SQLiteValue]) -> LibraryDrive? {
    guard row.count >= 15, case .text(let text) = row[0], let id = UUID(uuidString: text) else { return nil }
    return LibraryDrive(
      id: id, name: row[1].string ?? "", startTime: row[2].microseconds, endTime: row[3].microseconds,
      duration: row[4].number ?? 0, distance: row[5].number ?? 0, points: row[6].count,
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

  /// The value as a count, or 0 for an invalid value written by another program.
  var count: Int { number.flatMap { Int(exactly: $0) } ?? 0 }

  /// A time in microseconds since 1970.
  var microseconds: Instant? {
    if case .integer(let microseconds) = self { Instant(microseconds: microseconds) } else { nil }
  }

  /// Times are ISO 8601 in UTC.
  var instant: Instant? { string.flatMap { ISO8601.read(Array($0.utf8).span)?.instant } }
}
