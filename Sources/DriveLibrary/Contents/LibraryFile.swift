import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Queries about the files of a library.
enum LibraryFile {
  /// Whether the file exists and is readable.
  static func isReadable(_ path: String) -> Bool {
    unsafe FileName.with(path) { unsafe access($0, R_OK) } == 0
  }

  /// Whether no file has this name.
  static func isMissing(_ path: String) -> Bool {
    unsafe FileName.with(path) { unsafe access($0, F_OK) } != 0 && errno == ENOENT
  }

  /// Whether there is something else than a file at a path, such as a folder, a link or a named pipe.
  static func isNoFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe FileName.with(path, { unsafe lstat($0, &status) }) == 0
      && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether a write-ahead log exists, which contains changes that are not in the library's file yet.
  static func hasLog(_ path: String) -> Bool { fileSize(path + "-wal") > 0 }

  /// The bytes of a library and its write-ahead log.
  static func size(_ path: String) -> Int { fileSize(path) + fileSize(path + "-wal") }

  /// Zero if the file does not exist.
  private static func fileSize(_ path: String) -> Int {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { return 0 }
    return Int(status.st_size)
  }
}
