import GhostModel
public import TrackModel

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
    problems += try counted(
      "SELECT count(*) FROM recordings WHERE drive_id NOT IN (SELECT id FROM drives)",
      "only left of which are the recorded points")
    for drive in try drives() {
      do throws(TrackError) {
        let count = try self.drive(drive.id)?.coordinates.count
        if count != drive.points {
          problems.append("drive \(drive.id): \(count ?? 0) coordinates where \(drive.points) should be")
        }
        _ = try recording(drive.id)
      } catch {
        problems.append("drive \(drive.id): \(error.message)")
      }
    }
    return problems
  }

  private func counted(_ sql: String, _ what: String) throws(TrackError) -> [String] {
    guard let count = try database.integer(sql), count > 0 else { return [] }
    return ["\(count) \(count == 1 ? "drive" : "drives") \(what)"]
  }
}
