import GhostModel

/// The map of a report with its player.
enum ReportMap {
  static func markup(
    _ document: ComparisonDocument, _ drawing: MapDrawing, _ projection: MapProjection, _ basemap: Basemap?
  ) -> Markup {
    let drives = document.comparison.drives
    let bar = ScaleBar(projection, drawing.scale)
    var legend: [[String: Template.Value]] = drives.enumerated().map { index, drive in
      ["color": "c\(index)", "drive": .optional(["label": .text(drive.label)])]
    }
    if drawing.won.contains(where: { $0.winner == nil }) {
      legend.append(["color": "even", "drive": .list([])])
    }
    return ReportResources.map([
      "title": .text(drawing.won.isEmpty ? "The drives" : "The race"),
      "legend": .list(legend),
      "views": .when(!drawing.won.isEmpty),
      "names": .text(Quantity.list(drives.map(\.label))),
      "tiles": .markup(basemap.map { TileGrid.images($0, projection, drawing) } ?? ""),
      "basemap": .optional(basemap.map { ["attribution": .text($0.attribution)] }),
      "transform": .text(drawing.transform),
      "trimmed": .list(
        drawing.routes.filter { !$0.trimmed.isEmpty }.map { ["path": .text($0.trimmed)] }),
      "routes": .list(
        drawing.routes.map { route in
          // The first line is the widest, so that all lines remain visible.
          let width = 3 + min(7, 1.8 * Double(drawing.routes.count - 1 - route.drive))
          return [
            "drive": .number(route.drive), "width": .number(width, decimals: 1), "path": .text(route.path),
          ]
        }),
      "won": .list(
        drawing.won.map { won in
          [
            "color": .text(won.winner.map { "c\($0)" } ?? "even"),
            "width": .number(5 + 6 * won.strength, decimals: 1), "path": .text(won.path),
            "label": .text(won.title),
          ]
        }),
      "marks": .list(
        drawing.stops.map { mark($0, drawing, isStop: true) }
          + drawing.anchors.map { mark($0, drawing, isStop: false) }),
      "ghosts": .list(document.traces.indices.reversed().map { ["drive": .number($0)] }),
      "scaleWidth": .number(bar.length, decimals: 0),
      "scaleLabel": .text(bar.label),
    ])
  }

  private static func mark(
    _ mark: MapDrawing.Mark, _ drawing: MapDrawing, isStop: Bool
  ) -> [String: Template.Value] {
    let pixel = drawing.pixel(mark.point)
    return [
      "crowded": .when(mark.isCrowded),
      "worldX": .number(mark.point.x, decimals: 1),
      "worldY": .number(mark.point.y, decimals: 1),
      "x": .number(pixel.x, decimals: 1),
      "y": .number(pixel.y, decimals: 1),
      "stop": .when(isStop),
      "drive": .number(mark.drive),
      "pin": .when(!isStop),
      "letter": .text(mark.letter),
      "label": .text(mark.title),
    ]
  }
}
