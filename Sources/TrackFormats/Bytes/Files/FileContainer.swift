public import TrackModel

/// A file that contains other files, written one by one.
public protocol FileContainer: AnyObject {
  /// Begins a file after ending the previous one.
  func beginEntry(_ name: String) throws(TrackError)
  /// Writes the next bytes of the current file.
  func write(_ bytes: Span<UInt8>) throws(TrackError)
  /// Ends the last file and the container.
  func finish() throws(TrackError)
  /// The output in memory; empty for other targets, and before ``finish()``.
  var bytes: [UInt8] { get }
}
