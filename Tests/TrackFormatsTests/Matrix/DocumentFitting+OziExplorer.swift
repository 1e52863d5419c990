import TrackModel

extension TrackDocument {
  /// Changes tracks and waypoints to those that files of OziExplorer can store.
  mutating func roundToOziExplorer() {
    func line(_ text: String?) -> String? {
      let line = text.map { String($0.map { $0.isNewline || $0 == "Ñ" ? "n" : $0 }) }
      return line?.trimmingPrefix { $0 == " " }.isEmpty == true ? nil : line
    }
    func rounded(_ point: Waypoint) -> Waypoint {
      var point = point
      point.values[.elevation] = point.values[.elevation].map {
        ($0 * 1000).rounded() / 1000
      }
      point.time = point.time.flatMap { time in
        guard time.microseconds > -2_200_000_000_000_000, time.microseconds != 0 else { return nil }
        let milliseconds = (Double(time.microseconds) / 1000).rounded()
        return Instant(microseconds: Int64(milliseconds) * 1000)
      }
      return point
    }
    for index in tracks.indices {
      var style = tracks[index].info.style ?? LineStyle()
      style.color = style.color ?? TrackColor(red: 255, green: 0, blue: 0)
      style.width = min(max((style.width ?? 2).rounded(), 1), 99)
      tracks[index].info.style = style
      tracks[index].info.name = line(tracks[index].info.name)
      for segment in tracks[index].segments.indices {
        let points = tracks[index].segments[segment].points.waypoints
        tracks[index].segments[segment].points = PointColumns(points.map(rounded))
      }
    }
    waypoints = waypoints.map(rounded)
    for index in waypoints.indices {
      waypoints[index].details.name = line(waypoints[index].details.name)
      waypoints[index].details.description = line(waypoints[index].details.description)
    }
  }
}
