#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How long the calling thread computes for a function: what other tests and programs do at the same time
/// counts for nothing, unlike time on a clock.
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
