public import TrackModel

/// What lies where an output is to be made, links followed; to be asked before anything is spent on it.
public enum OutputPlace: Sendable, Hashable {
  case nothing
  case file
  case folder
  /// A device, a pipe, a socket.
  case other

  /// - Throws: `notCreatable` for an empty path and for links in a circle.
  public init(_ path: String) throws(TrackError) {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the name of the output is empty") }
    switch FileDescriptor.kind(at: try FileDescriptor.resolved(path)) {
    case nil: self = .nothing
    case .regular: self = .file
    case .folder: self = .folder
    case .other: self = .other
    }
  }
}
