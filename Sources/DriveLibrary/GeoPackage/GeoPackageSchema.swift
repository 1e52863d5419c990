/// The SQL schema of a library.
///
/// A GeoPackage 1.3 (OGC 12-128r17): `drives` is a feature table with an R-tree, and `recordings`, `sources`
/// and `runs` are attribute tables, which all GeoPackage clients list.
enum GeoPackageSchema {
  /// The application id "GPKG" and version 1.3 in the file header.
  static let applicationID = 0x4750_4B47
  static let userVersion = 10_300
  /// The schema version, stored in the metadata.
  static let libraryVersion = 1

  /// The migration steps by source version. Steps from all versions since the first are kept.
  static let migrations: [Int: String] = [:]

  /// Creates the schema in an empty database.
  static let creation = standardTables + ownTables + spatialIndex + registration

  /// The names of the tables.
  static let tables = [
    "gpkg_spatial_ref_sys", "gpkg_contents", "gpkg_geometry_columns", "gpkg_extensions", "drives",
    "recordings", "sources", "removed", "runs", "library", "rtree_drives_geom",
  ]

  /// Whether a trigger is one of the library, or one that GDAL creates for a layer: those of the spatial
  /// index, whose SQL differs between versions, and those that count features.
  static func isKnownTrigger(_ name: String, _ sql: String) -> Bool {
    if !sql.isEmpty, creation.contains(sql) || SegmentSchema.creation.contains(sql) { return true }
    return triggerPrefixes.contains { name.hasPrefix($0) } && isIndexTrigger(sql)
  }

  /// The tables that triggers of GDAL change.
  static let indexTables = ["rtree_drives_geom", "rtree_segments_geom", "gpkg_ogr_contents"]

  private static let triggerPrefixes = [
    "rtree_", "trigger_insert_feature_count_", "trigger_delete_feature_count_",
  ]

  /// Whether a trigger only changes the tables of an index, with the words that GDAL uses. It cannot query,
  /// or make long values.
  private static func isIndexTrigger(_ sql: String) -> Bool {
    guard !sql.isEmpty, !sql.utf8.contains(UInt8(ascii: "|")) else { return false }
    let words = sql.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
    for ((previous, word), next) in zip(zip([""] + words, words), words.dropFirst() + [""]) {
      let isKnown =
        triggerWords.contains(String(word)) || Int(word) != nil
        || triggerPrefixes.contains { word.hasPrefix($0) }
      guard isKnown else { return false }
      // The function `replace` makes long values.
      if word == "replace", next != "into" { return false }
      // `AFTER UPDATE` begins the clause of the trigger.
      let isChange = ["into", "from"].contains(word) || word == "update" && previous != "after"
      if isChange, !indexTables.contains(String(next)) { return false }
    }
    return true
  }

  /// The words of the triggers that GDAL creates for the layers of a library.
  private static let triggerWords = Set(
    """
    create trigger if not exists after insert update delete of on for each row when begin end or replace into \
    values from where set and in is null notnull isnull new old id fid geom minx maxx miny maxy st_isempty \
    st_minx st_maxx st_miny st_maxy lower table_name feature_count
    """.split(separator: " ").map(String.init) + indexTables + tables + SegmentSchema.tables)

  private static let wgs84 = """
    GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],\
    AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,\
    AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]
    """

  private static let standardTables = """
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(userVersion);
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinate reference system'),
      ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
      ('WGS 84 geodetic', 4326, 'EPSG', 4326, '\(wgs84)',
       'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
      min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
      CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_extensions (
      table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
      scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));

    """

