import Synchronization
public import TrackModel

/// The record of damage in an input's compression, found while the input is read.
public final class CompressionDamage: Sendable {
  private let state = Mutex<TrackError?>(nil)

  package init() {}

  /// The error, or nil if no damage was found so far.
  public var error: TrackError? { state.withLock { $0 } }

  package func set(_ error: TrackError) { state.withLock { $0 = $0 ?? error } }
}
