import GhostModel


/// The map of a report with its player.
enum ReportMap {
  static func markup(
    _ document: ComparisonDocument, _ drawing: MapDrawing, _ projection: MapProjection, _ basemap: Basemap?
  ) -> Markup {
    let views: Markup =
      drawing.won.isEmpty
      ? ""
      : """
      <div class="views live" role="group" aria-label="What the map shows">\
      <button type="button" data-view="won" aria-pressed="true">Who gained</button>\
      <button type="button" data-view="routes" aria-pressed="false">Routes</button></div>
      """
    let attribution: Markup = basemap.map { "<p class=\"attribution\">\($0.attribution)</p>" } ?? ""
    let bar = ScaleBar(projection, drawing.scale)
    return """
      <section class="card race" aria-labelledby="map-title">
      <div class="cardhead"><h2 id="map-title">\(drawing.won.isEmpty ? "The drives" : "The race")</h2>\(legend(document, drawing))\(views)</div>
      <div class="map\(basemap == nil ? "" : " tiled")" id="map">
      \(picture(document, drawing, projection, basemap))
      <div class="mapbuttons live" role="group" aria-label="Map">
      <button type="button" id="zoom-in" aria-label="Zoom in">\(ReportIcons.plus)</button>
      <button type="button" id="zoom-out" aria-label="Zoom out">\(ReportIcons.minus)</button>
      <button type="button" id="fit" aria-label="Show everything">\(ReportIcons.fit)</button>
      <button type="button" id="follow" aria-label="Follow the ghosts" aria-pressed="false">\(ReportIcons.follow)</button>
      </div>
      <p class="mapscale live" id="mapscale"><span style="width:\(bar.length, decimals: 0)px"></span>\(bar.label)</p>
      \(attribution)</div>
      \(player(document))</section>

      """
  }

  private static func legend(_ document: ComparisonDocument, _ drawing: MapDrawing) -> Markup {
    var legend: Markup = "<ul class=\"legend\" aria-label=\"Colours\">"
    for (drive, compared) in document.comparison.drives.enumerated() {
      legend += "<li class=\"c\(drive)\"><span class=\"swatch\"></span><bdi>\(compared.label)</bdi></li>"
    }
    if drawing.won.contains(where: { $0.winner == nil }) {
      legend += "<li class=\"even\"><span class=\"swatch\"></span>no difference</li>"
    }
    return legend + "</ul>"
  }

  // MARK: The picture

  private static func picture(
    _ document: ComparisonDocument, _ drawing: MapDrawing, _ projection: MapProjection, _ basemap: Basemap?
  ) -> Markup {
    let names = Quantity.list(document.comparison.drives.map(\.label))
    var map: Markup = """
      <svg id="map-picture" viewBox="0 0 1000 600" role="img" aria-label="Map of the drives \(names)" data-view="won">
      <g id="tiles">\(basemap.map { TileGrid.images($0, projection, drawing) } ?? "")</g>
      <g id="world" transform="\(drawing.transform)">

      """
    for route in drawing.routes where !route.trimmed.isEmpty {
      map += "<path class=\"trimmed\" d=\"\(route.trimmed)\"/>\n"
    }
    map += "<g class=\"casing\" aria-hidden=\"true\">"
    for route in drawing.routes { map += "<path class=\"route\" d=\"\(route.path)\"/>\n" }
    map += "</g><g class=\"routes\">"
    for route in drawing.routes {
      // The first is the widest, so that each below is seen beside the one on top of it.
      let width = 3 + min(7, 1.8 * Double(drawing.routes.count - 1 - route.drive))
      map +=
        "<path class=\"route c\(route.drive)\" style=\"--w:\(width, decimals: 1)px\" data-drive=\"\(route.drive)\" d=\"\(route.path)\"/>\n"
    }
    map += "</g><g class=\"won\">"
    for won in drawing.won {
      let color = won.winner.map { "c\($0)" } ?? "even"
      map +=
        "<path class=\"\(color)\" style=\"stroke-width:\(5 + 6 * won.strength, decimals: 1)px\" d=\"\(won.path)\"><title>\(won.title)</title></path>\n"
    }
    map += "</g><g id=\"leg\"></g><g id=\"tails\"></g></g>\n<g id=\"marks\">"
    for stop in drawing.stops { map += mark(stop, drawing, stopGlyph(stop)) }
    for anchor in drawing.anchors { map += mark(anchor, drawing, pinGlyph(anchor)) }
    map += "</g><g id=\"spot\" hidden><circle r=\"11\"/><circle r=\"3\"/></g><g id=\"ghosts\">"
    for drive in document.traces.indices.reversed() {
      map += """
        <g class="ghost c\(drive)" data-drive="\(drive)"><circle class="pulse" r="10"/><circle class="core" r="7.5"/></g>
        """
    }
    return map + "</g>\n</svg>"
  }

  private static func mark(_ mark: MapDrawing.Mark, _ drawing: MapDrawing, _ glyph: Markup) -> Markup {
    let place = drawing.pixel(mark.point)
    return """
      <g\(mark.isCrowded ? " class=\"crowded\"" as Markup : "") data-x="\(mark.point.x, decimals: 1)" data-y="\(mark.point.y, decimals: 1)" transform="translate(\(place.x, decimals: 1) \(place.y, decimals: 1))">\
      <g class="glyph">\(glyph)<title>\(mark.title)</title></g></g>

      """
  }

  private static func stopGlyph(_ stop: MapDrawing.Mark) -> Markup {
    "<g class=\"stop c\(stop.drive)\"><circle r=\"5\"/><path d=\"M-1.4-2v4M1.4-2v4\"/></g>"
  }

  private static func pinGlyph(_ anchor: MapDrawing.Mark) -> Markup {
    """
    <g class="pin"><path d="M0 0C-3-5-9-8-9-15a9 9 0 0 1 18 0C9-8 3-5 0 0Z"/>\
    <text y="-11" text-anchor="middle">\(anchor.letter)</text></g>
    """
  }

  // MARK: The player

  private static func player(_ document: ComparisonDocument) -> Markup {
    """
    <div class="player live" role="group" aria-label="Player">
    <button type="button" id="play" class="play" aria-label="Play">\(ReportIcons.play)\(ReportIcons.pause)</button>
    <label class="scrub"><span class="hidden">Time</span><input type="range" id="scrub" min="0" max="1000" step="any" value="0"></label>
    <output id="clock" for="scrub">0:00</output>
    <label class="speed"><span class="hidden">Speed</span><select id="speed"></select></label>
    <p id="live" class="livegap"></p>
    </div>

    """
  }
}

/// Pictures on buttons.
enum ReportIcons {
  private static func icon(_ name: String, _ path: String) -> Markup {
    "<svg class=\"icon \(name)\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
  }

  static let plus = icon("line", "M12 5v14M5 12h14")
  static let minus = icon("line", "M5 12h14")
  static let fit = icon("line", "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5")
  static let follow = icon("line", "M12 3v4M12 17v4M3 12h4M17 12h4M12 9a3 3 0 1 1 0 6a3 3 0 1 1 0-6")
  static let play = icon(
    "solid playing-no", "M8 5.5v13a.6.6 0 0 0 .9.5l10.4-6.5a.6.6 0 0 0 0-1L8.900 5a.6.6 0 0 0-.9.5Z")
  static let pause = icon("solid playing-yes", "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z")
}
