import DriveMatching
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The routes of a library as a table for people.
struct RouteTable {
  let routes: [DrivenRoute]
  /// How many drives were looked at.
  let drives: Int
  /// How many characters of an id are shown.
  let identifierLength: Int

  /// A row per route, and what they hold of all drives.
  var lines: [String] {
    let inRoutes = routes.reduce(0) { $0 + $1.count }
    let others = routes.reduce(0) { $0 + $1.otherRecordings.count }
    let sum =
      "\(Counted.of(routes.count, "route")) with \(inRoutes) of \(Counted.of(drives, "drive"))"
      + (others > 0
        ? ", and \(Counted.of(others, "recording")) of the same rides recorded by other devices" : "")
    guard !routes.isEmpty else { return [sum] }
    var table = TextTable([
      ("route", .left), ("name", .left), ("drives", .right), ("distance", .right), ("towards", .left),
      ("best", .right), ("usual", .right), ("first", .left), ("last", .left),
    ])
    for route in routes {
      table.add([
        String(route.id.uuidString.prefix(identifierLength)), route.name.map(Text.column) ?? route.title,
        String(route.count),
        Text.distance(route.distance), route.direction, Formatted.clock(route.bestDuration),
        Formatted.clock(route.usualDuration), RouteLabels.day(route.firstTime) ?? "",
        RouteLabels.day(route.lastTime) ?? "",
      ])
    }
    return table.lines + ["", sum]
  }
}

extension DrivenRoute {
  /// The name, or where it begins and ends.
  var title: String {
    if let name { return name }
    func place(_ coordinate: Coordinate) -> String {
      "\(Formatted.fixed(coordinate.latitude, 3)),\(Formatted.fixed(coordinate.longitude, 3))"
    }
    return isLoop ? "round \(place(start))" : "\(place(start)) → \(place(end))"
  }

  /// The point of the compass that it leads to: `N`, `NE`, …; `loop` where it comes back.
  var direction: String {
    guard let bearing, bearing.isFinite else { return "loop" }
    let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    return points[Int((bearing / 45).rounded()) % points.count]
  }
}
