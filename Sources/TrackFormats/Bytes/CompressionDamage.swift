import Synchronization
public import TrackModel

/// What turns out to be wrong with the compression around an input while it is read.
public final class CompressionDamage: Sendable {
  private let state = Mutex<TrackError?>(nil)

  package init() {}

  /// Nil where nothing was wrong so far.
  public var error: TrackError? { state.withLock { $0 } }

  package func set(_ error: TrackError) { state.withLock { $0 = $0 ?? error } }
}
