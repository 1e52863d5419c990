import TrackModel

/// The speed and the course that a receiver measured at a point.
public struct RecordedMotion: Sendable, Hashable {
  /// In metres per second, or `nil` if unknown.
  public var speed: Double?
  /// In degrees clockwise from north, or `nil` if unknown.
  public var course: Double?

  /// Creates a motion.
  ///
  /// - Parameters:
  ///   - speed: metres per second, or `nil` if unknown.
  ///   - course: degrees clockwise from north, or `nil` if unknown.
  public init(speed: Double? = nil, course: Double? = nil) {
    self.speed = speed
    self.course = course
  }

  /// Returns the motion of the selected points of a recording, or nil if no speed was recorded.
  static func values(of selection: PointSelection, in recording: Recording) -> [RecordedMotion]? {
    guard selection.isTimed, recording.segments.contains(where: { $0.speeds != nil }) else { return nil }
    return selection.values(in: recording) { segment, row in
      let (speed, course) = (segment.speeds?[row] ?? -1, segment.courses?[row] ?? -1)
      return RecordedMotion(speed: speed >= 0 ? speed : nil, course: course >= 0 ? course : nil)
    }
  }
}
