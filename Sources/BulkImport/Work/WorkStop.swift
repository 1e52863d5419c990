import Synchronization

/// Stops work from outside, such as from a thread that takes signals.
public final class WorkStop: Sendable {
  private struct State {
    var isRequested = false
    var waiting: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())

  public init() {}

  public var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Stops the work. To be called from any thread, any number of times.
  public func request() {
    let waiting = state.withLock { state in
      state.isRequested = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action() }
  }

  /// Has something done once the stop is requested, at once where it was.
  func whenRequested(_ action: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      if !state.isRequested { state.waiting.append(action) }
      return state.isRequested
    }
    if isRequested { action() }
  }
}
