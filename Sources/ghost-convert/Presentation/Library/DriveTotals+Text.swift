import DriveLibrary
import GhostExport
import TrackModel

extension DriveTotals {
  /// The totals on one line: `2 drives, 8.07 km, 11:54`.
  var text: String {
    let rides = rides < drives ? " of \(Counted.of(rides, "ride"))" : ""
    return "\(Counted.of(drives, "drive"))\(rides), \(Text.distance(distance)), \(Text.clock(duration))"
  }

  /// Returns a row for each period.
  static func table(_ periods: [DriveTotals], _ title: String) -> [String] {
    var table = TextTable([(title, .left), ("drives", .right), ("distance", .right), ("duration", .right)])
    for totals in periods {
      table.add([
        totals.period ?? "unknown", "\(totals.drives)", Text.distance(totals.distance),
        Text.clock(totals.duration),
      ])
    }
    return table.lines
  }
}
