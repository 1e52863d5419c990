/// The identity of a regular file, by device and inode: equal for every path that leads to the file, through
/// symbolic links, hard links and other spellings.
public struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The identity of the file at a path; nil if there is no regular file. `-` is the file that standard input
  /// is redirected from.
  public init?(path: String) {
    guard let identity = FileDescriptor.identity(at: path == "-" ? "/dev/stdin" : path) else { return nil }
    self = identity
  }
}
