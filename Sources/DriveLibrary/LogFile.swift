#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The write-ahead log beside a library.
enum LogFile {
  /// Whether there is one with changes that are not in the library's file yet.
  static func hasContent(ofDatabase path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path + "-wal", &status) == 0 else { return false }
    return status.st_size > 0
  }
}
