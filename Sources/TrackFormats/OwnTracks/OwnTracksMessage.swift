import TrackModel

/// A message of OwnTracks. Source: the project's description of its JSON.
struct OwnTracksMessage {
  private var type: String?
  private var values: [Field: Double] = [:]
  private var name: String?
  /// The change at the border of a region: `enter` or `leave`.
  private var transition: String?
  /// The regions in a list of them.
  private(set) var waypoints: [OwnTracksMessage] = []

  private enum Field: String {
    case latitude = "lat", longitude = "lon"
    /// The time of the fix in seconds since 1970. Messages arrive late and in bursts.
    case time = "tst"
    case altitude = "alt", accuracy = "acc", verticalAccuracy = "vac"
    /// In kilometres per hour.
    case velocity = "vel"
    case course = "cog"
  }

  /// Reads the value of a member. Numbers may be texts.
  mutating func read(_ member: String, _ lexer: inout JSONLexer) throws(TrackError) {
    switch member {
    case "_type": type = try lexer.stringOrNothing()
    case "waypoints" where type != "waypoint":
      guard try lexer.enterArray() else { return }
      while try lexer.nextElement() {
        guard try lexer.enterObject() else { continue }
        var waypoint = OwnTracksMessage()
        waypoint.type = "waypoint"
        while try lexer.nextMember() { try waypoint.read(lexer.text, &lexer) }
        waypoints.append(waypoint)
      }
    case "desc": name = try lexer.stringOrNothing()
    case "event": transition = try lexer.stringOrNothing()
    default:
      if let field = Field(rawValue: member) {
        values[field] = try lexer.numberOrNothing()
      } else {
        try lexer.skip()
      }
    }
  }

  /// The position in a location, the region that is described, or the place at which a region was entered or
  /// left; nil for other messages.
  var entry: LogEntry? {
    guard let latitude = values[.latitude], let longitude = values[.longitude],
      case var point = LogPoint(latitude: latitude, longitude: longitude), point.isValid
    else { return nil }
    let time = values[.time].flatMap(JSONTime.sinceEpoch)
    switch type {
    case "location":
      if let time { point.time = time.microseconds }
      // The app writes -1 for unknown elevations.
      point[.elevation] = values[.altitude].flatMap { $0 == -1 ? nil : $0 }
      point[.speed] = known(.velocity).map { $0 / SpeedUnits.kilometresPerHour }
      point[.course] = values[.course].flatMap(Channel.course.known)
      point[.horizontalAccuracy] = known(.accuracy)
      // The apps send 0 if the elevation has no estimate.
      if let accuracy = known(.verticalAccuracy), accuracy > 0 { point[.verticalAccuracy] = accuracy }
      return .point(point)
    case "waypoint", "transition":
      var details = PointDetails(name: name)
      if type == "transition" { details.type = transition }
      return .waypoint(
        Waypoint(
          coordinate: Coordinate(latitude: latitude, longitude: longitude), time: time, details: details))
    default: return nil
    }
  }

  /// Whether the message is a location.
  var isLocation: Bool { type == "location" }
  /// Whether the content of the message is encrypted.
  var isEncrypted: Bool { type == "encrypted" }

  static let encrypted = "encrypted message, skipped"

  /// Returns a value, or nil for the negative numbers that mean "unknown".
  private func known(_ field: Field) -> Double? { values[field].flatMap { $0 >= 0 ? $0 : nil } }
}
