import GhostModel

/// The stops of a drive.
enum StopLayer {
  static func features(_ document: ComparisonDocument, drive index: Int, _ clock: ExportClock)
    -> [LayerFeature]
  {
    let drive = document.comparison.drives[index]
    return drive.stops.map { stop in
      var table = FactTable()
      table.add("Drive", Fact("drive", .text(drive.label)))
      table.add("Waited", Fact("waiting_s", .duration(stop.duration)))
      table.add("Arrived after", Fact("arrival_s", .duration(stop.arrival)))
      table.add("Departed after", Fact("departure_s", .duration(stop.departure)))
      return LayerFeature(
        kind: "stop", name: "\(drive.label) waits \(Quantity.clock(stop.duration))",
        shape: .point(stop.coordinate), color: document.colors[index],
        time: clock.time(stop.arrival, of: index), table: table)
    }
  }
}
