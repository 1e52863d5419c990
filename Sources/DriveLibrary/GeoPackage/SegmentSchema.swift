/// The tables of segments as SQL.
///
/// They are created with the first segment, so that a library without segments stays readable by earlier
/// versions. `segments` is a feature table, which other programs show as a layer of lines.
enum SegmentSchema {
  static let creation = """
    CREATE TABLE segments (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL UNIQUE, length_m DOUBLE NOT NULL,
      created DATETIME NOT NULL, geom LINESTRING NOT NULL);
    CREATE TABLE passages (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, segment_fid INTEGER NOT NULL,
      drive_fid INTEGER NOT NULL, enter_s DOUBLE NOT NULL, leave_s DOUBLE NOT NULL,
      duration_s DOUBLE NOT NULL, distance_m DOUBLE NOT NULL,
      maximum_speed_mps DOUBLE NOT NULL, waiting_s DOUBLE NOT NULL,
      uncertainty_s DOUBLE NOT NULL);
    CREATE INDEX passages_by_segment ON passages(segment_fid, duration_s);
    CREATE INDEX passages_by_drive ON passages(drive_fid);
    CREATE TRIGGER passages_of_removed_drives AFTER DELETE ON drives
    BEGIN
      DELETE FROM passages WHERE drive_fid = OLD.fid;
    END;
    CREATE TRIGGER passages_of_removed_segments AFTER DELETE ON segments
    BEGIN
      DELETE FROM passages WHERE segment_fid = OLD.fid;
    END;
    INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES
      ('segments', 'features', 'segments', 'Stretches of road whose passages are timed', 4326),
      ('passages', 'attributes', 'passages', 'Drives along the segments', NULL);
    INSERT INTO gpkg_geometry_columns VALUES ('segments', 'geom', 'LINESTRING', 4326, 0, 0);

    """

  /// Contains what is displayed of the drives of passages, because their rows are large.
  static let drivesIndex = "drives_of_passages"
  static let indexCreation =
    "CREATE INDEX IF NOT EXISTS \(drivesIndex) ON drives(fid, id, name, start_us, kind)"

  /// The names of the tables.
  static let tables = ["segments", "passages"]

  /// Updates the extent of the segments in `gpkg_contents`.
  static let extent = """
    UPDATE gpkg_contents SET last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
      min_x = (SELECT min(ST_MinX(geom)) FROM segments), max_x = (SELECT max(ST_MaxX(geom)) FROM segments),
      min_y = (SELECT min(ST_MinY(geom)) FROM segments), max_y = (SELECT max(ST_MaxY(geom)) FROM segments)
    WHERE table_name = 'segments'
    """
}
