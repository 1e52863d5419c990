import GhostModel

/// The plots of speed and sensor values of a report.
///
/// Radio buttons select the visible plot, so that the choice works without a script.
enum ReportChannels {
  static func markup(_ document: ComparisonDocument, _ gap: GapPlot) -> Markup {
    let channels = ChannelPlots(document, gap.distances)
    guard let first = channels.plots.first else { return "" }
    let labels = document.comparison.drives.map(\.label)
    let drives = document.traces.indices.filter { drive in
      channels.plots.contains { $0.series.contains { $0.drive == drive } }
    }
    return ReportResources.channels([
      "title": .text(
        channels.plots.count > 1
          ? "Speed and sensors" : first.name.prefix(1).uppercased() + first.name.dropFirst()),
      "measure": .text(labels[gap.measure]),
      "drives": .list(drives.map { ["drive": .number($0), "label": .text(labels[$0])] }),
      "averaged": .optional(
        channels.resolution.map {
          ["length": .text(UnitSystem.current.short(metres: $0, decimals: $0 < 10 ? 1 : 0))]
        }),
      "channels": .list(
        channels.plots.enumerated().map { number, plot in
          let scale = GapScale(distances: gap.distances, gaps: plot.values, width: 1000, height: 300)
          return [
            "choice": .when(channels.plots.count > 1),
            "number": .number(number),
            "first": .when(number == 0),
            "name": .text(plot.name),
            "unit": .optional(plot.unit.map { ["symbol": .text($0)] }),
            "ticks": scale.gapTicks(plot.ticks),
            "lines": .list(
              plot.series.flatMap { series in
                series.lines.map { ["drive": .number(series.drive), "path": .text(scale.path($0))] }
              }),
          ]
        }),
      "distanceTicks": GapScale(distances: gap.distances, gaps: gap.gaps, width: 1000, height: 300)
        .distanceTicks(gap.distanceTicks),
    ])
  }
}
