import TrackModel

/// The starts and stops of the timer between the segments of a track, which activities have and courses lack.
///
/// A reader may know the laps of a track only after its points, when these have been written as a course.
/// With these messages, their bytes are those of an activity.
struct FITTimerEvents {
  /// The loss of activities whose segments overlap.
  static let overlap = "segments that start before the previous one ends (split elsewhere)"

  /// The number of segments that start before the previous one ends.
  var overlaps = 0
  /// The positions of the messages in the bytes of the course, ascending.
  private var offsets: [Int] = []
  /// The messages, which have the same size.
  private var bytes: [UInt8] = []

  /// Adds a message.
  ///
  /// - Parameter offset: the number of bytes of the course before the message.
  mutating func append(_ event: FITMessageBytes, at offset: Int) {
    offsets.append(offset)
    bytes += event.message
  }

  /// Moves the bytes of a course to a spool, with the messages between them.
  func drain(_ course: inout Spool, into spool: inout Spool) throws(TrackError) {
    let size = offsets.isEmpty ? 0 : bytes.count / offsets.count
    var event = 0
    var passed = 0
    try course.drain { piece throws(TrackError) in
      var start = 0
      while event < offsets.count, offsets[event] - passed <= piece.count {
        let end = offsets[event] - passed
        spool.buffer.append(contentsOf: piece.extracting(start..<end))
        spool.buffer.append(contentsOf: bytes.span.extracting(event * size..<(event + 1) * size))
        start = end
        event += 1
      }
      spool.buffer.append(contentsOf: piece.extracting(start..<piece.count))
      passed += piece.count
      try spool.flush()
    }
  }
}
