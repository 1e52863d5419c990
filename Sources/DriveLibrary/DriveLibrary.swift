public import TrackModel

/// A library of drives in a GeoPackage, a single file that QGIS, ogr2ogr and every SQLite client can open.
///
/// Changes are transactions with write-ahead logging, so a crash loses only uncommitted changes. An object is
/// one connection and must not be shared between threads. Several programs can read while one writes.
public final class DriveLibrary {
  let database: SQLiteDatabase
  /// The milliseconds to wait for another program's lock.
  private let busyTimeout: Int32
  private var statements: [String: SQLiteStatement] = [:]
  /// The fingerprints of drives that were compared with drives of the same time.
  var fingerprints = FingerprintCache()
  var times = DriveTimes()
  /// The connection for checkpoints, created when the log becomes too long.
  private var checkpoints: LogCheckpoints?
  /// The number of pages in the log at the last requested checkpoint.
  private var begunPages = 0

  /// The number of log pages that start a checkpoint: 8 MiB.
  var checkpointPages = 512
  /// The number of log pages at which writing waits for a complete checkpoint: 64 MiB.
  var logLimit = 4096

  /// The version of SQLite that runs.
  package static var databaseVersion: String { SQLiteDatabase.version }

  /// The access to the file.
  public enum Mode: Sendable, Hashable {
    /// Read only.
    case reading
    /// Read and write. The library must exist.
    case writing
    /// Read and write. Creates the library if the file does not exist or is empty.
    case creating
  }

  /// Opens a library, creates it if requested, and migrates older versions.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - mode: the access to the file.
  ///   - busyTimeout: the milliseconds to wait for another program's lock.
  /// - Throws: `notFound`; `unknownFormat` if the file is not a library; `unsupported` for a newer version;
  ///   `unwritable` if it is locked; `noSpace` if the disk is full; `notCreatable` if it is not writable.
  public convenience init(path: String, mode: Mode, busyTimeout: Int32 = 10_000) throws(TrackError) {
    try self.init(
      path: path, mode: mode, version: GeoPackageSchema.libraryVersion, GeoPackageSchema.migrations,
      busyTimeout: busyTimeout)
  }

