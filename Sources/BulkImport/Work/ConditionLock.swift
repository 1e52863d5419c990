import Dispatch
import Synchronization

/// The kinds of threads that wait for state changes of a ``ConditionLock``.
struct LockConditions: OptionSet {
  let rawValue: UInt8

  static let producer = LockConditions(rawValue: 1)
  /// One worker thread. A worker that finds more work wakes the next one.
  static let worker = LockConditions(rawValue: 2)
  static let consumer = LockConditions(rawValue: 4)
  /// All threads that wait for their turn.
  static let turn = LockConditions(rawValue: 8)
  static let everyone: LockConditions = [.producer, .worker, .consumer, .turn]

  /// The number of kinds.
  static let count = 4
  /// The index of the kind.
  var index: Int { rawValue.trailingZeroBitCount }
}

/// The state of a ``ConditionLock``. Names the waiters affected by a change, because waking a thread
/// needlessly costs two context switches.
protocol ConditionLockState: Sendable {
  var woken: LockConditions { get set }
}

/// A state that threads share and can wait for: a mutex, and a semaphore for each waiting thread.
final class ConditionLock<State: ConditionLockState>: Sendable {
  private struct Shared: Sendable {
    var state: State
    /// The waiting threads by the index of ``LockConditions``, the longest waiting first.
    var waiting = [[DispatchSemaphore]](repeating: [], count: LockConditions.count)
    /// Unused semaphores for later waits.
    var spare: [DispatchSemaphore] = []

    /// Removes and returns the threads to wake.
    mutating func takeWoken() -> [DispatchSemaphore] {
      let woken = state.woken
      guard !woken.isEmpty else { return [] }
      state.woken = []
      var result: [DispatchSemaphore] = []
      for index in 0..<LockConditions.count
      where woken.rawValue >> UInt8(index) & 1 == 1 && !waiting[index].isEmpty {
        if woken != .everyone, index == LockConditions.worker.index {
          result.append(waiting[index].removeFirst())
        } else {
          result += waiting[index]
          waiting[index] = []
        }
      }
      return result
    }
  }

  private let shared: Mutex<Shared>

  init(_ state: State) { shared = Mutex(Shared(state: state)) }

  /// Changes the state and wakes the threads that it names.
  func change(_ body: (inout State) -> Void) { locked { body(&$0.state) } }

  /// Waits until `body` returns a value. It may change the state.
  func wait<Result: Sendable>(as waiter: LockConditions, _ body: (inout State) -> Result?) -> Result {
    while true {
      if let result = wait(as: waiter, until: .distantFuture, body) { return result }
    }
  }

  /// Waits until `body` returns a value, or returns nil after `milliseconds`.
  func wait<Result: Sendable>(
    as waiter: LockConditions, milliseconds: Int, _ body: (inout State) -> Result?
  ) -> Result? {
    wait(as: waiter, until: .now() + .milliseconds(milliseconds), body)
  }

  private func wait<Result: Sendable>(
    as waiter: LockConditions, until deadline: DispatchTime, _ body: (inout State) -> Result?
  ) -> Result? {
    var semaphore: DispatchSemaphore?
    while true {
      let result = locked { shared -> Result? in
        if let result = body(&shared.state) {
          if let semaphore { shared.spare.append(semaphore) }
          return result
        }
        let waiting = semaphore ?? shared.spare.popLast() ?? DispatchSemaphore(value: 0)
        semaphore = waiting
        shared.waiting[waiter.index].append(waiting)
        return nil
      }
      guard result == nil, let semaphore else { return result }
      guard semaphore.wait(timeout: deadline) == .timedOut else { continue }
      let isWoken = locked { shared in
        guard let index = shared.waiting[waiter.index].firstIndex(where: { $0 === semaphore }) else {
          return true
        }
        shared.waiting[waiter.index].remove(at: index)
        return false
      }
      guard isWoken else { return nil }
      // The thread was woken just after the timeout: the signal must be consumed.
      semaphore.wait()
    }
  }

  private func locked<Result: Sendable>(_ body: (inout Shared) -> Result) -> Result {
    let (result, woken) = shared.withLock { shared in (body(&shared), shared.takeWoken()) }
    for semaphore in woken { semaphore.signal() }
    return result
  }
}
