package import TrackModel

extension FileSummary {
  /// The summary as a JSON object, with names that scripts rely on.
  package var json: JSONValue { .object(members) }

  /// The members of ``json``, for objects with additional members.
  package var members: [(String, JSONValue)] {
    [
      ("source", .string(file)), ("format", .string(format)), ("name", .optional(info.name)),
      ("creator", .optional(info.creator)), ("tracks", .integer(tracks)), ("segments", .integer(segments)),
      ("trackpoints", .integer(trackpoints)), ("waypoints", .integer(waypoints)),
      ("routes", .integer(routes)), ("routepoints", .integer(routepoints)), ("first", .position(first)),
      ("last", .position(last)), ("first_time", .time(firstTime)), ("last_time", .time(lastTime)),
      ("timed_points", .integer(timedPoints)),
      ("duration_s", drives > 0 ? .number(duration) : .null),
      ("distance_m", drives > 0 ? .rounded(distance, 1e3) : .null),
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
      (
        "track_list",
        .array(
          listedTracks.map { track in
            .object([
              ("number", .integer(track.number)), ("name", .optional(track.name)),
              ("points", .integer(track.points)), ("duration_s", track.duration.map { .number($0) } ?? .null),
              ("distance_m", .rounded(track.distance, 1e3)),
            ])
          })
      ),
      ("warnings", .warnings(warnings)),
    ]
  }
}
