import CSQLite
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection to an SQLite database. The only type that calls SQLite. Must not be shared between threads.
@safe
final class SQLiteDatabase {
  /// The version of SQLite that runs.
  static var version: String { unsafe String(cString: sqlite3_libversion()) }

  private let handle: OpaquePointer
  private var isClosed = false
  private let log = Log()
  private let budget: StepBudget
  private var allowedLength = 0
  /// The path for error messages.
  let path: String

  /// The state of the write-ahead log.
  private final class Log {
    var pages = 0
  }

  enum Mode {
    /// Read only. The file must exist. Opened so that the last connection removes the files of write-ahead
    /// logging. A connection without write access would leave them.
    case reading
    /// Read only, for a file that does not change, on a read-only medium without locks.
    case immutable
    /// Read and write. The file must exist.
    case writing
    /// Read and write. Creates the file if it does not exist.
    case creating
  }

  /// - Parameter busyTimeout: the milliseconds to wait for another process's lock.
  /// - Throws: `notCreatable` for an empty path, which SQLite would open as a temporary database.
  init(path: String, mode: Mode, busyTimeout: Int32 = 10_000) throws(TrackError) {
    guard !path.isEmpty else {
      throw TrackError(.notCreatable, "the name of the library is empty", suggestion: .text("name a file"))
    }
    try SQLiteDatabase.checkSideFiles(of: path)
    let flags =
      switch mode {
      case .reading: SQLITE_OPEN_READWRITE
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let file = SQLiteDatabase.plainName(path)
    let status = unsafe FileName.with(mode == .immutable ? SQLiteDatabase.immutableAddress(file) : file) {
      unsafe sqlite3_open_v2($0, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    }
    guard status == SQLITE_OK, let opened = unsafe opened else {
      let reason = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let systemError = unsafe opened.map { unsafe sqlite3_system_errno($0) } ?? 0
      unsafe sqlite3_close_v2(opened)
      if mode == .creating, status & 0xFF == SQLITE_CANTOPEN {
        throw TrackError(
          .notCreatable, "the library cannot be created", file: path,
          suggestion: .text("check that the folder exists and is writable"))
      }
      throw SQLiteDatabase.error(status, reason, path, systemError)
    }
    unsafe handle = opened
    self.path = path
    budget = StepBudget(path)
    distrustSchema(mode)
    setBusyTimeout(busyTimeout)
    if mode == .reading { try execute("PRAGMA query_only = 1") }
  }

  /// Checks the files next to the library that SQLite opens. It would wait for the writer of a named pipe.
  private static func checkSideFiles(of path: String) throws(TrackError) {
    for ending in ["-journal", "-wal", "-shm"] where LibraryFile.isNoFile(path + ending) {
      throw TrackError(
        .unreadable, "is not a regular file", file: path + ending,
        suggestion: .text("remove it if no other program uses it"))
    }
  }

  /// Restricts the schema of an untrusted file: views and functions with side effects are disabled, and each
  /// statement has a budget of steps.
  private func distrustSchema(_ mode: Mode) {
    let isReading = mode == .reading || mode == .immutable
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      // The triggers of the spatial index write to a virtual table, which only a trusted schema may do.
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, isReading ? 0 : 1),
    ] as [(Int32, Int32)] {
      // Fails only in versions of SQLite without the option.
      _ = unsafe csqlite_db_config(handle, option, value)
    }
    // No stored value is longer than the file.
    allowLength(max(LibraryFile.size(path), 1 << 25))
    let context = unsafe Unmanaged.passUnretained(budget).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, Int32(StepBudget.interval),
      { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<StepBudget>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
      }, context)
  }

  /// Allows rows and values of twice a size, so that expressions of the schema make none that are longer
  /// than those of the file and those that are written.
  fileprivate func allowLength(_ size: Int) {
    guard size > allowedLength else { return }
    allowedLength = size
    _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: min(2 * size, 1_000_000_000)))
  }

  deinit { close() }

  /// Closes the connection. It cannot be used afterwards.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    unsafe sqlite3_close_v2(handle)
  }

  /// Gives the next statement the whole budget of steps.
  fileprivate func renewBudget() { budget.renew() }

  /// Sets the milliseconds to wait for another process's lock.
  func setBusyTimeout(_ milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

  /// The path in a form that SQLite treats as a file, unlike `:memory:` and `file:…`.
  private static func plainName(_ path: String) -> String {
    path.hasPrefix(":") || path.hasPrefix("file:") ? "./" + path : path
  }

  /// The URI of an immutable file (sqlite.org/uri.html).
  private static func immutableAddress(_ path: String) -> String {
    let plain = Array("/-._~".utf8)
    var address = "file:"
    for byte in FileName.bytes(path) {
      let isLetter = (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
      if isLetter || (0x30...0x39).contains(byte) || plain.contains(byte) {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return address + "?immutable=1"
  }

  /// Makes the caller responsible for checkpoints (sqlite.org/wal.html). By default, SQLite checkpoints in
  /// the commit that makes the log a thousand pages long.
  func deferCheckpoints() {
    // The length of the log outlives the connection.
    let log = unsafe Unmanaged.passUnretained(self.log).toOpaque()
    unsafe sqlite3_wal_hook(
      handle,
      { log, _, _, pages in
        if let log = unsafe log {
          unsafe Unmanaged<Log>.fromOpaque(log).takeUnretainedValue().pages = Int(pages)
        }
        return SQLITE_OK
      }, log)
  }

  /// The number of pages in the write-ahead log after the last commit of this connection. Requires
  /// ``deferCheckpoints()``.
  var logPages: Int { log.pages }

  /// Whether the database is read only, regardless of the requested mode, because of file permissions.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Runs statements without results, separated by semicolons.
  func execute(_ sql: String) throws(TrackError) {
    budget.renew()
    let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if status != SQLITE_OK { throw failure(status) }
  }

  /// Runs a statement again while another process has a lock that SQLite does not wait for, such as when two
  /// processes change the journal mode.
  ///
  /// - Parameter milliseconds: the longest time to wait.
  func executeWaiting(_ sql: String, milliseconds: Int32) throws(TrackError) {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      do throws(TrackError) { return try execute(sql) } catch {
        guard error.code == .unwritable, ContinuousClock.now < deadline else { throw error }
        _ = sqlite3_sleep(10)
      }
    }
  }

  func prepare(_ sql: String) throws(TrackError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement = unsafe statement else { throw failure(status) }
    return unsafe SQLiteStatement(statement, of: self)
  }

  /// Runs one statement and returns all its rows.
  func rows(_ sql: String, _ parameters: [SQLiteValue] = []) throws(TrackError) -> [[SQLiteValue]] {
    try prepare(sql).rows(parameters)
  }

  /// Runs one statement and returns its first integer, or `nil` for null or no row.
  func integer(_ sql: String, _ parameters: [SQLiteValue] = []) throws(TrackError) -> Int64? {
    guard case .integer(let value) = try rows(sql, parameters).first?.first else { return nil }
    return value
  }

  /// Runs `body` as a transaction.
  func transaction<Result>(_ body: () throws(TrackError) -> Result) throws(TrackError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(TrackError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// The id of the last inserted row.
  var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
  /// The number of rows that the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// Defines a deterministic SQL function of one non-null blob.
  func define(_ name: String, _ function: SQLiteBlobFunction) throws(TrackError) {
    let context = unsafe Unmanaged.passRetained(function)
    let status = unsafe sqlite3_create_function_v2(
      handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, context.toOpaque(),
      { context, count, values in
        guard count == 1, let value = unsafe values?.pointee, unsafe sqlite3_value_type(value) == SQLITE_BLOB,
          let user = unsafe sqlite3_user_data(context)
        else { return unsafe sqlite3_result_null(context) }
        let function = unsafe Unmanaged<SQLiteBlobFunction>.fromOpaque(user).takeUnretainedValue()
        let bytes = unsafe SQLiteStatement.bytes(sqlite3_value_blob(value), sqlite3_value_bytes(value))
        switch function.body(bytes) {
        case .real(let number): unsafe sqlite3_result_double(context, number)
        case .integer(let number): unsafe sqlite3_result_int64(context, number)
        default: unsafe sqlite3_result_null(context)
        }
      }, nil, nil,
      { function in
        if let function = unsafe function {
          unsafe Unmanaged<SQLiteBlobFunction>.fromOpaque(function).release()
        }
      })
    if status != SQLITE_OK { throw failure(status) }
  }

  /// Returns the error of the last call.
  func failure(_ status: Int32) -> TrackError {
    SQLiteDatabase.error(
      status, unsafe String(cString: sqlite3_errmsg(handle)), path, unsafe sqlite3_system_errno(handle))
  }

  private static func error(
    _ status: Int32, _ reason: String, _ path: String, _ systemError: Int32
  ) -> TrackError {
    // A full disk has a different error code for the index of the log.
    let isFull = status & 0xFF == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(systemError)
    return switch isFull ? SQLITE_FULL : status & 0xFF {
    case SQLITE_CANTOPEN where LibraryFile.isMissing(path):
      TrackError(
        .notFound, "no such file", file: path,
        suggestion: .checkPathOrCreateLibrary)
    case SQLITE_CANTOPEN:
      TrackError(
        .notFound, "cannot be opened", file: path,
        suggestion: .text("check the path and its permissions"))
    case SQLITE_NOTADB:
      TrackError(
        .unknownFormat, "not a library of drives", file: path,
        suggestion: .useLibrary)
    // A missing table or column, or a view in place of a table, is an error of the statement.
    case SQLITE_CORRUPT, SQLITE_ERROR:
      TrackError(
        .malformed, "the library is damaged: \(reason)", file: path,
        suggestion: .checkLibrary)
    case SQLITE_BUSY, SQLITE_LOCKED:
      TrackError(
        .unwritable, "another program is writing to the library", file: path,
        suggestion: .text("try again when it has finished"))
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      TrackError(
        .notCreatable, "the library cannot be written to", file: path,
        suggestion: .text("check the permissions of the file and its folder"))
    case SQLITE_FULL:
      TrackError(
        .noSpace, "the disk is full", file: path,
        suggestion: .makeRoomAndRepeat)
    case SQLITE_IOERR:
      TrackError(
        .unwritable, systemError == 0 ? reason : "\(reason): \(TrackError.systemMessage(systemError))",
        file: path,
        suggestion: .text("check the disk and its limits; the library has what it had before"))
    case SQLITE_INTERRUPT:
      TrackError(
        .limitExceeded, "a statement takes more steps than the size of the library explains", file: path,
        suggestion: .checkLibrary)
    case SQLITE_TOOBIG:
      TrackError(
        .limitExceeded, "a value is longer than the library allows", file: path, suggestion: .checkLibrary)
    default: TrackError(.malformed, "SQLite error: \(reason)", file: path)
    }
  }
}

/// An SQL function of a blob.
final class SQLiteBlobFunction: Sendable {
  let body: @Sendable ([UInt8]) -> SQLiteValue

  init(_ body: @escaping @Sendable ([UInt8]) -> SQLiteValue) { self.body = body }
}

/// A prepared statement.
@safe
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let database: SQLiteDatabase

  fileprivate init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Resets the statement and binds its parameters in order.
  func bind(_ values: [SQLiteValue]) throws(TrackError) {
    database.renewBudget()
    database.allowLength(values.reduce(0) { $0 + $1.size })
    unsafe sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      let number = Int32(index + 1)
      // SQLite copies the value.
      let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      let status: Int32
      switch value {
      case .null: status = unsafe sqlite3_bind_null(handle, number)
      case .integer(let integer): status = unsafe sqlite3_bind_int64(handle, number, integer)
      case .real(let real): status = unsafe sqlite3_bind_double(handle, number, real)
      case .text(let text):
        status = unsafe sqlite3_bind_text(
          // A character U+0000 does not end it.
          handle, number, text, Int32(clamping: text.utf8.count), transient)
      case .blob(let bytes):
        status = unsafe bytes.withUnsafeBytes { bytes in
          // A null pointer would bind null instead of an empty blob.
          unsafe bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, number, 0)
            : sqlite3_bind_blob64(handle, number, bytes.baseAddress, UInt64(bytes.count), transient)
        }
      }
      if status != SQLITE_OK { throw database.failure(status) }
    }
  }

  /// - Returns: whether there is another row.
  func step() throws(TrackError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      unsafe sqlite3_reset(handle)
      return false
    case let status:
      let failure = database.failure(status)
      unsafe sqlite3_reset(handle)
      throw failure
    }
  }

  /// Runs a statement without results.
  func run(_ values: [SQLiteValue]) throws(TrackError) {
    try bind(values)
    while try step() {}
  }

  /// Runs the statement and returns all its rows.
  func rows(_ values: [SQLiteValue] = []) throws(TrackError) -> [[SQLiteValue]] {
    try bind(values)
    var rows: [[SQLiteValue]] = []
    while try step() { rows.append(row) }
    return rows
  }

  private var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  /// The columns of the current row.
  var row: [SQLiteValue] { (0..<columnCount).map(column) }

  private func column(_ index: Int32) -> SQLiteValue {
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      guard let text = unsafe sqlite3_column_text(handle, index) else { return .null }
      let count = Int(unsafe sqlite3_column_bytes(handle, index))
      return .text(unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      return .blob(
        unsafe SQLiteStatement.bytes(sqlite3_column_blob(handle, index), sqlite3_column_bytes(handle, index)))
    default: return .null
    }
  }

  @unsafe
  fileprivate static func bytes(_ start: UnsafeRawPointer?, _ count: Int32) -> [UInt8] {
    guard let start = unsafe start, count > 0 else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}
