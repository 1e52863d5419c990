import TrackModel

extension TrackDocument {
  /// Changes the trackpoints to those that an IGC file can store.
  mutating func roundToIGC() {
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
          if abs(place.latitude) < 1e-3, abs(place.longitude) < 1e-3 {
            points[row].coordinate = Coordinate(latitude: 1, longitude: 1)
          }
          points[row].values[.elevation] = points[row].values[.elevation].map {
            min(max($0.rounded(), -9999), 99_999)
          }
          var time = points[row].time ?? Instant(microseconds: 1_700_000_000_000_000)
          if time.secondsSince1970 < 315_532_800 || time.secondsSince1970 >= 3_471_292_800 {
            time = Instant(microseconds: 1_700_000_000_000_000)
          }
          time = Instant(microseconds: Int64((Double(time.microseconds) / 1000).rounded()) * 1000)
          if let previous = last, abs(time.seconds(since: previous)) > 12 * 3600 {
            time = previous.advanced(bySeconds: 1) ?? time
          }
          points[row].time = time
          last = time
        }
        tracks[index].segments[segment].points = PointColumns(points)
      }
    }
  }
}
