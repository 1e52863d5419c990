package import GhostModel
package import TrackModel

package extension Recording {
  /// One moment for tests to count from: 2024-05-01T06:12:09Z.
  static let origin = Instant(microseconds: 1_714_543_929_000_000)

  /// A track along the equator: per segment the points as seconds since ``origin`` and degrees east.
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

  /// A track along the equator without times, a point per longitude.
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
  /// The default options, changed.
  static func with(_ change: (inout ImportOptions) -> Void) -> ImportOptions {
    var options = ImportOptions()
    change(&options)
    return options
  }
}

package extension ImportedDrive {
  /// Degrees east of each coordinate.
  var longitudes: [Double] { drive.longitudes }
}
