/// The identity of a regular file, by device and inode: equal for every path that leads to the file, through
/// symbolic links, hard links and other spellings.
public struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// Creates the identity of the file at a path, or returns nil if there is no regular file. `-` refers to
  /// the file that standard input is redirected from.
  public init?(path: String) {
    guard let identity = FileDescriptor.identity(at: path == "-" ? "/dev/stdin" : path) else { return nil }
    self = identity
  }
}