  /// Large columns come last, because SQLite reads a row up to the requested column. `start_us` and `end_us`
  /// are exact times in microseconds since 1970; GeoPackage times have three decimals.
  ///
  /// An input consists of a path and its content, which is null if the input was not read to its end.
  /// `removed` records drives that any program deleted, without positions, so that imports can skip them.
  private static let ownTables = """
    CREATE TABLE drives (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
      id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, start_time DATETIME, end_time DATETIME,
      duration_s DOUBLE NOT NULL, distance_miles DOUBLE NOT NULL, points INTEGER NOT NULL,
      start_us INTEGER, end_us INTEGER,
      start_lat DOUBLE, start_lon DOUBLE, end_lat DOUBLE, end_lon DOUBLE, kind TEXT, gear TEXT,
      source_fid INTEGER, content_hash TEXT, source TEXT, description TEXT,
      geom LINESTRING, coordinates_data BLOB NOT NULL);
    CREATE INDEX drives_by_start_time ON drives(start_time);
    CREATE INDEX drives_by_source ON drives(source_fid);
    CREATE TABLE recordings (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, drive_id TEXT NOT NULL UNIQUE,
      points INTEGER NOT NULL, has_times BOOLEAN NOT NULL, data BLOB NOT NULL);
    CREATE TABLE sources (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, path TEXT NOT NULL, content_hash TEXT,
      size INTEGER, format TEXT, state TEXT NOT NULL, reason TEXT, duplicate_of TEXT, drives INTEGER NOT NULL,
      options TEXT, run_fid INTEGER, finished DATETIME NOT NULL, UNIQUE (path, content_hash));
    CREATE INDEX sources_by_content ON sources(content_hash, state);
    CREATE TABLE removed (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, id TEXT NOT NULL UNIQUE, start_us INTEGER,
      duration_s DOUBLE NOT NULL, distance_miles DOUBLE NOT NULL, source_fid INTEGER, removed DATETIME NOT NULL);
    CREATE INDEX removed_by_start ON removed(start_us);
    CREATE INDEX removed_by_source ON removed(source_fid);
    CREATE TRIGGER drives_removed AFTER DELETE ON drives
    BEGIN
      DELETE FROM recordings WHERE drive_id = OLD.id;
      INSERT OR REPLACE INTO removed (id, start_us, duration_s, distance_miles, source_fid, removed) VALUES (
        OLD.id, OLD.start_us, OLD.duration_s, OLD.distance_miles, OLD.source_fid,
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
    END;
    CREATE TABLE runs (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, started DATETIME NOT NULL, ended DATETIME,
      version TEXT NOT NULL, folder TEXT, command TEXT NOT NULL, outcome TEXT);
    CREATE TABLE library (
      fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
    INSERT INTO library (key, value) VALUES ('version', '\(libraryVersion)');

    """

  /// The extension gpkg_rtree_index with the triggers of the standard (annex F.3).
  private static let spatialIndex = """
    CREATE VIRTUAL TABLE rtree_drives_geom USING rtree(id, minx, maxx, miny, maxy);
    CREATE TRIGGER rtree_drives_geom_insert AFTER INSERT ON drives
      WHEN (new.geom NOT NULL AND NOT ST_IsEmpty(NEW.geom))
    BEGIN
      INSERT OR REPLACE INTO rtree_drives_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom));
    END;
    CREATE TRIGGER rtree_drives_geom_update1 AFTER UPDATE OF geom ON drives
      WHEN OLD.fid = NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom))
    BEGIN
      INSERT OR REPLACE INTO rtree_drives_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom));
    END;
    CREATE TRIGGER rtree_drives_geom_update2 AFTER UPDATE OF geom ON drives
      WHEN OLD.fid = NEW.fid AND (NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))
    BEGIN
      DELETE FROM rtree_drives_geom WHERE id = OLD.fid;
    END;
    CREATE TRIGGER rtree_drives_geom_update3 AFTER UPDATE ON drives
      WHEN OLD.fid != NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom))
    BEGIN
      DELETE FROM rtree_drives_geom WHERE id = OLD.fid;
      INSERT OR REPLACE INTO rtree_drives_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom));
    END;
    CREATE TRIGGER rtree_drives_geom_update4 AFTER UPDATE ON drives
      WHEN OLD.fid != NEW.fid AND (NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))
    BEGIN
      DELETE FROM rtree_drives_geom WHERE id IN (OLD.fid, NEW.fid);
    END;
    CREATE TRIGGER rtree_drives_geom_delete AFTER DELETE ON drives WHEN old.geom NOT NULL
    BEGIN
      DELETE FROM rtree_drives_geom WHERE id = OLD.fid;
    END;

    """

  private static let registration = """
    INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES
      ('drives', 'features', 'drives', 'Drives: coordinates evenly spread over a duration', 4326),
      ('recordings', 'attributes', 'recordings', 'What the drives were recorded as, with times per point (layout: see RecordedPoints)', NULL),
      ('sources', 'attributes', 'sources', 'Every input and what became of it', NULL),
      ('removed', 'attributes', 'removed', 'Drives that were taken out and that imports leave out', NULL),
      ('runs', 'attributes', 'runs', 'Imports', NULL),
      ('library', 'attributes', 'library', 'What this library is', NULL);
    INSERT INTO gpkg_geometry_columns VALUES ('drives', 'geom', 'LINESTRING', 4326, 0, 0);
    INSERT INTO gpkg_extensions VALUES (
      'drives', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec130/#extension_rtree', 'write-only');

    """
}
