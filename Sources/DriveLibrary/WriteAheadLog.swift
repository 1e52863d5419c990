import CFileSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The write-ahead log beside a library.
final class WriteAheadLog {
  private let descriptor: Int32

  /// Nil where there is none.
  init?(ofLibrary path: String) {
    descriptor = unsafe open(path + "-wal", O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  // SQLite locks the library and the index of the log, so that closing this takes no lock of its away.
  deinit { close(descriptor) }

  /// Lets the disk begin with what was written, so that SQLite has less to wait for when it folds the log into the library;
  /// only a hint, where the system takes it.
  func beginSynchronizing() {
    #if os(Linux)
      // SYNC_FILE_RANGE_WRITE, to the end of the file.
      _ = sync_file_range(descriptor, 0, 0, 2)
    #endif
  }
}
