/// What marks a point.
enum KMLIcon: String, CaseIterable {
  /// A drive on its way.
  case ghost
  case anchor
  case stop

  /// Where the image lies in a KMZ.
  var file: String { "files/\(rawValue).png" }

  /// An image that comes with Google Earth, for a KML that has no files beside it.
  var address: String {
    let name =
      switch self {
      case .ghost: "placemark_circle"
      case .anchor: "open-diamond"
      case .stop: "placemark_square"
      }
    return "http://maps.google.com/mapfiles/kml/shapes/\(name).png"
  }
}
