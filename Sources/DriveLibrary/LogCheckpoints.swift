import Dispatch
import TrackModel

/// Folds the write-ahead log of a library into it through a connection and on a thread of its own, while the
/// library's connection goes on writing to the log: the two take about as long.
///
/// Where that cannot be, nothing is lost: the log stays until somebody else folds it in.
final class LogCheckpoints {
  /// A connection that only tasks on the queue use, one after the other.
  private final class Connection: @unchecked Sendable {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    /// Folds in what is committed, as far as no reader needs what the library was before. What fails here
    /// fails again, and is said, at the end of the import.
    func checkpoint() { _ = try? database.rows("PRAGMA wal_checkpoint(PASSIVE)") }

    func close() { database.close() }
  }

  private let connection: Connection
  private let queue = DispatchQueue(label: "ghost-convert.checkpoints")

  /// - Throws: what opening the library does.
  init(library path: String) throws(TrackError) {
    connection = Connection(try SQLiteDatabase(path: path, mode: .writing))
  }

  deinit { end() }

  /// Begins with what is in the log by now; does not wait.
  func begin() { queue.async { [connection] in connection.checkpoint() } }

  /// Folds in all that is in the log by now: where no other program reads, the next transaction begins the
  /// log anew.
  func catchUp() { queue.sync { connection.checkpoint() } }

  /// Waits for what has begun, and lets go of the library.
  func end() { queue.sync { connection.close() } }
}