  /// - Parameters:
  ///   - known: the program's version of the schema.
  ///   - migrations: the migration steps by the version that each starts at.
  init(
    path: String, mode: Mode, version known: Int, _ migrations: [Int: String], busyTimeout: Int32 = 10_000
  ) throws(TrackError) {
    database = try DriveLibrary.connect(path, mode, busyTimeout)
    self.busyTimeout = busyTimeout
    try defineSpatialFunctions()
    let isNew = mode == .creating ? try isEmpty() : false
    // A file that is not a library must stay unchanged, so it is inspected first.
    var version = try isNew ? known : self.version()
    if mode == .reading, version < known {
      // Another connection can write, or report why it cannot.
      _ = try DriveLibrary(path: path, mode: .writing, version: known, migrations, busyTimeout: busyTimeout)
      version = try self.version()
    }
    guard version <= known else {
      throw TrackError(
        .unsupported, "library version \(version) is newer than this program supports", file: path,
        suggestion: .update)
    }
    if !isNew, let reason = try foreignSchema(writing: mode != .reading) { throw refused(reason) }
    guard mode != .reading else { return }
    guard !database.isReadOnly else { throw DriveLibrary.unwritable(path) }
    // Drives are large rows, and larger pages need a quarter of the system calls. The page size can only be
    // set for a new file before it has a log.
    try database.executeWaiting(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL", milliseconds: busyTimeout)
    try database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF")
    // A transaction of an import must fit into the cache, or its pages are written twice. Without the second
    // setting, statement journals would be written to files as large as the drives.
    try database.execute("PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY")
    database.deferCheckpoints()
    if isNew {
      try database.transaction { () throws(TrackError) in
        // Another process may have created it first.
        if try isEmpty() { try database.execute(GeoPackageSchema.creation) }
      }
    }
    try bringUpToDate(known, migrations)
  }

  /// Opens the file. On a read-only medium, where the locks of write-ahead logging cannot be created, it is
  /// opened as immutable.
  private static func connect(
    _ path: String, _ mode: Mode, _ busyTimeout: Int32
  ) throws(TrackError) -> SQLiteDatabase {
    let sqliteMode: SQLiteDatabase.Mode =
      switch mode {
      case .reading: .reading
      case .writing: .writing
      case .creating: .creating
      }
    let database = try SQLiteDatabase(path: path, mode: sqliteMode, busyTimeout: busyTimeout)
    do throws(TrackError) {
      // The first statement that reads the file determines whether it is a database.
      _ = try database.integer("SELECT count(*) FROM sqlite_master")
      return database
    } catch {
      guard error.code == .notFound || error.code == .notCreatable, LibraryFile.isReadable(path) else {
        throw error
      }
      guard mode == .reading else { throw unwritable(path) }
      guard !LibraryFile.hasLog(path) else {
        throw TrackError(
          .unreadable,
          "an import was interrupted, and its changes cannot be read without write access to the folder",
          file: path,
          suggestion: .text("copy the file and the file with the suffix -wal to a writable folder"))
      }
      let database = try SQLiteDatabase(path: path, mode: .immutable)
      _ = try database.integer("SELECT count(*) FROM sqlite_master")
      return database
    }
  }

  private static func unwritable(_ path: String) -> TrackError {
    TrackError(
      .notCreatable, "the library cannot be written to", file: path,
      suggestion: .text("check the permissions of the file and its folder"))
  }

  private func isEmpty() throws(TrackError) -> Bool {
    try database.integer("SELECT count(*) FROM sqlite_master") == 0
  }

  /// Runs all migration steps or none.
  private func bringUpToDate(_ known: Int, _ migrations: [Int: String]) throws(TrackError) {
    guard try version() < known else { return }
    try database.transaction { () throws(TrackError) in
      // Another process may have migrated it first.
      for old in try version()..<max(known, try version()) {
        guard let migration = migrations[old] else {
          throw TrackError(
            .unsupported, "library version \(old) is no longer supported",
            file: database.path)
        }
        try database.execute(migration)
      }
      try database.execute("UPDATE library SET value = '\(known)' WHERE key = 'version'")
    }
  }

  /// The version of the library's tables.
  ///
  /// - Throws: `unknownFormat` if the file is not a library.
  private func version() throws(TrackError) -> Int {
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
      if try isEmpty() {
        throw TrackError(
          .unknownFormat, "empty file, not a library of drives", file: database.path,
          suggestion: .addDrives)
      }
      throw TrackError(
        .unknownFormat, "not a library of drives", file: database.path,
        suggestion: .useLibraryOrNewPath)
    }
    return version
  }

  /// Returns the reason to reject a file whose tables would run code of another program, or nil.
  ///
  /// - Parameter writing: whether triggers, defaults, checks and indexes run as well.
  func foreignSchema(writing: Bool) throws(TrackError) -> String? {
    let tables = GeoPackageSchema.tables + SegmentSchema.tables + GeoPackageSchema.indexTables
    let checked = writing ? try tablesWithChecks() : []
    for table in tables {
      if try hasComputedColumn(table) {
        return "the table \(table) has a computed column, which no library of drives has"
      }
      guard writing, try checked.contains(table.lowercased()) ? true : hasForeignExpression(table) else {
        continue
      }
      return "the table \(table) has an expression that no library of drives has"
    }
    guard writing else { return nil }
    // Names of tables ignore case.
    for row in try database.rows(
      "SELECT name, lower(tbl_name), sql FROM sqlite_master WHERE type = 'trigger'")
    {
      guard let name = row[0].string, let table = row[1].string, tables.contains(table),
        !GeoPackageSchema.isKnownTrigger(name, row[2].string ?? "")
      else { continue }
      return "the table \(table) has a trigger that no library of drives has, \(name)"
    }
    return nil
  }

  /// Returns whether SQLite's integrity check evaluates expressions of other programs.
  func hasForeignExpressions() throws(TrackError) -> Bool {
    guard try tablesWithChecks().isEmpty else { return true }
    for row in try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    {
      guard let table = row[0].string else { continue }
      if try hasComputedColumn(table) { return true }
      if try hasForeignExpression(table) { return true }
    }
    return false
  }

