import CFileSystem
package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The disk: reserving space for the output, and waiting until it is stored.
extension FileDescriptor {
  /// Reserves space for bytes that will be written, without changing the size of the file.
  ///
  /// The system copies bytes into reserved space in two thirds of the time, because it need not account for
  /// each page.
  ///
  /// - Returns: false if the space is not reserved: the file system does not support it or has too little
  ///   space, or the system is not Linux.
  func reserve(_ count: Int, at offset: Int) -> Bool {
    #if os(Linux)
      // FALLOC_FL_KEEP_SIZE, a macro that Swift does not import.
      let keepSize: Int32 = 1
      return FileDescriptor.retrying {
        SystemFaults.attempt(.reserve) { fallocate(descriptor, keepSize, off_t(offset), off_t(count)) }
      } == 0
    #else
      return false
    #endif
  }

  /// Returns reserved space after the end of the file to the file system.
  func releaseReserve() {
    // Truncating to the same size frees the space. If it fails, the file is complete but occupies more space.
    if let size { try? truncate(to: size) }
  }

  /// Reports errors of writing that the system delays until the file is closed, as network file systems do
  /// when a quota is exceeded.
  func checkClosing() throws(TrackError) {
    // The system checks whenever a descriptor of the file is closed.
    let copy = FileDescriptor.retrying { dup(descriptor) }
    guard copy >= 0 else { return }
    if SystemFaults.attempt(.close, { close(copy) }) < 0, errno != EINTR {
      throw FileDescriptor.unwritable(name)
    }
  }

  /// Waits until the bytes written so far are on the disk.
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
