#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A state that threads share, one at a time, and can wait on: a mutex with a condition.
@safe
final class Monitor<State>: @unchecked Sendable {  // Sendable: the state is only reached under the mutex.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  init(_ state: sending State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the state; whoever waits looks at it again.
  func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    locked { body(&state) }
  }

  /// Waits until `body` finds what it wants, which it may then change, or so many milliseconds have passed.
  ///
  /// - Returns: nil where the time was over.
  func wait<Result>(
    milliseconds: Int, _ body: (inout State) -> sending Result?
  ) -> sending Result? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = Int(deadline.tv_nsec) + milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    return locked {
      while true {
        if let result = body(&state) { return result }
        if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return nil }
      }
    }
  }

  /// Waits until `body` finds what it wants, which it may then change.
  func wait<Result>(_ body: (inout State) -> sending Result?) -> sending Result {
    locked {
      while true {
        if let result = body(&state) { return result }
        unsafe pthread_cond_wait(condition, mutex)
      }
    }
  }

  /// Does something under the mutex; whoever waits looks at the state again then.
  private func locked<Result>(_ body: () -> sending Result) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
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