  /// Returns the names of the tables with a check, in lower case and in one query: a query for each table
  /// would look at all of them each time.
  private func tablesWithChecks() throws(TrackError) -> Set<String> {
    Set(
      try database.rows(
        "SELECT lower(name) FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND sql LIKE '%CHECK%(%'"
      ).compactMap { $0[0].string })
  }

  private func hasComputedColumn(_ table: String) throws(TrackError) -> Bool {
    try database.integer(
      "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)", [.text(table)]) != 0
  }

  /// Whether writing a row of a table evaluates an expression that is not the library's: a default value, or
  /// an index on an expression or on a part of the table.
  private func hasForeignExpression(_ table: String) throws(TrackError) -> Bool {
    try database.integer(
      """
      SELECT (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE dflt_value LIKE '%(%'
          AND replace(dflt_value, ' ', '') <> 'strftime(''%Y-%m-%dT%H:%M:%fZ'',''now'')')
        + (SELECT count(*) FROM pragma_index_list(?1) AS i WHERE i.partial
          OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) WHERE cid = -2))
      """, [.text(table)]) != 0
  }

  private func refused(_ reason: String) -> TrackError {
    TrackError(.unsupported, reason, file: database.path, suggestion: .removeForeignSchema)
  }

  /// Defines the functions that the triggers of the spatial index call. Other programs define their own.
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

  /// Closes the connection, for programs that exit without releasing their objects. The library cannot be
  /// used afterwards.
  public func close() {
    checkpoints = nil
    statements = [:]
    database.close()
  }

  /// Returns a cached prepared statement.
  func statement(_ sql: String) throws(TrackError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Updates the extent of the drives and the modification time, and checkpoints the log. Call this at the
  /// end of a run.
  public func finish() throws(TrackError) {
    try updateContents()
    try checkpoint()
  }

  /// Checkpoints the write-ahead log. Call this at the end of an import.
  public func checkpoint() throws(TrackError) {
    checkpoints = nil
    // A long-running reader checkpoints the rest when it finishes.
    database.setBusyTimeout(500)
    defer { database.setBusyTimeout(busyTimeout) }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Runs `body` as a transaction and limits the length of the log.
  func change<Result>(_ body: () throws(TrackError) -> Result) throws(TrackError) -> Result {
    defer { shortenLog() }
    do throws(TrackError) { return try database.transaction(body) } catch {
      // The drives that the transaction added or removed are unchanged.
      times = DriveTimes()
      throw error
    }
  }

  /// Starts a checkpoint when the log becomes too long.
  private func shortenLog() {
    let pages = database.logPages
    // The log has restarted.
    if pages < begunPages { begunPages = 0 }
    guard pages - begunPages >= checkpointPages else { return }
    if checkpoints == nil { checkpoints = try? LogCheckpoints(library: database.path) }
    begunPages = pages
    guard let checkpoints else {
      // Without a second connection, writing waits for the checkpoint.
      _ = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)")
      return
    }
    if pages < logLimit { checkpoints.begin() } else { checkpoints.catchUp() }
  }

  /// Stores the extent of the drives in `gpkg_contents`.
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

  /// Updates the extent of the drives, which is exact.
  ///
  /// The spatial index determines the drives that may be at the edges; only those are read. It rounds bounds
  /// outwards by one or two steps of a Float, at most 0.00005 degrees.
  func updateContents() throws(TrackError) {
    let margin = 0.0001
    try database.execute(
      """
      UPDATE gpkg_contents SET last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
        min_x = (SELECT min(ST_MinX(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom
          WHERE minx < (SELECT min(minx) FROM rtree_drives_geom) + \(margin))),
        max_x = (SELECT max(ST_MaxX(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom
          WHERE maxx > (SELECT max(maxx) FROM rtree_drives_geom) - \(margin))),
        min_y = (SELECT min(ST_MinY(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom
          WHERE miny < (SELECT min(miny) FROM rtree_drives_geom) + \(margin))),
        max_y = (SELECT max(ST_MaxY(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom
          WHERE maxy > (SELECT max(maxy) FROM rtree_drives_geom) - \(margin)))
      WHERE table_name = 'drives'
      """)
  }
}

extension Suggestion {
  static let removeForeignSchema = Suggestion.text("remove it with another program if you trust the file")
}
