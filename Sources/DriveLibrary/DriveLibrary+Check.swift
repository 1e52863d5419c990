import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DriveLibrary {
  /// Looks whether everything in the library is sound: SQLite's own check, the spatial index against the geometries, every
  /// drive's coordinates and recorded points.
  ///
  /// - Returns: what is wrong, a sentence each; empty where nothing is.
  public func check() throws(TrackError) -> [String] {
    var problems: [String] = []
    for row in try database.rows("PRAGMA integrity_check") {
      if let text = row.first?.string, text != "ok" { problems.append("database: \(text)") }
    }
    guard problems.isEmpty else { return problems }
    for row in try database.rows("SELECT rtreecheck('rtree_drives_geom')") {
      if let text = row.first?.string, text != "ok" { problems.append("spatial index: \(text)") }
    }
    problems += try counted(
      "SELECT count(*) FROM drives WHERE NOT ST_IsEmpty(geom) AND fid NOT IN (SELECT id FROM rtree_drives_geom)",
      "missing in the spatial index")
    problems += try counted(
      "SELECT count(*) FROM rtree_drives_geom WHERE id NOT IN (SELECT fid FROM drives)",
      "in the spatial index and nowhere else")
    problems += try counted(
      """
      SELECT count(*) FROM drives JOIN rtree_drives_geom AS box ON box.id = fid
      WHERE box.minx > ST_MinX(geom) OR maxx < ST_MaxX(geom) OR miny > ST_MinY(geom) OR maxy < ST_MaxY(geom)
      """, "with the wrong place in the spatial index")
    for row in try database.rows(
      "SELECT drive_id FROM recordings WHERE drive_id NOT IN (SELECT id FROM drives)")
    {
      problems.append("drive \(row[0].string ?? "?"): the recorded points are there without the drive")
    }
    problems += try counted(
      """
      SELECT count(*) FROM drives JOIN gpkg_contents ON table_name = 'drives'
      WHERE NOT ST_IsEmpty(geom) AND (coalesce(ST_MinX(geom) < min_x, 1) OR coalesce(ST_MaxX(geom) > max_x, 1)
        OR coalesce(ST_MinY(geom) < min_y, 1) OR coalesce(ST_MaxY(geom) > max_y, 1))
      """, "beyond the extent that the library states")
    let drives = try database.prepare("SELECT id, points, geom, coordinates_data FROM drives ORDER BY fid")
    while try drives.step() {
      let row = drives.row
      guard let id = row[0].string else { continue }
      do throws(TrackError) {
        for problem in try problemsOfDrive(row) { problems.append("drive \(id): \(problem)") }
      } catch {
        problems.append("drive \(id): \(error.message)" + (error.hint.map { "; \($0)" } ?? ""))
      }
    }
    return problems
  }

  /// - Parameter row: id, points, geometry and coordinates.
  private func problemsOfDrive(_ row: [SQLiteValue]) throws(TrackError) -> [String] {
    var problems: [String] = []
    guard let id = row[0].string, UUID(uuidString: id) != nil else { return ["the id is no UUID"] }
    guard case .blob(let line) = row[2], case .blob(let blob) = row[3] else {
      return ["without its coordinates"]
    }
    let coordinates = try CoordinateBlob.decode(Data(blob))
    if row[1] != .integer(coordinates.count) {
      problems.append("\(coordinates.count) coordinates where \(row[1].count) should be")
    }
    if coordinates.count > 1, GeoPackageGeometry.coordinates(line) != coordinates {
      problems.append("the line is not that of the coordinates")
    }
    let recordings = try statement("SELECT data, points FROM recordings WHERE drive_id = ?").rows([.text(id)])
    if let recording = recordings.first, case .blob(let data) = recording[0],
      recording[1] != .integer(try RecordedPoints.decode(data).count)
    {
      problems.append("not as many recorded points as there should be")
    }
    return problems
  }

  private func counted(_ sql: String, _ what: String) throws(TrackError) -> [String] {
    guard let count = try database.integer(sql), count > 0 else { return [] }
    return ["\(count) \(count == 1 ? "drive" : "drives") \(what)"]
  }
}
