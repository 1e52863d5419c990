public import TrackModel

/// A file that is written and has not yet taken its place, so that who has written it can still decide against it.
///
/// ```swift
/// let held = HeldOutput()
/// var writer = GPXWriter(try ByteSink(path: path, held: held))
/// …
/// try writer.finish()
/// if writer.losses.isEmpty { try held.keep() }
/// ```
///
/// What is not kept is removed with its owner. A stream cannot be held: it is gone when it is written.
public final class HeldOutput {
  private var file: (temporary: String, final: String)?

  public init() {}

  deinit { if let file { FileDescriptor.remove(file.temporary) } }

  /// Takes over a file that is whole and on the disk.
  func take(_ temporary: String, for final: String) { file = (temporary, final) }

  /// Lets the file take its place.
  public func keep() throws(TrackError) {
    guard let file else { return }
    try FileDescriptor.rename(file.temporary, to: file.final)
    self.file = nil
  }
}
