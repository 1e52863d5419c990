/// Limits the steps of SQLite's virtual machine that one statement may take, so that a trigger or a computed
/// column of an untrusted file cannot run endlessly.
///
/// The limit grows with the file: all statements of a library take time proportional to the rows they read.
final class StepBudget {
  /// The number of steps between two calls of ``spend()``.
  static let interval = 100_000
  /// The number of steps for an empty library: a few tenths of a second.
  private static let base = 20_000_000
  /// The number of steps for each byte of the file. A row of 100 bytes takes about 50 steps in the most
  /// expensive statement.
  private static let stepsPerByte = 20

  private let path: String
  private var limit = base
  private var spent = 0

  init(_ path: String) { self.path = path }

  /// Gives the next statement the whole budget.
  func renew() { spent = 0 }

  /// Counts ``interval`` more steps.
  ///
  /// - Returns: false if the statement has used up its budget.
  func spend() -> Bool {
    spent += Self.interval
    if spent > limit { limit = Self.base + Self.stepsPerByte * LibraryFile.size(path) }
    return spent <= limit
  }
}
