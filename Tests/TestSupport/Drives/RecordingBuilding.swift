package import GhostModel
package import TrackModel

package extension Recording {
  /// The origin of test times: 2024-05-01T06:12:09Z.
  static let origin = Instant(microseconds: 1_714_543_929_000_000)

  /// Returns a track along the equator; each point has seconds since ``origin`` and degrees east.
  static func track(_ segments: [(seconds: Double, longitude: Double)]...) -> Recording {
    Recording(
      segments: segments.map { points in
        var segment = Segment()
        for point in points {
          segment.append(Coordinate(latitude: 0, longitude: point.longitude), time: instant(point.seconds))
        }
        return segment
      })
  }

  /// Returns a track along the equator without times, with a point per longitude.
  static func untimed(_ segments: [Double]...) -> Recording {
    Recording(
      segments: segments.map { longitudes in
        var segment = Segment()
        for longitude in longitudes {
          segment.append(Coordinate(latitude: 0, longitude: longitude), time: nil)
        }
        return segment
      })
  }

  static func instant(_ seconds: Double) -> Instant {
    Instant(microseconds: origin.microseconds + Int64((seconds * 1e6).rounded()))
  }
}

package extension ImportOptions {
  /// Returns the default options with changes.
  static func with(_ change: (inout ImportOptions) -> Void) -> ImportOptions {
    var options = ImportOptions()
    change(&options)
    return options
  }
}

package extension ImportedDrive {
  /// The longitude of each coordinate, in degrees.
  var longitudes: [Double] { drive.longitudes }
}
