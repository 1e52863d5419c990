/// The icon of a folder in the list of places: a disc in a colour.
///
/// KML multiplies icons with a colour on the map, but not in the list, so each colour is a file of its own.
struct KMLSwatch: Hashable {
  var color: ExportColor

  /// The path of the image in a KMZ.
  var file: String { "files/item-\(color.hexadecimal.dropFirst()).gif" }

  /// The image, a GIF whose first colour is replaced.
  var image: [UInt8] {
    var bytes = PackageResources.swatch_gif
    // The global colour table begins after the signature and the screen descriptor (GIF89a, sections 17 to
    // 19).
    let firstColor = 13..<16
    guard bytes.count > firstColor.upperBound else { return bytes }
    bytes.replaceSubrange(firstColor, with: [color.red, color.green, color.blue])
    return bytes
  }
}
