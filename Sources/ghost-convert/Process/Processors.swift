import CommandLineParsing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How much can be done at the same time.
enum Processors {
  /// How many processors the system has, at least 1.
  static var count: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }

  /// Reads a number of jobs from the command line.
  static func jobs(_ text: String) throws(InvalidValue) -> Int {
    guard let jobs = Int(text), (1...256).contains(jobs) else {
      throw InvalidValue("expected a whole number from 1 to 256")
    }
    return jobs
  }
}
