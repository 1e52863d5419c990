import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the system says about the files of a library.
enum LibraryFile {
  /// Whether there is a file that can be read.
  static func isReadable(_ path: String) -> Bool {
    unsafe FileName.with(path) { unsafe access($0, R_OK) } == 0
  }

  /// Whether nothing has this name.
  static func isMissing(_ path: String) -> Bool {
    unsafe FileName.with(path) { unsafe access($0, F_OK) } != 0 && errno == ENOENT
  }

  /// Whether there is a write-ahead log beside a library, with changes that are not in the library's file
  /// yet.
  static func hasLog(_ path: String) -> Bool { fileSize(path + "-wal") > 0 }

  /// Bytes of a library and of the write-ahead log beside it.
  static func size(_ path: String) -> Int { fileSize(path) + fileSize(path + "-wal") }

  /// Zero if there is no file.
  private static func fileSize(_ path: String) -> Int {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { return 0 }
    return Int(status.st_size)
  }
}
