import GhostModel

/// The map of all drives as a standalone SVG image.
public enum MapImage {
  /// Returns an image of 1000 by 700 pixels on white, north up.
  ///
  /// - Parameters:
  ///   - document: the comparison and its drives.
  ///   - basemap: the map tiles, fetched by the viewer of the image, or `nil` for none.
  public static func text(of document: ComparisonDocument, basemap: Basemap? = nil) -> String {
    let projection = MapProjection(document.traces)
    let columns = document.traces.map { projection.columns(of: $0) }
    let drawing = MapDrawing(document, projection: projection, columns: columns)
    let summary = ComparisonSummary(document)
    var image = ImageFrame.opening(height: 700, title: summary.headline, description: summary.lead)
    image += "<svg y=\"96\" width=\"1000\" height=\"600\" viewBox=\"0 0 1000 600\">\n"
    if let basemap { image += TileGrid.images(basemap, projection, drawing) }
    image +=
      """
      <g transform="\(drawing.transform)" fill="none" stroke-linejoin="round" stroke-linecap="round">

      """
    for route in drawing.routes where !route.trimmed.isEmpty {
      image += stroke(route.trimmed, ExportColor.muted.hexadecimal, width: 3)
    }
    for route in drawing.routes {
      image += stroke(route.path, document.ink(route.drive), width: drawing.won.isEmpty ? 4 : 3)
    }
    for won in drawing.won {
      let color = won.winner.map(document.ink) ?? "#b4bac0"
      image +=
        """
        <path vector-effect="non-scaling-stroke" stroke="\(color)" \
        stroke-width="\(4 + 6 * won.strength, decimals: 1)" d="\(won.path)"><title>\(won.title)</title>\
        </path>

        """
    }
    image += "</g>\n"
    for anchor in drawing.anchors {
      let place = drawing.pixel(anchor.point)
      image +=
        """
        <g><title>\(anchor.title)</title><circle class="pin" cx="\(place.x, decimals: 1)" \
        cy="\(place.y, decimals: 1)" r="9"/>
        """
      image +=
        """
        <text class="letter" x="\(place.x, decimals: 1)" \
        y="\(place.y + 4, decimals: 1)">\(anchor.letter)</text></g>

        """
    }
    if !drawing.won.isEmpty {
      image +=
        """
        <text class="small" text-anchor="end" x="984" y="570">Shared road is drawn in the colour of the \
        drive that gained time on it.</text>

        """
    }
    image += ScaleBar(projection, drawing.scale).markup
    if let basemap {
      image += "<text class=\"small\" text-anchor=\"end\" x=\"984\" y=\"590\">\(basemap.attribution)</text>\n"
    }
    image += "</svg>\n" + ImageFrame.legend(document, y: 76) + "</svg>\n"
    return image.text
  }

  private static func stroke(_ path: String, _ color: String, width: Int) -> Markup {
    """
    <path vector-effect="non-scaling-stroke" stroke="\(color)" stroke-width="\(width)" d="\(path)"/>

    """
  }
}
