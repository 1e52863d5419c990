public import GhostModel
import TrackModel

extension TrackFile {
  /// The tracks and routes of a file, each delivered when it has been read.
  ///
  /// Reading runs outside the caller's actor. A cancelled task gets a `CancellationError`.
  ///
  /// ```swift
  /// var points = 0
  /// for try await recording in TrackFile(url).recordings { points += recording.count }
  /// ```
  public var recordings: Recordings { Recordings(file: self) }

  /// The recordings of a file as an asynchronous sequence. Each iteration reads the file from its start;
  /// only one recording at a time is in memory.
  public struct Recordings: AsyncSequence, Sendable {
    let file: TrackFile

    public func makeAsyncIterator() -> Iterator { Iterator(source: RecordingSource(file)) }

    /// Reads a file from its start, one recording at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let source: RecordingSource

      /// Returns the next recording, or nil at the end.
      ///
      /// - Throws: `TrackError` or `CancellationError`.
      public mutating func next() async throws -> Recording? { try await source.next() }
    }
  }
}

/// Reads on its own executor.
actor RecordingSource {
  private let cursor: RecordingCursor

  init(_ file: TrackFile) { cursor = RecordingCursor(file) { Task.isCancelled } }

  func next() throws -> Recording? {
    let recording = try cursor.next()
    try Task.checkCancellation()
    return recording
  }
}
