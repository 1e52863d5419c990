import DriveMatching
import GhostModel

/// The ranking of a route on a report: all drives with their times on each leg, the best and the usual legs.
enum ReportRoute {
  static func markup(_ route: RouteFigures) -> Markup {
    let comparison = route.comparison
    guard !comparison.entries.isEmpty else { return "" }
    let ranked = comparison.entries.enumerated().map { rank, entry in
      row(
        "\(rank + 1)", entry.drive, (entry.hasTimestamps ? "" : "≈ ") + Quantity.clock(entry.duration),
        rank == 0 ? "" : "+" + Quantity.duration(entry.gap), route,
        average: entry.duration > 0
          ? UnitSystem.current.speed(metresPerSecond: comparison.length / entry.duration, decimals: 1) : "")
    }
    return ReportResources.route([
      "columns": .list(
        comparison.legs.enumerated().map { index, leg in
          ["title": .text(title(leg, index)), "length": .text(Quantity.distance(leg.length))]
        }),
      "drives": .list(ranked + comparison.unranked.map { row("–", $0.drive, "not ranked", "", route) }),
      // The theoretical best, which is the sum of the best legs, and the median of each leg.
      "sums": .list([
        sum("Sum of the best legs", comparison.theoreticalBest, route) {
          ($0.bestDuration, $0.best.map { rank(of: $0, route) })
        },
        sum("Usual", comparison.usualDuration, route) { ($0.usualDuration, nil) },
      ]),
    ])
  }

  private static func rank(of drive: Int, _ route: RouteFigures) -> String {
    route.comparison.entries.firstIndex { $0.drive == drive }.map { "rank \($0 + 1)" } ?? route.labels[drive]
  }

  private static func title(_ leg: RouteLeg, _ index: Int) -> String {
    "\(index + 1) \(leg.isDetour ? "routes differ" : "shared")"
  }

  private static func row(
    _ rank: String, _ drive: Int, _ time: String, _ gap: String, _ route: RouteFigures, average: String = ""
  ) -> [String: Template.Value] {
    [
      "rank": .text(rank),
      "onMap": .optional(route.place(of: drive).map { ["drive": .number($0)] }),
      "label": .text(route.labels[drive]),
      "isNewest": .when(route.newest == drive),
      "time": .text(time),
      "gap": .text(gap),
      "average": .text(average),
      "cells": .list(
        route.comparison.legs.enumerated().map { index, leg in
          [
            "title": .text(title(leg, index)),
            "best": .when(leg.best == drive),
            "time": .text(clock(leg.durations[drive])),
          ]
        }),
    ]
  }

  private static func sum(
    _ label: String, _ time: Double?, _ route: RouteFigures,
    _ value: (RouteLeg) -> (seconds: Double?, winner: String?)
  ) -> [String: Template.Value] {
    [
      "label": .text(label),
      "time": .text(clock(time)),
      "gap": .text(gap(time, route.comparison)),
      "cells": .list(
        route.comparison.legs.enumerated().map { index, leg in
          let (seconds, winner) = value(leg)
          return [
            "title": .text(title(leg, index)),
            "time": .text(clock(seconds)),
            "by": .optional(winner.map { ["winner": .text($0)] }),
          ]
        }),
    ]
  }

  private static func clock(_ seconds: Double?) -> String { seconds.map { Quantity.clock($0) } ?? "–" }

  private static func gap(_ time: Double?, _ comparison: RouteComparison) -> String {
    guard let time, let best = comparison.entries.first?.duration,
      abs(time - best) >= TimeResolution.current.smallest
    else { return "" }
    return (time < best ? "−" : "+") + Quantity.duration(abs(time - best))
  }
}
