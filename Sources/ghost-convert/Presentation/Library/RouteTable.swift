import DriveLibrary
import DriveMatching
import GhostExport
import TrackModel

/// The routes of a library as a table.
struct RouteTable {
  let routes: [DrivenRoute]
  /// The number of drives that were examined.
  let drives: Int
  /// The number of characters shown of an id.
  let identifierLength: Int

  /// A row per route, and the number of drives in routes.
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
        String(route.id.text.prefix(identifierLength)), route.name.map(Text.column) ?? route.title,
        String(route.count),
        Text.distance(route.distance), route.direction, Formatted.clock(route.bestDuration),
        Formatted.clock(route.usualDuration), route.firstTime.map(LocalTime.day) ?? "",
        route.lastTime.map(LocalTime.day) ?? "",
      ])
    }
    return table.lines + ["", sum]
  }
}
