#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Returns the processor time that the calling thread spends in a function. Unlike elapsed time, it does
/// not depend on other tests and programs.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
  let began = threadTime()
  try body()
  return threadTime() - began
}

private func threadTime() -> Duration {
  var time = timespec()
  guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
