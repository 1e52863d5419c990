import TrackModel

extension TrackFormat {
  /// The location history of Google in its four JSON formats. Read only.
  public static let timeline = TrackFormat(
    name: "timeline", title: "Google Timeline: Records.json, semantic history, exports of Android and iPhone",
    fileExtensions: [],
    recognizes: { $0.json.isTimeline },
    reading: { input, options in TimelineReader(input, options: options) },
    writing: nil)
}

extension JSONOpening {
  /// Whether the first object looks like one of Google's exports.
  var isTimeline: Bool {
    if isArray {
      return !names.isDisjoint(with: ["startTime", "endTime"])
        && !names.isDisjoint(with: ["visit", "activity", "timelinePath", "timelineMemory"])
    }
    return type == nil && !hasLocationFeatures
      && !names.isDisjoint(with: [
        "locations", "timelineObjects", "semanticSegments", "rawSignals", "timelineEdits",
        "userLocationProfile",
      ])
  }
}
