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
