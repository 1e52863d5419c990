import TrackModel

/// Adapts documents to FIT, based on the format's units and independent of the writer.
extension TrackDocument {
  /// Moves waypoints to points of the first track, in its order, because FIT's course points have times and
  /// distances along the course and are sorted. Adds a track if it is missing.
  mutating func putWaypointsOnTrack() {
    guard !waypoints.isEmpty else { return }
    if tracks.isEmpty {
      var points = PointColumns()
      for index in 0..<10 {
        points.append(
          Coordinate(latitude: 47 + 0.001 * Double(index), longitude: 8),
          time: Instant(microseconds: 1_600_000_000_000_000 + Int64(index) * 60_000_000))
      }
      tracks = [Track(segments: [Segment(points: points)])]
    }
    guard let points = tracks.first?.segments.first?.points else { return }
    // A track may pass a position repeatedly; the first time is used.
    var seen: Set<String> = []
    let places = points.waypoints.map(\.coordinate).filter { seen.insert("\($0)").inserted }
    guard !places.isEmpty else { return }
    for index in waypoints.indices {
      waypoints[index].coordinate = places[index * places.count / waypoints.count]
    }
  }

  /// Gives each trackpoint a distance, which FIT's records always have.
  mutating func makeDistancesRise() {
    for index in tracks.indices {
      var distance = 0.0
      for segment in tracks[index].segments.indices {
        let points = tracks[index].segments[segment].points.waypoints.map { point in
          // A course starts at 0.
          var point = point
          point.values[.distance] = distance
          distance += 12.5
          return point
        }
        tracks[index].segments[segment].points = PointColumns(points)
      }
    }
  }

  /// Rounds positions to semicircles (180° are 2³¹) and then to nine decimals, elevations to fifths of
  /// metres, speeds and depths to thousandths, distances to hundredths, and other sensors to whole numbers.
  /// Times are rounded to eighths of a second, which are multiples of 1/128 s, and those of the first
  /// points of segments to whole seconds, because timer events have whole seconds.
  mutating func roundToFIT() {
    changeCoordinates { coordinate in
      coordinate.latitude = Self.semicircles(coordinate.latitude)
      coordinate.longitude = Self.semicircles(coordinate.longitude)
    }
    let steps: [(Channel, Double)] = [
      (.elevation, 5), (.speed, 1000), (.depth, 1000), (.distance, 100), (.heartRate, 1), (.cadence, 1),
      (.power, 1), (.temperature, 1), (.horizontalAccuracy, 1),
    ]
    for index in tracks.indices {
      for segment in tracks[index].segments.indices {
        var points = tracks[index].segments[segment].points.waypoints
        for row in points.indices {
          for (channel, step) in steps {
            // Adding 0 turns −0 into 0.
            if let value = points[row].values[channel] {
              points[row].values[channel] = (value * step).rounded() / step + 0
            }
          }
          let unit: Int64 = row == 0 ? 1_000_000 : 125_000
          points[row].time = points[row].time.map {
            Instant(microseconds: $0.microseconds - $0.microseconds % unit)
          }
        }
        tracks[index].segments[segment].points = PointColumns(points)
      }
    }
  }

  private static func semicircles(_ degrees: Double) -> Double {
    let number = (degrees / 180 * 0x1p31).rounded()
    // The largest number is reserved for an invalid position.
    let wrapped = number == 0x1p31 ? -0x1p31 : min(number, 0x1p31 - 2)
    return (wrapped * 180 / 0x1p31 * 1e9).rounded() / 1e9 + 0
  }
}
