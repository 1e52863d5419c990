import TrackModel

extension TrackDocument {
  /// Changes the trackpoints to those that a VBO file can store.
  mutating func roundToVBO() {
    for index in tracks.indices {
      for segment in tracks[index].segments.indices {
        var points = tracks[index].segments[segment].points.waypoints
        var last: Instant?
        for row in points.indices {
          let place = points[row].coordinate
          points[row].coordinate = Coordinate(
            latitude: (place.latitude * 1e9).rounded() / 1e9 + 0,
            longitude: (place.longitude * 1e9).rounded() / 1e9 + 0)
          // A position of zeros has no fix.
          if points[row].coordinate == Coordinate(latitude: 0, longitude: 0) {
            points[row].coordinate = Coordinate(latitude: 1, longitude: 1)
          }
          let speed = points[row].values[.speed] ?? 12.5
          points[row].values[.speed] = (speed * 1e5).rounded() / 1e5
          points[row].values[.course] = points[row].values[.course] ?? 90
          points[row].values[.elevation] = points[row].values[.elevation] ?? 100
          let satellites = points[row].values[.satellites] ?? 8
          points[row].values[.satellites] = min(max(satellites.rounded(), 1), 63)
          if let previous = last, let time = points[row].time,
            abs(time.seconds(since: previous)) > 12 * 3600
          {
            points[row].time = previous.advanced(bySeconds: 1)
          }
          last = points[row].time
        }
        tracks[index].segments[segment].points = PointColumns(points)
      }
    }
  }
}
