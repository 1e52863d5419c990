public import TrackModel

/// A file that holds other files, written one after the other.
public protocol FileContainer: AnyObject {
  /// Begins a file; the one before it ends.
  func beginEntry(_ name: String) throws(TrackError)
  /// Writes the next bytes of the file that was begun last.
  func write(_ bytes: Span<UInt8>) throws(TrackError)
  /// Ends the last file and the container.
  func finish() throws(TrackError)
  /// What was written to memory; empty for other targets, and before ``finish()``.
  var bytes: [UInt8] { get }
}
