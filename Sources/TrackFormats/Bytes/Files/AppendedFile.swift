package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file to which complete records are appended: a journal. Each record is on disk when the call returns.
///
/// A crash can truncate only the last record. While the writing process runs, other programs can detect that
/// the file is in use (``isInUse(_:)``).
package final class AppendedFile: Sendable {
  package let path: String
  private let file: FileDescriptor

  /// Creates a new file.
  ///
  /// - Throws: `notCreatable` if the path exists, or the file cannot be created.
  package init(new path: String) throws(TrackError) {
    self.path = path
    file = try FileDescriptor.appending(path)
    guard file.claim() else { throw TrackError(.notCreatable, "is in use by another program", file: path) }
  }

  /// Appends a record and waits until it is on disk. If that fails, the file keeps the earlier records.
  package func append(_ record: [UInt8]) throws(TrackError) {
    let size = file.size
    do throws(TrackError) {
      try file.write(record.span)
      try file.synchronize()
    } catch {
      // Records after an incomplete one could not be read.
      if let size { try? file.truncate(to: size) }
      throw error
    }
  }

  /// Removes the file.
  package func remove() { FileDescriptor.remove(path) }

  /// Returns whether a running program is writing to the file at a path.
  package static func isInUse(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.reading(path) else { return false }
    return !file.claim()
  }

  /// Removes a file that is no longer needed.
  package static func remove(_ path: String) { FileDescriptor.remove(path) }

  /// Returns whether there is a file at a path, following links, and not a folder or a pipe.
  package static func isFile(_ path: String) -> Bool { FileDescriptor.kind(at: path) == .regular }

  /// Returns whether a file or folder exists at a path.
  package static func exists(_ path: String) -> Bool { FileDescriptor.kind(at: path) != nil }
}
