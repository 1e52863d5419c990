public import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that grows by whole records, each of which is on the disk when the call returns: a journal.
///
/// What a crash cuts is the last record and nothing before it. As long as it lives, other programs can tell
/// that somebody is still writing (``isInUse(_:)``).
public final class AppendedFile: Sendable {
  public let path: String
  private let file: FileDescriptor

  /// Makes a new file.
  ///
  /// - Throws: `notCreatable` where something is there already, or none can be made.
  public init(new path: String) throws(TrackError) {
    self.path = path
    file = try FileDescriptor.appending(path)
    guard file.claim() else { throw TrackError(.notCreatable, "is taken by another program", file: path) }
  }

  /// Adds a record, and waits until it is on the disk.
  public func append(_ record: [UInt8]) throws(TrackError) {
    try file.write(record.span)
    try file.synchronize()
  }

  /// Removes the file.
  public func remove() { FileDescriptor.remove(path) }

  /// Whether a program that is alive is writing such a file.
  public static func isInUse(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.reading(path) else { return false }
    return !file.claim()
  }

  /// Removes such a file that nobody needs any more.
  public static func remove(_ path: String) { FileDescriptor.remove(path) }

  /// Whether something is there already.
  public static func exists(_ path: String) -> Bool { FileDescriptor.kind(at: path) != nil }
}
