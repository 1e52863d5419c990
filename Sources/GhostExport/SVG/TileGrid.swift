/// The tiles of the initial view of a map.
enum TileGrid {
  private static let tileSize = 256.0
  private static let deepest = 19

  /// Returns `image` elements in the pixels of ``MapDrawing``.
  static func images(_ basemap: Basemap, _ projection: MapProjection, _ drawing: MapDrawing) -> Markup {
    // The zoom level at which tiles are displayed at about their own size.
    let world = projection.worldSize * drawing.scale
    var zoom = 0
    while zoom < deepest, tileSize * Double(1 << zoom) * 1.42 < world { zoom += 1 }
    let count = Double(1 << zoom)
    let side = world / count
    let middle = (x: projection.centerX * world, y: projection.centerY * world)
    let left = ((middle.x - MapDrawing.size.width / 2) / side).rounded(.down)
    let right = ((middle.x + MapDrawing.size.width / 2) / side).rounded(.down)
    let top = max(0, ((middle.y - MapDrawing.size.height / 2) / side).rounded(.down))
    let bottom = min(count - 1, ((middle.y + MapDrawing.size.height / 2) / side).rounded(.down))
    guard right - left < 64, top <= bottom, bottom - top < 64, left <= right else { return "" }
    var images: Markup = ""
    for row in stride(from: top, through: bottom, by: 1) {
      for column in stride(from: left, through: right, by: 1) {
        // Columns wrap around at the antimeridian.
        let wrapped = column - (column / count).rounded(.down) * count
        let x = column * side - middle.x + MapDrawing.size.width / 2
        let y = row * side - middle.y + MapDrawing.size.height / 2
        images +=
          """
          <image href="\(basemap.address(zoom: zoom, x: Int(wrapped), y: Int(row)))" x="\(x, decimals: 2)" \
          y="\(y, decimals: 2)" width="\(side + 0.3, decimals: 2)" height="\(side + 0.3, decimals: 2)"/>

          """
      }
    }
    return images
  }
}
