import GhostModel

/// The gap plot of a report.
///
/// The plot scales to the available width. Its labels are HTML text around it, so that they stay readable on
/// a phone without a script.
enum ReportGap {
  static func markup(_ document: ComparisonDocument, _ plot: GapPlot?) -> Markup {
    guard let plot else { return "" }
    let labels = document.comparison.drives.map(\.label)
    let scale = GapScale(distances: plot.distances, gaps: plot.gaps, width: 1000, height: 300)
    let duel = plot.series.count == 1 && plot.usual.isEmpty ? plot.series.first : nil
    return ReportResources.gap([
      "final": .optional(final(plot, labels)),
      "measure": .text(labels[plot.measure]),
      "others": .text(Quantity.list(plot.series.map { labels[$0.drive] })),
      "duel": .optional(
        duel.map { series in
          [
            "first": .number(plot.measure),
            "second": .number(series.drive),
            "other": .text(labels[series.drive]),
            "zero": .number(max(0, min(1, scale.y(0) / scale.height)), decimals: 4),
          ]
        }),
      "lines": .list(
        plot.series.flatMap { series in
          series.lines.map { line in
            [
              "drive": .number(series.drive), "path": .text(scale.path(line)),
              "area": .text(scale.area(line)),
            ]
          }
        }),
      "hasUsual": .when(!plot.usual.isEmpty),
      "usual": .list(plot.usual.map { ["path": .text(scale.path($0))] }),
      "bands": .list(
        plot.bands.map { band in
          let x = scale.x(band.distances.lowerBound)
          let width = max(2, scale.x(band.distances.upperBound) - x)
          return [
            "x": .number(x, decimals: 1), "width": .number(width, decimals: 1), "label": .text(band.title),
          ]
        }),
      "gapTicks": scale.gapTicks(plot.gapTicks),
      "distanceTicks": scale.distanceTicks(plot.distanceTicks),
    ])
  }

  /// Returns the gap of two drives at the end of the road.
  private static func final(_ plot: GapPlot, _ labels: [String]) -> [String: Template.Value]? {
    guard plot.series.count == 1, plot.usual.isEmpty, let series = plot.series.first, let final = series.final
    else { return nil }
    let leader = labels[final.y > 0 ? plot.measure : series.drive]
    return [
      "leader": .optional(
        abs(final.y) < TimeResolution.current.smallest
          ? nil : ["name": .text(leader), "lead": .text(Quantity.duration(final.y))])
    ]
  }
}
