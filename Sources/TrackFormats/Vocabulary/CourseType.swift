import TrackModel

extension TrackInfo {
  /// The type of a track that is a course to follow, in TCX and FIT.
  static let courseType = "Course"
}
