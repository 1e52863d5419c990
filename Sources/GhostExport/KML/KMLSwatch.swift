/// The icon of a folder: a coloured disc.
///
/// KML can tint icons on the map, but not those of folders, so each colour is a separate file.
struct KMLSwatch: Hashable {
  var color: ExportColor

  /// The path of the image in a KMZ.
  var file: String { "files/item-\(color.hexadecimal.dropFirst()).gif" }

  /// The GIF image with its first colour replaced.
  var image: [UInt8] {
    var bytes = PackageResources.swatch_gif
    // The global colour table follows the signature and the screen descriptor (GIF89a, sections 17 to 19).
    let firstColor = 13..<16
    guard bytes.count > firstColor.upperBound else { return bytes }
    bytes.replaceSubrange(firstColor, with: [color.red, color.green, color.blue])
    return bytes
  }
}
