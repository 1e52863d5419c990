import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// From where the map is looked at, and which time the slider shows.
struct KMLView: Sendable {
  var center: Coordinate
  /// Metres from the eye to the centre.
  var range: Double
  /// Degrees from straight down.
  var tilt = 0.0
  /// Degrees clockwise from north that is up.
  var heading = 0.0
  /// Seconds on the shared clock; the slider stands open over all of it.
  var span: ClosedRange<Double>?

  init(center: Coordinate, range: Double) {
    self.center = center
    self.range = range
  }

  /// A view of all lines; nil where there is none.
  init?(_ lines: [LayerLine], span: ClosedRange<Double>?) {
    guard let origin = lines.first(where: { $0.count > 0 })?.longitudes.first else { return nil }
    var south = 90.0
    var north = -90.0
    // Longitudes counted from the first, so that a drive across the antimeridian is no trip round the world.
    var west = 0.0
    var east = 0.0
    for line in lines {
      for latitude in line.latitudes {
        south = min(south, latitude)
        north = max(north, latitude)
      }
      for longitude in line.longitudes {
        let offset = (longitude - origin).remainder(dividingBy: 360)
        west = min(west, offset)
        east = max(east, offset)
      }
    }
    let longitude = (origin + (west + east) / 2).remainder(dividingBy: 360)
    center = Coordinate(latitude: (south + north) / 2, longitude: longitude)
    let metresPerDegree = Geodesy.metresPerEquatorialDegree
    let height = (north - south) * metresPerDegree
    let width = (east - west) * metresPerDegree * cos(center.latitude * .pi / 180)
    // Earth sees an angle of 60°: from so far away, a picture is about as wide as that.
    range = min(max(height, width) * 1.3 + 300, 2e7)
    self.span = span
  }

  /// Appends the element; positions are on the ground.
  func append(to bytes: inout ByteBuffer) {
    bytes.append("<LookAt>")
    if let span {
      bytes.append("<gx:TimeSpan><begin>")
      ISO8601.append(SharedClock.instant(span.lowerBound), to: &bytes)
      bytes.append("</begin><end>")
      ISO8601.append(SharedClock.instant(span.upperBound), to: &bytes)
      bytes.append("</end></gx:TimeSpan>")
    }
    bytes.append("<longitude>")
    bytes.append(degrees: center.longitude)
    bytes.append("</longitude><latitude>")
    bytes.append(degrees: center.latitude)
    bytes.append("</latitude><altitude>0</altitude><heading>")
    bytes.append(decimal: (heading * 10).rounded() / 10)
    bytes.append("</heading><tilt>")
    bytes.append(decimal: tilt)
    bytes.append("</tilt><range>")
    bytes.append(decimal: range.rounded())
    bytes.append("</range></LookAt>\n")
  }
}
