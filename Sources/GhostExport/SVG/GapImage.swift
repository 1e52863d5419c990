import GhostModel

/// The gap along the shared road as a standalone SVG image.
public enum GapImage {
  /// Returns an image of 1000 by 400 pixels on white. Without shared road, the image contains a message.
  public static func text(of document: ComparisonDocument) -> String {
    let summary = ComparisonSummary(document)
    var image = ImageFrame.opening(
      height: 400, title: summary.headline,
      description: "The gap along the shared road. " + summary.lead)
    guard let plot = GapPlot(document) else {
      image += "<text x=\"40\" y=\"120\">The drives share no road.</text></svg>\n"
      return image.text
    }
    let scale = GapScale(
      distances: plot.distances, gaps: plot.gaps, width: 880, height: 240, left: 80, top: 96)
    let labels = document.comparison.drives.map(\.label)
    image += grid(plot, scale)
    for line in plot.usual {
      image +=
        """
        <path class="line" stroke="#555" stroke-dasharray="6 5" d="\(scale.path(line))"><title>the usual \
        drive</title></path>

        """
    }
    if plot.series.count == 1, plot.usual.isEmpty, let series = plot.series.first {
      image += duel(plot, series, scale, document)
    } else {
      for series in plot.series {
        for line in series.lines {
          image +=
            "<path class=\"line\" stroke=\"\(document.ink(series.drive))\" d=\"\(scale.path(line))\"/>\n"
        }
      }
    }
    image +=
      """
      <text class="small" x="80" y="376">Distance along \(labels[plot.measure]). Above the line \
      \(labels[plot.measure]) is ahead.</text>

      """
    image += ImageFrame.legend(document, y: 76) + "</svg>\n"
    return image.text
  }

  private static func grid(_ plot: GapPlot, _ scale: GapScale) -> Markup {
    var grid: Markup = ""
    let right = scale.left + scale.width
    let bottom = scale.top + scale.height
    for band in plot.bands {
      let from = scale.x(band.distances.lowerBound)
      let width = max(2, scale.x(band.distances.upperBound) - from)
      grid +=
        """
        <rect class="band" x="\(from, decimals: 1)" y="\(scale.top, decimals: 1)" \
        width="\(width, decimals: 1)" height="\(scale.height, decimals: 1)"><title>\(band.title)</title>\
        </rect>

        """
    }
    for tick in plot.gapTicks {
      let y = scale.y(tick.value)
      grid +=
        """
        <path class="\(tick.value == 0 ? "zero" : "grid")" d="M\(scale.left, decimals: 1) \
        \(y, decimals: 1)H\(right, decimals: 1)"/>
        """
      grid +=
        """
        <text class="small" text-anchor="end" x="\(scale.left - 10, decimals: 1)" \
        y="\(y + 4, decimals: 1)">\(tick.label)</text>

        """
    }
    for tick in plot.distanceTicks {
      let x = scale.x(tick.value)
      grid +=
        """
        <text class="small" text-anchor="middle" x="\(x, decimals: 1)" \
        y="\(bottom + 20, decimals: 1)">\(tick.label)</text>

        """
    }
    return grid
  }

  /// The area between the gap of two drives and zero, in the colour of the drive that is ahead.
  private static func duel(
    _ plot: GapPlot, _ series: GapPlot.Series, _ scale: GapScale, _ document: ComparisonDocument
  ) -> Markup {
    let zero = max(0, min(1, (scale.y(0) - scale.top) / scale.height))
    var duel: Markup = """
      <defs><linearGradient id="leader" gradientUnits="userSpaceOnUse" x1="0" x2="0" \
      y1="\(scale.top, decimals: 1)" \
      y2="\(scale.top + scale.height, decimals: 1)">\
      <stop offset="\(zero, decimals: 4)" stop-color="\(document.ink(plot.measure))"/>\
      <stop offset="\(zero, decimals: 4)" stop-color="\(document.ink(series.drive))"/></linearGradient></defs>

      """
    for line in series.lines {
      duel += "<path fill=\"url(#leader)\" fill-opacity=\"0.18\" d=\"\(scale.area(line))\"/>"
      duel += "<path class=\"line\" stroke=\"url(#leader)\" d=\"\(scale.path(line))\"/>\n"
    }
    return duel
  }
}

extension GapPlot.Band {
  /// A description of the band.
  var title: String {
    switch kind {
    case .shared: "shared road"
    case .detour: "different roads, \(Quantity.signedDuration(change))"
    case .unknown: "gap in a recording"
    }
  }
}
