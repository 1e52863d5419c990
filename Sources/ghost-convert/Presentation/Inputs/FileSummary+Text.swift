import BulkImport
import TrackModel

extension FileSummary {
  /// Whether the pauses between segments are visible in the formatted duration.
  private var hasPauses: Bool { Text.clock(movingTime) != Text.clock(duration) }

  /// The object of `info --json`.
  var json: JSONValue { .object(members) }

  /// The members of the object, for objects with additional members.
  var members: [(String, JSONValue)] {
    [
      ("source", .string(file)), ("format", .string(format)), ("name", .optional(info.name)),
      ("creator", .optional(info.creator)), ("tracks", .integer(tracks)), ("segments", .integer(segments)),
      ("trackpoints", .integer(trackpoints)), ("waypoints", .integer(waypoints)),
      ("routes", .integer(routes)), ("routepoints", .integer(routepoints)), ("first", .position(first)),
      ("last", .position(last)), ("first_time", .time(firstTime)), ("last_time", .time(lastTime)),
      ("timed_points", .integer(timedPoints)),
      ("duration_s", drives > 0 ? .number(duration) : .null),
      ("distance_m", drives > 0 ? .number((distance * 1000).rounded() / 1000) : .null),
      ("moving_s", drives > 0 ? .number(movingTime) : .null),
      ("kinds", .array(activities.kinds.map { .string($0) })), ("laps", .integer(activities.laps)),
      ("timer_s", activities.timerTime.map { .number($0) } ?? .null),
      ("channels", .array(channels.channels.map { .string("\($0)") })),
      (
        "extra_channels",
        .array(
          extraChannels.map {
            .object([("name", .string($0.name)), ("unit", .optional($0.unit))])
          })
      ),
      ("warnings", .warnings(warnings)),
    ]
  }

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
    if !activities.kinds.isEmpty { line("kind", activities.kinds.joined(separator: ", ")) }
    if activities.laps > 0 {
      line(
        "laps",
        "\(activities.laps)"
          + (activities.timerTime.map { ", timer running for \(Text.clock($0))" } ?? ""))
    }
    if waypoints > 0 { line("waypoints", "\(waypoints)") }
    if routes > 0 { line("routes", "\(routes) with \(Counted.of(routepoints, "point"))") }
    if let firstTime, let lastTime {
      line("time", "\(LocalTime.text(firstTime)) to \(LocalTime.text(lastTime))")
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
