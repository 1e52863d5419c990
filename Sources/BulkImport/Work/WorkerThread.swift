#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread that runs one function.
@safe
struct WorkerThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// The stack size in bytes. The readers of XML and JSON do not recurse, so the system's minimum would
  /// suffice for most.
  private static let stackSize = 4 << 20

  /// - Returns: nil if the system cannot create more threads.
  init?(_ run: @escaping @Sendable () -> Void) {
    // Allocated, because the type's initializer belongs to whichever C module includes its header first.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    unsafe pthread_attr_init(attributes)
    defer { unsafe pthread_attr_destroy(attributes) }
    unsafe pthread_attr_setstacksize(attributes, WorkerThread.stackSize)
    let body = unsafe Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = unsafe pthread_create(
        &thread, attributes,
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
        &thread, attributes,
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

  /// Waits for the thread to end.
  func join() { pthread_join(thread, nil) }
}
