import Synchronization

/// Stops work from another thread, such as one that handles signals.
public final class WorkStop: Sendable {
  private struct State {
    var isRequested = false
    var waiting: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())

  /// Creates a stop that is not requested yet.
  public init() {}

  /// Whether the stop was requested.
  public var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Stops the work. It may be called from any thread and repeatedly.
  public func request() {
    let waiting = state.withLock { state in
      state.isRequested = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action() }
  }

  /// Performs an action when the stop is requested, or immediately if it has already been requested.
  func whenRequested(_ action: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      if !state.isRequested { state.waiting.append(action) }
      return state.isRequested
    }
    if isRequested { action() }
  }
}
