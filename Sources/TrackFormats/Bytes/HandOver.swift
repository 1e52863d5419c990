import Dispatch
import Synchronization

/// A queue between two threads: one gives values, the other takes them in the same order.
final class HandOver<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var values: [Value] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Counts the values, and one more for the end.
  private let available = DispatchSemaphore(value: 0)

  /// Adds a value; does not wait.
  func give(_ value: Value) {
    state.withLock { $0.values.append(value) }
    available.signal()
  }

  /// Waits for a value and takes it out.
  ///
  /// - Returns: nil once the queue is closed.
  func take() -> Value? {
    available.wait()
    let value = state.withLock { state -> Value? in
      state.isClosed || state.values.isEmpty ? nil : state.values.removeFirst()
    }
    // Whoever asks again does not wait either.
    if value == nil { available.signal() }
    return value
  }

  /// Ends the queue: whoever takes, now or later, gets nil.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.values = []
    }
    available.signal()
  }
}
