import CMath
import TrackModel

/// The camera position and the range of the time slider.
struct KMLView: Sendable {
  var center: Coordinate
  /// The distance from the camera to the centre, in metres.
  var range: Double
  /// The tilt in degrees; 0 is straight down.
  var tilt = 0.0
  /// The heading in degrees clockwise from north.
  var heading = 0.0
  /// The range of the time slider in seconds on the shared clock.
  var span: ClosedRange<Double>?

  init(center: Coordinate, range: Double) {
    self.center = center
    self.range = range
  }

  /// Returns a view of all lines, or `nil` if no line has points.
  init?(_ lines: [LayerLine], span: ClosedRange<Double>?) {
    guard let origin = lines.first(where: { $0.count > 0 })?.longitudes.first else { return nil }
    var south = 90.0
    var north = -90.0
    // Longitudes relative to the first, so that a drive across the antimeridian does not span the world.
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
    // With a field of view of 60°, the visible width is about the distance.
    range = min(max(height, width) * 1.3 + 300, 2e7)
    self.span = span
  }

  /// Appends the element, with positions on the ground.
  func append(to bytes: inout ByteBuffer) {
    bytes.append("<LookAt>")
    if let span {
      bytes.append("<gx:TimeSpan><begin>")
      ISO8601.append(ExportClock.instant(span.lowerBound), to: &bytes)
      bytes.append("</begin><end>")
      ISO8601.append(ExportClock.instant(span.upperBound), to: &bytes)
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
