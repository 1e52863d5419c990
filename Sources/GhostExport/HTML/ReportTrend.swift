import DriveMatching
import TrackModel

/// The plot of the passages of a segment on a report: a point per passage, with the personal best marked.
enum ReportTrend {
  /// The number of intervals between labelled dates.
  private static let dates = 4

  static func markup(_ trend: PassageTrend) -> Markup {
    guard let first = trend.passages.first?.time, let last = trend.passages.last?.time,
      let best = trend.passages.min(by: { $0.duration < $1.duration }),
      let slowest = trend.passages.map(\.duration).max(), first < last
    else { return "" }
    let room = max(0.08 * (slowest - best.duration), 1)
    let times = (best.duration - room)...(slowest + room)
    let scale = GapScale(
      distances: 0...last.seconds(since: first), gaps: times, width: 1000, height: 300)
    func dot(_ passage: (time: Instant, duration: Double)) -> String {
      let x = Quantity.fixed(scale.x(passage.time.seconds(since: first)), 1)
      return "M\(x) \(Quantity.fixed(scale.y(passage.duration), 1))h0"
    }
    return ReportResources.trend([
      "count": .number(trend.passages.count),
      "best": .text(Quantity.clock(best.duration)),
      "date": .text(date(best.time)),
      "complete": .when(trend.isComplete),
      "passages": .text(trend.passages.map(dot).joined()),
      "mark": .text(dot(best)),
      "ticks": .list(
        GapPlot.gapTicks(times).map { tick in
          let y = scale.y(tick.value)
          return [
            "y": .number(y, decimals: 1), "percent": .number(y / scale.height * 100, decimals: 2),
            "label": .text(tick.label),
          ]
        }),
      "dates": .list(
        (0...dates).compactMap { number in
          let share = Double(number) / Double(dates)
          return first.advanced(bySeconds: share * last.seconds(since: first)).map { time in
            [
              "minor": .when(number % 2 != 0), "percent": .number(100 * share, decimals: 2),
              "label": .text(date(time)),
            ]
          }
        }),
    ])
  }

  /// Returns a date in UTC: `2024-05-17`.
  private static func date(_ time: Instant) -> String { String(time.description.prefix(10)) }
}
