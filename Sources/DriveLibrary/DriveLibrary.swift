public import TrackModel

/// Drives in a GeoPackage: one file that QGIS, ogr2ogr and every SQLite client open as it is.
///
/// Changes are transactions in write-ahead logging: a crash loses what was not committed and nothing else.
/// One object is one connection, not to be shared between threads; several programs may read while one
/// writes.
public final class DriveLibrary {
  let database: SQLiteDatabase
  /// Milliseconds to wait for another program's lock.
  private let patience: Int32
  private var statements: [String: SQLiteStatement] = [:]
  /// Made when the log becomes long.
  private var checkpoints: LogCheckpoints?
  /// How many pages of the log were there when they were last asked to fold it in.
  private var begunPages = 0

  /// Pages of the log that are worth folding in: 8 MiB.
  var checkpointPages = 512
  /// Pages that the log may have before writing waits until all is folded in: 64 MiB.
  var logLimit = 4096

  public enum Mode: Sendable, Hashable {
    /// Nothing can be changed.
    case reading
    /// The library must exist.
    case writing
    /// The library is made where there is none, or an empty file.
    case creating
  }

  /// Opens a library, makes it where asked to, and brings an older one up to date.
  ///
  /// - Parameter patience: milliseconds to wait for another program's lock.
  /// - Throws: `notFound`; `unknownFormat` for a file that is no library; `unsupported` for one of a newer
  ///   version; `unwritable` where it is locked; `noSpace` where the disk is full; `notCreatable` where it
  ///   may not be changed.
  public convenience init(path: String, mode: Mode, patience: Int32 = 10_000) throws(TrackError) {
    try self.init(
      path: path, mode: mode, version: GeoPackageSchema.libraryVersion, GeoPackageSchema.migrations,
      patience: patience)
  }

  /// - Parameters:
  ///   - known: the version that the program knows.
  ///   - migrations: the steps that lead to it, by the version that each begins at.
  init(
    path: String, mode: Mode, version known: Int, _ migrations: [Int: String], patience: Int32 = 10_000
  ) throws(TrackError) {
    database = try DriveLibrary.connect(path, mode, patience)
    self.patience = patience
    try defineSpatialFunctions()
    let isNew = mode == .creating ? try isEmpty() : false
    // A file that is no library stays as it is, so that it is looked at first.
    var version = try isNew ? known : self.version()
    if mode == .reading, version < known {
      // Another connection can write, or say why it cannot.
      _ = try DriveLibrary(path: path, mode: .writing, version: known, migrations)
      version = try self.version()
    }
    guard version <= known else {
      throw TrackError(
        .unsupported, "the library is of version \(version), newer than this program knows", file: path,
        suggestion: .update)
    }
    if !isNew { try refuseForeignSchema(writing: mode != .reading) }
    guard mode != .reading else { return }
    guard !database.isReadOnly else { throw DriveLibrary.unwritable(path) }
    // Drives are large rows: with larger pages they are a quarter of the system calls. Only a new file takes
    // the size, and only before it gets a log.
    try database.execute(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF"
    )
    // A transaction of an import has to fit into the cache, or its pages are written twice. What a statement
    // would undo, of each index that it changes a page, goes to a file of its own otherwise: as much as the
    // drive itself.
    try database.execute("PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY")
    database.keepLog()
    if isNew {
      try database.transaction { () throws(TrackError) in
        // Another program may have been quicker.
        if try isEmpty() { try database.execute(GeoPackageSchema.creation) }
      }
    }
    try bringUpToDate(known, migrations)
  }

