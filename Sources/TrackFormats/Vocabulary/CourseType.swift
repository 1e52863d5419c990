import TrackModel

extension TrackInfo {
  /// What a track is called that is the course to follow, in TCX and FIT.
  static let courseType = "Course"
}
