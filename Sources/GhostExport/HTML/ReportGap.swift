import GhostModel


/// The gap along the road, on a report.
///
/// The plot is stretched to the width that there is; its labels are text of the page around it, so that they stay
/// readable on a phone without a script.
enum ReportGap {
  static func markup(_ document: ComparisonDocument, _ plot: GapPlot?) -> Markup {
    guard let plot else { return "" }
    let labels = document.comparison.drives.map(\.label)
    let scale = GapScale(distances: plot.distances, gaps: plot.gaps, width: 1000, height: 300)
    let duel = plot.series.count == 1 && plot.usual.isEmpty ? plot.series.first : nil
    let sides: Markup =
      duel.map { series in
        """
        <li class="c\(plot.measure)"><span class="up"></span>above: <bdi class="short">\(labels[plot.measure])</bdi> ahead</li>\
        <li class="c\(series.drive)"><span class="down"></span>below: <bdi class="short">\(labels[series.drive])</bdi> ahead</li>
        """
      } ?? """
        <li><span class="up"></span>above: behind <bdi class="short">\(labels[plot.measure])</bdi></li>\
        <li><span class="down"></span>below: ahead of <bdi class="short">\(labels[plot.measure])</bdi></li>
        """
    return """
      <section class="card" aria-labelledby="gap-title">
      <div class="cardhead"><h2 id="gap-title">The gap along the road</h2><p id="gap-reading" class="reading" aria-live="off">\(final(plot, labels))</p></div>
      <ul class="directions">\(sides)\(plot.usual.isEmpty ? "" : "<li><span class=\"dash\"></span>the usual drive</li>" as Markup)</ul>
      <div class="plot" id="gap">
      <div class="ylabels" aria-hidden="true">\(yLabels(plot, scale))</div>
      <div class="field" id="gap-field">
      \(picture(plot, duel, scale, labels))
      <div class="cursor" id="gap-cursor" hidden></div>
      </div>
      <div class="xlabels" aria-hidden="true">\(xLabels(plot, scale))</div>
      </div>
      <p class="caption">Distance along <bdi>\(labels[plot.measure])</bdi>. A step up or down is a wait; a shaded band is where the roads differ.</p>
      </section>

      """
  }

  private static func final(_ plot: GapPlot, _ labels: [String]) -> Markup {
    guard plot.series.count == 1, plot.usual.isEmpty, let series = plot.series.first, let final = series.final
    else { return "" }
    let leader = final.y > 0 ? plot.measure : series.drive
    return abs(final.y) < 0.05
      ? "At the end: level"
      : "At the end: <bdi>\(labels[leader])</bdi> ahead by \(Quantity.duration(final.y))"
  }

  private static func picture(
    _ plot: GapPlot, _ duel: GapPlot.Series?, _ scale: GapScale, _ labels: [String]
  ) -> Markup {
    let names = Quantity.list(plot.series.map { labels[$0.drive] })
    var picture: Markup = """
      <svg viewBox="0 0 1000 300" preserveAspectRatio="none" role="img" aria-label="Gap between \(labels[plot.measure]) and \(names) along the road">

      """
    for band in plot.bands {
      let from = scale.x(band.distances.lowerBound)
      let width = max(2, scale.x(band.distances.upperBound) - from)
      picture +=
        "<rect class=\"band\" x=\"\(from, decimals: 1)\" y=\"0\" width=\"\(width, decimals: 1)\" height=\"300\"><title>\(band.title)</title></rect>\n"
    }
    for tick in plot.gapTicks {
      picture +=
        "<path class=\"\(tick.value == 0 ? "zero" : "grid")\" d=\"M0 \(scale.y(tick.value), decimals: 1)H1000\"/>\n"
    }
    for line in plot.usual {
      picture +=
        "<path class=\"gapline usual\" d=\"\(scale.path(line))\"><title>the usual drive</title></path>\n"
    }
    guard let duel else {
      for series in plot.series {
        for line in series.lines {
          picture += "<path class=\"gapline c\(series.drive)\" d=\"\(scale.path(line))\"/>\n"
        }
      }
      return picture + "</svg>"
    }
    let zero = max(0, min(1, scale.y(0) / scale.height))
    picture += """
      <defs><linearGradient id="leader" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="0" y2="300">\
      <stop class="c\(plot.measure)" offset="\(zero, decimals: 4)"/><stop class="c\(duel.drive)" offset="\(zero, decimals: 4)"/>\
      </linearGradient></defs>

      """
    for line in duel.lines {
      picture += "<path class=\"gaparea\" d=\"\(scale.area(line))\"/>\n"
      picture += "<path class=\"gapline leader\" d=\"\(scale.path(line))\"/>\n"
    }
    return picture + "</svg>"
  }

  private static func yLabels(_ plot: GapPlot, _ scale: GapScale) -> Markup {
    plot.gapTicks.map { tick -> Markup in
      "<span style=\"top:\(scale.y(tick.value) / scale.height * 100, decimals: 2)%\">\(tick.label)</span>"
    }.joined()
  }

  private static func xLabels(_ plot: GapPlot, _ scale: GapScale) -> Markup {
    plot.distanceTicks.map { tick -> Markup in
      "<span\(tick.isMinor ? " class=\"minor\"" as Markup : "") style=\"left:\(scale.x(tick.value) / scale.width * 100, decimals: 2)%\">\(tick.label)</span>"
    }.joined()
  }
}
