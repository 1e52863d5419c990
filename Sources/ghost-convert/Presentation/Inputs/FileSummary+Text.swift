import BulkImport
import GhostExport
import TrackModel

extension FileSummary {
  /// Whether the pauses between segments are visible in the formatted duration.
  private var hasPauses: Bool { Text.clock(movingTime) != Text.clock(duration) }

  /// The number of tracks that the text lists.
  private static let mostShown = 10

  /// The summary as text.
  var text: String {
    var lines = [Diagnostic.singleLine("\(file): \(format)" + (info.name.map { ", \($0)" } ?? ""))]
    func line(_ title: String, _ text: String) {
      lines.append("  " + title.padded(to: 10) + Diagnostic.singleLine(text))
    }
    if let creator = info.creator { line("creator", creator) }
    line(
      "tracks",
      "\(tracks) with \(Counted.of(segments, "segment")) and \(Counted.of(trackpoints, "trackpoint"))")
    if numbered > 1 {
      for track in listedTracks.prefix(Self.mostShown) {
        let time = track.duration.map { Text.clock($0) } ?? "no drive"
        line(
          "",
          "\(track.number)  \(time), \(Text.distance(track.distance))" + (track.name.map { "  \($0)" } ?? ""))
      }
      if numbered > Self.mostShown { line("", "and \(numbered - Self.mostShown) more") }
    }
    if !activities.kinds.isEmpty { line("kind", activities.kinds.joined(separator: ", ")) }
    if activities.laps > 0 {
      line(
        "laps",
        "\(activities.laps)"
          + (activities.timerTime.map { ", timer running for \(Text.clock($0))" } ?? ""))
    }
    if waypoints > 0 { line("waypoints", "\(waypoints)") }
    if routes > 0 { line("routes", "\(routes) with \(Counted.of(routepoints, "point"))") }
    if let times {
      line("time", "\(LocalTime.text(times.first)) to \(LocalTime.text(times.last))")
      if timedPoints < trackpoints {
        line("", "\(trackpoints - timedPoints) trackpoints without times")
      }
    } else if trackpoints > 0 {
      line("time", artificialTimes > 0 ? "no start time" : "none")
    }
    if !channels.isEmpty { line("sensors", channels.channels.map(\.title).joined(separator: ", ")) }
    if !extraChannels.isEmpty { line("channels", extraChannels.map(\.heading).joined(separator: ", ")) }
    if drives > 0 {
      line(
        "as drive",
        "\(Text.clock(duration)), \(Text.distance(distance))" + (drives > 1 ? " in \(drives) drives" : "")
          + (hasPauses ? "; \(Text.clock(movingTime)) excluding pauses" : ""))
    } else {
      line("as drive", "none" + (driveFault.map { ": \($0.message)" } ?? ""))
    }
    return lines.joined(separator: "\n")
  }
}