  /// Opens the file. A library that lies where nothing may be written has no place for the locks of
  /// write-ahead logging: it is read as what cannot change then.
  private static func connect(
    _ path: String, _ mode: Mode, _ patience: Int32
  ) throws(TrackError) -> SQLiteDatabase {
    let sqliteMode: SQLiteDatabase.Mode =
      switch mode {
      case .reading: .reading
      case .writing: .writing
      case .creating: .creating
      }
    let database = try SQLiteDatabase(path: path, mode: sqliteMode, patience: patience)
    do throws(TrackError) {
      // The first statement that reads the file tells whether it is a database at all.
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
          "an import has not been ended, and what it left cannot be read in a place without write access",
          file: path,
          suggestion: .text("copy the file, and the one with -wal behind its name, to where you may write"))
      }
      let database = try SQLiteDatabase(path: path, mode: .immutable)
      _ = try database.integer("SELECT count(*) FROM sqlite_master")
      return database
    }
  }

  private static func unwritable(_ path: String) -> TrackError {
    TrackError(
      .notCreatable, "the library cannot be written to", file: path,
      suggestion: .text("you may not change this file, or its folder"))
  }

  private func isEmpty() throws(TrackError) -> Bool {
    try database.integer("SELECT count(*) FROM sqlite_master") == 0
  }

  /// Makes one version of the next, all of them or none.
  private func bringUpToDate(_ known: Int, _ migrations: [Int: String]) throws(TrackError) {
    guard try version() < known else { return }
    try database.transaction { () throws(TrackError) in
      // Another program may have been quicker.
      for old in try version()..<max(known, try version()) {
        guard let migration = migrations[old] else {
          throw TrackError(
            .unsupported, "the library is of version \(old), which this program does not know any more",
            file: database.path)
        }
        try database.execute(migration)
      }
      try database.execute("UPDATE library SET value = '\(known)' WHERE key = 'version'")
    }
  }

  /// The version of the library's tables.
  ///
  /// - Throws: `unknownFormat` where it is none.
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
          .unknownFormat, "is empty, and no library of drives yet", file: database.path,
          suggestion: .addDrives)
      }
      throw TrackError(
        .unknownFormat, "is no library of drives", file: database.path,
        suggestion: .useLibraryOrNewPath)
    }
    return version
  }

  /// Refuses a file whose tables would run another program's code.
  ///
  /// - Parameter writing: whether triggers run as well.
  /// - Throws: `unsupported`.
  private func refuseForeignSchema(writing: Bool) throws(TrackError) {
    for table in GeoPackageSchema.tables {
      let computed = try database.integer(
        "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)", [.text(table)])
      guard computed == 0 else {
        throw refused("the table \(table) has a computed column, which no library of drives has")
      }
    }
    guard writing else { return }
    for row in try database.rows("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'") {
      guard let name = row[0].string, let table = row[1].string, GeoPackageSchema.tables.contains(table),
        !GeoPackageSchema.isKnownTrigger(name, row[2].string ?? "")
      else { continue }
      throw refused("the table \(table) has a trigger that no library of drives has, \(name)")
    }
  }

  private func refused(_ reason: String) -> TrackError {
    TrackError(
      .unsupported, reason, file: database.path,
      suggestion: .text("remove it with another program if you trust the file"))
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

  /// Gives the file back, for programs that end without letting go of their objects; nothing can be done with
  /// it after that.
  public func close() {
    checkpoints = nil
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

  /// Brings the extent of the drives up to date, folds the write-ahead log into the file, and says when it
  /// was changed. To be called at the end of a run.
  public func finish() throws(TrackError) {
    try updateContents()
    try checkpoint()
  }

  /// Folds the write-ahead log into the file. To be called at the end of an import.
  public func checkpoint() throws(TrackError) {
    checkpoints = nil
    // Who reads for long folds in what is left when it is done.
    database.setPatience(500)
    defer { database.setPatience(patience) }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Runs the body as one change that happens as a whole or not at all, and sees to it that the log does not
  /// get too long.
  func change<Result>(_ body: () throws(TrackError) -> Result) throws(TrackError) -> Result {
    defer { shortenLog() }
    return try database.transaction(body)
  }

  /// Sees to it that the log is folded into the library before it gets too long.
  private func shortenLog() {
    let pages = database.logPages
    // It has begun anew.
    if pages < begunPages { begunPages = 0 }
    guard pages - begunPages >= checkpointPages else { return }
    if checkpoints == nil { checkpoints = try? LogCheckpoints(library: database.path) }
    begunPages = pages
    guard let checkpoints else {
      // Without a second connection writing waits for it.
      _ = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)")
      return
    }
    if pages < logLimit { checkpoints.begin() } else { checkpoints.catchUp() }
  }

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

  /// What `gpkg_contents` says of the drives: their exact extent.
  ///
  /// The spatial index, which keeps places rounded to outside, says which drives reach furthest; only those
  /// are looked at.
  func updateContents() throws(TrackError) {
    try database.execute(
      """
      UPDATE gpkg_contents SET last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
        min_x = (SELECT min(ST_MinX(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom WHERE minx = (SELECT min(minx) FROM rtree_drives_geom))),
        max_x = (SELECT max(ST_MaxX(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom WHERE maxx = (SELECT max(maxx) FROM rtree_drives_geom))),
        min_y = (SELECT min(ST_MinY(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom WHERE miny = (SELECT min(miny) FROM rtree_drives_geom))),
        max_y = (SELECT max(ST_MaxY(geom)) FROM drives WHERE fid IN (
          SELECT id FROM rtree_drives_geom WHERE maxy = (SELECT max(maxy) FROM rtree_drives_geom)))
      WHERE table_name = 'drives'
      """)
  }
}
