import Synchronization
public import TrackModel

/// The record of damage in an input's compression, found while the input is read.
public final class CompressionDamage: Sendable {
  private struct State {
    var error: TrackError?
    var log = WarningLog()
  }

  private let state = Mutex(State())

  package init() {}

  /// The error that ended the content early, or nil if there was none so far.
  public var error: TrackError? { state.withLock { $0.error } }

  /// The damage found so far, including the ``error``.
  public var warnings: [TrackWarning] { state.withLock { $0.log.warnings } }

  /// Records the error that ends the content.
  ///
  /// - Parameter kept: the content that is still delivered.
  package func set(_ error: TrackError, kept: String) {
    state.withLock { state in
      guard state.error == nil else { return }
      state.error = error
      state.log.add([TrackWarning(.truncated, "\(error.message); \(kept)")])
    }
  }

  /// Counts damage that content was read in spite of.
  package func warn(_ code: TrackWarning.Code, _ message: String) {
    state.withLock { $0.log.add([TrackWarning(code, message)]) }
  }
}
