import CFileSystem
package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waiting for the disk.
extension FileDescriptor {
  /// Lets the disk begin with bytes that were written, so that ``synchronize()`` has less to wait for; only a
  /// hint, where the system takes it.
  package func beginSynchronizing(from offset: Int, count: Int) {
    #if os(Linux)
      // Pages that are not needed are written, and dropped from memory after that.
      _ = posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
    #endif
  }

  /// Waits until the bytes are on the disk.
  package func synchronize() throws(TrackError) {
    // A file system that has no such thing says EINVAL; that is no failure to write.
    if FileDescriptor.retrying({ fsync(descriptor) }) < 0, errno != EINVAL, errno != ENOTSUP {
      throw FileDescriptor.unwritable(name)
    }
  }

  /// Waits until files that were written and closed are on the disk.
  package static func synchronize(_ paths: [String]) throws(TrackError) {
    #if os(Linux)
      // One call for all files of a file system: each file alone would wait for the journal again.
      if paths.count > 1 {
        var systems: Set<UInt64> = []
        for path in paths {
          var status = stat()
          guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { throw unwritable(path) }
          guard systems.insert(UInt64(status.st_dev)).inserted else { continue }
          let file = try reading(path)
          if retrying({ syncfs(file.descriptor) }) < 0 { throw unwritable(path) }
        }
        return
      }
    #endif
    for path in paths { try reading(path).synchronize() }
  }
}
