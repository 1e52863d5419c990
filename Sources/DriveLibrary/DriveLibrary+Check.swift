import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A problem found by a check of a library.
public struct LibraryProblem: Sendable, Hashable, CustomStringConvertible {
  /// The problem, including the drive.
  public var text: String
  /// The id of the drive, or `nil` if the problem is not of one drive.
  public var drive: String?
  /// A way to repair it.
  public var suggestion: Suggestion?

  public var description: String { text + (suggestion.map { "; \($0)" } ?? "") }
}

extension DriveLibrary {
  /// Checks the integrity of the library: SQLite's own check, the spatial index against the geometries, and
  /// each drive's coordinates and recorded points.
  ///
  /// SQLite's check evaluates the expressions of the schema. If those are of another program, nothing else is
  /// checked. Tables of other programs are not checked if one of them has such expressions.
  ///
  /// - Returns: the problems, empty if there are none.
  public func check() throws(TrackError) -> [LibraryProblem] {
    if let reason = try foreignSchema(writing: true) {
      return [LibraryProblem(text: reason, suggestion: .removeForeignSchema)]
    }
    let tables = Set(
      try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.first?.string))
    let problems = try problemsOfDatabase(tables)
    guard problems.isEmpty else { return problems }
    return try problemsOfIndex() + problemsOfRecordings() + problemsOfExtent()
      + (tables.contains("passages") ? problemsOfPassages() : []) + problemsOfDrives()
  }

  /// Returns the problems that SQLite finds, and the missing tables.
  private func problemsOfDatabase(_ tables: Set<String>) throws(TrackError) -> [LibraryProblem] {
    let own = (GeoPackageSchema.tables + SegmentSchema.tables).filter(tables.contains)
    let checks =
      try hasForeignExpressions()
      ? own.map { "PRAGMA integrity_check(\($0))" } : ["PRAGMA integrity_check"]
    var problems: [LibraryProblem] = []
    for check in checks { problems += try failures(of: check, "database") }
    for table in GeoPackageSchema.tables where !tables.contains(table) {
      problems.append(
        LibraryProblem(
          text: "table \(table): missing, deleted by another program",
          suggestion: .text("import the sources into a new library")))
    }
    return problems
  }

  private func problemsOfIndex() throws(TrackError) -> [LibraryProblem] {
    var problems = try failures(of: "SELECT rtreecheck('rtree_drives_geom')", "spatial index")
    problems += try drives(
      "WHERE NOT ST_IsEmpty(geom) AND fid NOT IN (SELECT id FROM rtree_drives_geom)",
      "missing in the spatial index")
    problems += try counted(
      "SELECT count(*) FROM rtree_drives_geom WHERE id NOT IN (SELECT fid FROM drives)",
      "in the spatial index only")
    problems += try drives(
      """
      JOIN rtree_drives_geom AS box ON box.id = fid
      WHERE box.minx > ST_MinX(geom) OR maxx < ST_MaxX(geom) OR miny > ST_MinY(geom) OR maxy < ST_MaxY(geom)
      """, "with a wrong position in the spatial index")
    return problems
  }

  private func problemsOfRecordings() throws(TrackError) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    for row in try database.rows(
      "SELECT drive_id FROM recordings WHERE drive_id NOT IN (SELECT id FROM drives) ORDER BY fid")
    {
      problems.append(
        LibraryProblem(
          text: "drive \(row.first?.string ?? "?"): only its recorded points are left; "
            + "the drive was deleted by another program",
          suggestion: .reimportSourceToRestore))
    }
    return problems
  }

  private func problemsOfExtent() throws(TrackError) -> [LibraryProblem] {
    try counted(
      """
      SELECT count(*) FROM drives JOIN gpkg_contents ON table_name = 'drives'
      WHERE NOT ST_IsEmpty(geom) AND (coalesce(ST_MinX(geom) < min_x, 1) OR coalesce(ST_MaxX(geom) > max_x, 1)
        OR coalesce(ST_MinY(geom) < min_y, 1) OR coalesce(ST_MaxY(geom) > max_y, 1))
      """, "outside the extent stored in the library")
  }

  private func problemsOfPassages() throws(TrackError) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    for (column, what) in [("duration_s", "duration"), ("distance_m", "distance")] {
      problems += try counted(
        "SELECT count(*) FROM passages WHERE NOT coalesce(\(column) BETWEEN 0 AND 1e15, 0)",
        "with a \(what) that is not a positive number", noun: "passage of a segment",
        plural: "passages of segments")
    }
    return problems
  }

  private func problemsOfDrives() throws(TrackError) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    let drives = try database.prepare(
      """
      SELECT id, source, points, geom, coordinates_data, duration_s, distance_miles, start_us, start_time, end_us,
        end_time FROM drives ORDER BY fid
      """)
    while try drives.step() {
      let row = drives.row
      for problem in problemsOfDrive(row) {
        problems.append(Self.problem(problem, ofDrive: row[0].string ?? "?", source: row[1].string))
      }
    }
    return problems
  }

  /// - Parameter row: id, source, points, geometry, coordinates, duration, distance, start and end.
  private func problemsOfDrive(_ row: [SQLiteValue]) -> [String] {
    guard let id = row[0].string, UUID(uuidString: id) != nil else { return ["the id is not a UUID"] }
    guard case .blob(let line) = row[3], case .blob(let blob) = row[4] else {
      return ["coordinates missing"]
    }
    var problems: [String] = []
    for (name, value) in zip(["duration", "distance"], row[5...])
    where !Self.isMeasure(value.number) {
      problems.append("the \(name) is not a positive number")
    }
    problems += Self.problemsOfTimes(row)
    do throws(TrackError) {
      let coordinates = try CoordinateBlob.decode(Data(blob))
      if row[2] != .integer(coordinates.count) {
        problems.append("\(coordinates.count) coordinates instead of \(row[2].count)")
      }
      if coordinates.count > 1, GeoPackageGeometry.coordinates(line) != coordinates {
        problems.append("the line differs from the coordinates")
      }
    } catch {
      problems.append(error.message)
    }
    do throws(TrackError) {
      if let problem = try problemOfRecording(id) { problems.append(problem) }
    } catch {
      problems.append(error.message)
    }
    return problems
  }

  /// Whether a number can be a duration or a distance.
  static func isMeasure(_ number: Double?) -> Bool { number.map { $0 >= 0 && $0.isFinite } == true }

  /// Returns the problems of the times in a row of a drive, each of which is stored as a number and as text.
  private static func problemsOfTimes(_ row: [SQLiteValue]) -> [String] {
    var problems: [String] = []
    for (name, column) in [("start", 7), ("end", 9)] {
      let time = row[column].microseconds
      if time == nil, row[column] != .null {
        problems.append("the \(name) is not a time")
      } else if row[column + 1].string != time.map({ ISO8601.text($0, decimals: 3) }) {
        problems.append("the columns \(name)_us and \(name)_time differ")
      }
    }
    if let start = row[7].microseconds, let end = row[9].microseconds, end < start {
      problems.append("the end is before the start")
    }
    return problems
  }

  /// Every imported drive has recorded points, even without times.
  private func problemOfRecording(_ id: String) throws(TrackError) -> String? {
    let rows = try statement("SELECT data, points FROM recordings WHERE drive_id = ?").rows([.text(id)])
    guard let row = rows.first, case .blob(let data) = row[0] else {
      return "recorded points missing; comparisons are approximate"
    }
    return row[1] == .integer(try RecordedPoints.decode(data).count)
      ? nil : "wrong number of recorded points"
  }

  /// Returns the results of SQLite's check of a part of the file.
  private func failures(of check: String, _ part: String) throws(TrackError) -> [LibraryProblem] {
    try database.rows(check).flatMap { row in
      // One text can have several problems, after the name of the database.
      (row.first?.string ?? "").split(separator: "\n").filter { $0 != "ok" && !$0.hasPrefix("***") }
        .map { LibraryProblem(text: "\(part): \($0)") }
    }
  }

  /// Returns a problem for each drive that satisfies a condition.
  private func drives(
    _ condition: String, _ problem: String
  ) throws(TrackError) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    for row in try database.rows("SELECT drives.id, source FROM drives \(condition) ORDER BY fid") {
      problems.append(Self.problem(problem, ofDrive: row[0].string ?? "?", source: row[1].string))
    }
    return problems
  }

  private static func problem(_ text: String, ofDrive id: String, source: String?) -> LibraryProblem {
    LibraryProblem(
      text: "drive \(id): \(text)", drive: id, suggestion: .reimportSourceToRepair(source: source))
  }

  private func counted(
    _ sql: String, _ what: String, noun: String = "drive", plural: String? = nil
  ) throws(TrackError) -> [LibraryProblem] {
    guard let count = try database.integer(sql), count > 0 else { return [] }
    return [LibraryProblem(text: "\(Counted.of(Int(count), noun, plural: plural)) \(what)")]
  }
}
