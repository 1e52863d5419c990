public import TrackModel

/// Drives in a GeoPackage: one file that QGIS, ogr2ogr and every SQLite client open as it is.
///
/// Changes are transactions in write-ahead logging: a crash loses what was not committed and nothing else. One object
/// is one connection, not to be shared between threads; several programs may read while one writes.
public final class DriveLibrary {
  let database: SQLiteDatabase
  private var statements: [String: SQLiteStatement] = [:]

  public enum Mode: Sendable, Hashable {
    /// Nothing can be changed.
    case reading
    /// The library must exist.
    case writing
    /// The library is made where there is none.
    case creating
  }

  /// Opens a library, makes it where asked to, and brings an older one up to date.
  ///
  /// - Throws: `notFound`; `unknownFormat` for a file that is no library; `unsupported` for one of a newer version;
  ///   `unwritable` where it is locked or the disk is full; `notCreatable` where it may not be changed.
  public init(path: String, mode: Mode) throws(TrackError) {
    let sqliteMode: SQLiteDatabase.Mode =
      switch mode {
      case .reading: .reading
      case .writing: .writing
      case .creating: .creating
      }
    database = try SQLiteDatabase(path: path, mode: sqliteMode)
    try defineSpatialFunctions()
    if mode != .reading {
      // Drives are large rows: with larger pages they are a quarter of the system calls. Only a new file takes the size,
      // and only before it gets a log. The first statement that reads the file tells whether it is a database at all.
      try database.execute(
        "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF"
      )
    }
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_master") == 0
    if isEmpty, mode == .creating {
      try database.transaction { () throws(TrackError) in
        // Another program may have been quicker.
        if try database.integer("SELECT count(*) FROM sqlite_master") == 0 {
          try database.execute(GeoPackageSchema.creation)
        }
      }
    }
    try checkVersion(path)
  }

  private func checkVersion(_ path: String) throws(TrackError) {
    let isLibrary =
      try database.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('library', 'drives', 'sources')"
      )
      == 3
    guard isLibrary,
      case .text(let text)? = try database.rows("SELECT value FROM library WHERE key = 'version'").first?
        .first,
      let version = Int(text)
    else {
      throw TrackError(
        .unknownFormat, "is no library of drives", file: path,
        hint: "give a file that import --library has made, or a new name")
    }
    guard version <= GeoPackageSchema.libraryVersion else {
      throw TrackError(
        .unsupported, "the library is of version \(version), newer than this program knows", file: path,
        hint: "update ghost-convert")
    }
  }

  /// The functions that the triggers of the spatial index call; other programs bring their own.
  private func defineSpatialFunctions() throws(TrackError) {
    try database.define(
      "ST_IsEmpty", SQLiteBlobFunction { .integer(GeoPackageGeometry.isEmpty($0) ? 1 : 0) })
    let parts: [(String, @Sendable (GeoPackageGeometry.Envelope) -> Double)] = [
      ("ST_MinX", { $0.minX }), ("ST_MaxX", { $0.maxX }), ("ST_MinY", { $0.minY }), ("ST_MaxY", { $0.maxY }),
    ]
    for (name, part) in parts {
      try database.define(
        name, SQLiteBlobFunction { .real(GeoPackageGeometry.envelope($0).map(part)) })
    }
  }

  /// Gives the file back, for programs that end without letting go of their objects; nothing can be done with it after
  /// that.
  public func close() {
    statements = [:]
    database.close()
  }

  /// A statement that is used again and again, prepared once.
  func statement(_ sql: String) throws(TrackError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Brings the extent of the drives up to date, folds the write-ahead log into the file, and says when it was changed.
  /// To be called at the end of a run.
  public func finish() throws(TrackError) {
    try updateContents()
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Folds the write-ahead log into the file. To be called at the end of an import.
  public func checkpoint() throws(TrackError) { try database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Says in `gpkg_contents` that there are drives within an extent.
  func widenContents(_ extent: GeoPackageGeometry.Envelope) throws(TrackError) {
    try statement(
      """
      UPDATE gpkg_contents SET last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
        min_x = min(coalesce(min_x, ?1), ?1), max_x = max(coalesce(max_x, ?2), ?2),
        min_y = min(coalesce(min_y, ?3), ?3), max_y = max(coalesce(max_y, ?4), ?4)
      WHERE table_name = 'drives'
      """
    ).run([.real(extent.minX), .real(extent.maxX), .real(extent.minY), .real(extent.maxY)])
  }

  /// What `gpkg_contents` says of the drives.
  func updateContents() throws(TrackError) {
    try database.execute(
      """
      UPDATE gpkg_contents SET last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
        (min_x, max_x, min_y, max_y) = (
          SELECT min(ST_MinX(geom)), max(ST_MaxX(geom)), min(ST_MinY(geom)), max(ST_MaxY(geom)) FROM drives)
      WHERE table_name = 'drives'
      """)
  }
}
