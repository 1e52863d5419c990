/// The icon of a point.
enum KMLIcon: String, CaseIterable {
  /// A moving drive.
  case ghost
  case anchor
  case stop

  /// The path of the image in a KMZ.
  var file: String { "files/\(rawValue).png" }

  /// The PNG image: white with a dark rim. Viewers multiply it with the colour of the style.
  var image: [UInt8] {
    switch self {
    case .ghost: PackageResources.ghost_png
    case .anchor: PackageResources.anchor_png
    case .stop: PackageResources.stop_png
    }
  }

  /// The address of a Google Earth image, for a KML file without its own images.
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
