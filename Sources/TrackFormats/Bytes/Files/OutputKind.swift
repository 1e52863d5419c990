package import TrackModel

/// The kind of file at an output path, following links. Check it before doing expensive work.
package enum OutputKind: Sendable, Hashable {
  case nothing
  case file
  case folder
  /// A device, a pipe, a socket.
  case other

  /// - Throws: `notCreatable` for an empty path, or if links form a cycle.
  package init(_ path: String) throws(TrackError) {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the name of the output is empty") }
    switch FileDescriptor.kind(at: try FileDescriptor.resolved(path)) {
    case nil: self = .nothing
    case .regular: self = .file
    case .folder: self = .folder
    case .other: self = .other
    }
  }
}
