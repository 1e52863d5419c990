import Dispatch
import TrackModel

/// Checkpoints the write-ahead log of a library on a separate connection and thread, in parallel with
/// writing.
///
/// If a checkpoint fails, nothing is lost, because the log is kept until a later checkpoint.
final class LogCheckpoints {
  /// A connection that is only used by the serial queue.
  private final class Connection: @unchecked Sendable {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    /// Checkpoints committed changes that no reader still needs. Errors are reported by the checkpoint at the
    /// end of the import.
    func checkpoint() { _ = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)") }

    func close() { database.close() }
  }

  private let connection: Connection
  private let queue = DispatchQueue(label: "ghost-convert.checkpoints")

  /// - Throws: the errors of opening the library.
  init(library path: String) throws(TrackError) {
    connection = Connection(try SQLiteDatabase(path: path, mode: .writing))
  }

  deinit { end() }

  /// Starts a checkpoint of the current log without waiting.
  func begin() { queue.async { [connection] in connection.checkpoint() } }

  /// Checkpoints the whole log. If no other program reads, the next transaction restarts it.
  func catchUp() { queue.sync { connection.checkpoint() } }

  /// Waits for running checkpoints and closes the connection.
  func end() { queue.sync { connection.close() } }
}
