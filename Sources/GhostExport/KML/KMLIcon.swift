/// What marks a point.
enum KMLIcon: String, CaseIterable {
  /// A drive on its way.
  case ghost
  case anchor
  case stop

  /// The path of the image in a KMZ.
  var file: String { "files/\(rawValue).png" }

  /// The image, a PNG: white with a dark rim, which viewers multiply with the colour of a style.
  var image: [UInt8] {
    switch self {
    case .ghost: PackageResources.ghost_png
    case .anchor: PackageResources.anchor_png
    case .stop: PackageResources.stop_png
    }
  }

  /// An image that comes with Google Earth, for a KML without files beside it.
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
