#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Who waits for a change of a ``Monitor``'s state.
struct Waiters: OptionSet {
  let rawValue: UInt8

  static let producer = Waiters(rawValue: 1)
  /// One of those that work: who finds that there is more to do wakes the next.
  static let worker = Waiters(rawValue: 2)
  static let consumer = Waiters(rawValue: 4)
  /// All that wait for their turn.
  static let turn = Waiters(rawValue: 8)
  static let everyone: Waiters = [.producer, .worker, .consumer, .turn]

  /// How many kinds there are.
  static let count = 4
  /// Which of the kinds this one is.
  var index: Int { rawValue.trailingZeroBitCount }
}

/// What a ``Monitor`` holds: it says who may find what they wait for after a change. A thread that is woken for nothing costs
/// two switches of the processor, so that it is worth saying.
protocol MonitoredState {
  var woken: Waiters { get set }
}

/// A state that threads share, one at a time, and can wait on: a mutex with a condition for each kind of waiter.
@safe
final class Monitor<State: MonitoredState>: @unchecked Sendable {
  // Sendable: the state is only reached under the mutex.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let conditions: UnsafeMutablePointer<pthread_cond_t>
  private var waiting = [Int](repeating: 0, count: Waiters.count)
  private var state: State

  init(_ state: sending State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe conditions = .allocate(capacity: Waiters.count)
    unsafe pthread_mutex_init(mutex, nil)
    for index in 0..<Waiters.count { unsafe pthread_cond_init(conditions + index, nil) }
  }

  deinit {
    for index in 0..<Waiters.count { unsafe pthread_cond_destroy(conditions + index) }
    unsafe pthread_mutex_destroy(mutex)
    unsafe conditions.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the state; whom it wakes looks at it again.
  func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    locked { body(&state) }
  }

  /// Waits until `body` finds what it wants, which it may then change, or so many milliseconds have passed.
  ///
  /// - Returns: nil where the time was over.
  func wait<Result>(
    as waiter: Waiters, milliseconds: Int, _ body: (inout State) -> sending Result?
  ) -> sending Result? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = Int(deadline.tv_nsec) + milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    return locked {
      while true {
        if let result = body(&state) { return result }
        waiting[waiter.index] += 1
        let status = unsafe pthread_cond_timedwait(conditions + waiter.index, mutex, &deadline)
        waiting[waiter.index] -= 1
        if status == ETIMEDOUT { return nil }
      }
    }
  }

  /// Waits until `body` finds what it wants, which it may then change.
  func wait<Result>(as waiter: Waiters, _ body: (inout State) -> sending Result?) -> sending Result {
    locked {
      while true {
        if let result = body(&state) { return result }
        waiting[waiter.index] += 1
        unsafe pthread_cond_wait(conditions + waiter.index, mutex)
        waiting[waiter.index] -= 1
      }
    }
  }

  /// Does something under the mutex, and wakes whom it says.
  private func locked<Result>(_ body: () -> sending Result) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      let woken = state.woken
      state.woken = []
      for index in 0..<Waiters.count where woken.rawValue >> UInt8(index) & 1 == 1 && waiting[index] > 0 {
        if woken != .everyone, index == Waiters.worker.index {
          unsafe pthread_cond_signal(conditions + index)
        } else {
          unsafe pthread_cond_broadcast(conditions + index)
        }
      }
      unsafe pthread_mutex_unlock(mutex)
    }
    return body()
  }
}

/// A thread that runs a function and ends.
@safe
struct WorkerThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// Bytes of stack: the readers of XML and JSON keep their own, the system's least would do for most.
  private static let stackSize = 4 << 20

  /// - Returns: nil where the system has no more threads.
  init?(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, WorkerThread.stackSize)
    let body = unsafe Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = unsafe pthread_create(
        &thread, &attributes,
        { data in
          unsafe Unmanaged<Body>.fromOpaque(data).takeRetainedValue().run()
          return nil
        }, body.toOpaque())
      guard result == 0, let thread = unsafe thread else {
        unsafe body.release()
        return nil
      }
      unsafe self.thread = unsafe thread
    #else
      var thread = pthread_t()
      let result = unsafe pthread_create(
        &thread, &attributes,
        { data in
          if let data = unsafe data { unsafe Unmanaged<Body>.fromOpaque(data).takeRetainedValue().run() }
          return nil
        }, body.toOpaque())
      guard result == 0 else {
        unsafe body.release()
        return nil
      }
      self.thread = thread
    #endif
  }

  /// Waits for its end.
  func join() { pthread_join(thread, nil) }
}
