import CFileSystem
package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The output is being synchronized with the disk.
extension FileDescriptor {
  /// Starts writing bytes to disk, so that ``synchronize()`` takes less time. This is a hint that not every
  /// system supports.
  package func beginSynchronizing(from offset: Int, count: Int) {
    #if os(Linux)
      // Advising that pages are not needed starts their writing. Only written pages are dropped from memory.
      _ = posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
    #endif
  }

  /// Makes writes bypass the system's page cache, or not. Copying new bytes into the cache takes longer than
  /// formatting them.
  ///
  /// Direct writes need addresses, offsets and sizes that are multiples of a block
  /// (``ByteBuffer/alignment``). All others fail with `EINVAL`, as on file systems without direct writes.
  ///
  /// - Returns: whether the system supports it.
  func setDirect(_ isDirect: Bool) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    guard directFlag != 0, flags >= 0 else { return false }
    return fcntl(descriptor, F_SETFL, isDirect ? flags | directFlag : flags & ~directFlag) == 0
  }

  /// Waits until the bytes are on the disk.
  package func synchronize() throws(TrackError) {
    // A file system without this operation returns EINVAL, which is not a write failure.
    if FileDescriptor.retrying({ SystemFaults.attempt(.synchronize) { fsync(descriptor) } }) < 0,
      errno != EINVAL, errno != ENOTSUP
    {
      throw FileDescriptor.unwritable(name)
    }
  }

  /// Waits until files that were written and closed are on disk.
  package static func synchronize(_ paths: [String]) throws(TrackError) {
    #if os(Linux)
      // One call for all files of a file system: separate calls would each wait for the journal.
      if paths.count > 1 {
        var systems: Set<UInt64> = []
        for path in paths {
          var status = stat()
          guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { throw unwritable(path) }
          guard systems.insert(UInt64(status.st_dev)).inserted else { continue }
          let file = try reading(path)
          if retrying({ SystemFaults.attempt(.synchronize) { syncfs(file.descriptor) } }) < 0 {
            throw unwritable(path)
          }
        }
        return
      }
    #endif
    for path in paths { try reading(path).synchronize() }
  }
}
