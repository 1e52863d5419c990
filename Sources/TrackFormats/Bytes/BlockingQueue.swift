import Dispatch
import Synchronization

/// A first-in, first-out queue between two threads.
final class BlockingQueue<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var values: [Value] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Counts the queued values, plus one for the end.
  private let available = DispatchSemaphore(value: 0)

  /// Adds a value without waiting.
  func give(_ value: Value) {
    state.withLock { $0.values.append(value) }
    available.signal()
  }

  /// Waits for a value and removes it.
  ///
  /// - Returns: nil once the queue is closed.
  func take() -> Value? {
    available.wait()
    let value = state.withLock { state -> Value? in
      state.isClosed || state.values.isEmpty ? nil : state.values.removeFirst()
    }
    // Later calls must not wait either.
    if value == nil { available.signal() }
    return value
  }

  /// Ends the queue: current and later calls of ``take()`` return nil.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.values = []
    }
    available.signal()
  }
}
