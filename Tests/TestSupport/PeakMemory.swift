import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The most memory that this process has held so far, in bytes. Meaningful in exit tests, which have a
/// separate process.
public func peakMemory() -> Int {
  #if os(Linux)
    // The system's `ru_maxrss` includes that of the parent process.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  #else
    var usage = rusage()
    return unsafe getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
  #endif
}
