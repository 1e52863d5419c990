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
    var motion: [RecordedMotion] = []
    motion.reserveCapacity(selection.times.count)
    // The selected points are in the order of the recording, with ascending times.
    for segment in recording.segments {
      for row in 0..<segment.count where motion.count < selection.times.count {
        let next = motion.count
        guard segment.times[row] == selection.times[next],
          segment.latitudes[row] == selection.latitudes[next],
          segment.longitudes[row] == selection.longitudes[next]
        else { continue }
        let (speed, course) = (segment.speeds?[row] ?? -1, segment.courses?[row] ?? -1)
        motion.append(RecordedMotion(speed: speed >= 0 ? speed : nil, course: course >= 0 ? course : nil))
      }
    }
    return motion.count == selection.times.count ? motion : nil
  }
}
