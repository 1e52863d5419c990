import CommandLineParsing
import DriveLibrary
import GhostExport
import TrackModel

extension GhostConvert {
  struct LibraryListOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var period: Period?
    var json = false
    var display = DisplayOptions()

    /// The periods of totals.
    enum Period: String, CaseIterable, ArgumentValue { case month, year }
  }

  static let libraryListCommand: Command = Command(
    "list", summary: "List the drives of a library",
    discussion: """
      Prints one line per drive, ordered by start: the shortest unique prefix of its id, its start in local \
      time, duration, distance and name. The last line has the totals. The distance and the duration of a \
      ride that several devices recorded count once.
      """,
    defaults: LibraryListOptions(),
    parameters: [
      .option(
        "--by", \.period, value: "PERIOD", "Print the totals of each month or year instead of the drives."),
      .flag("--json", \.json, "Print one JSON object per line."), .quiet, .utc, .units, .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library list", "list all drives of drives.gpkg"),
      Example(
        "ghost-convert library list --since 2025-01 --until 2025-03", "list the drives of three months"),
      Example(
        "ghost-convert library list --near 52.52,13.40 --radius 1km",
        "list the drives that passed near a place"),
      Example(
        "ghost-convert library list --by month --kind cycling", "print the distance cycled in each month"),
      Example("ghost-convert library list --json | jq -r .id", "print the full ids"),
    ], operandHint: LibraryPath.operandHint
  ) { (options: LibraryListOptions) throws(UsageError) -> Int32 in
    try options.selection.check()
    return options.withLibrary { library throws(TrackError) in
      let length = try options.json ? 0 : library.distinctIdentifierLength()
      var totals = DriveTotals()
      var periods: [DriveTotals] = []
      var rides = RecordedRides(library)
      try library.forEachDrive(options.selection.filter) { drive throws(TrackError) in
        let newShare = try rides.add(drive)
        totals.add(drive, newShare: newShare)
        if let period = options.period {
          let name = drive.startTime.map { period == .month ? LocalTime.month($0) : LocalTime.year($0) }
          if periods.last?.period != name || periods.isEmpty { periods.append(DriveTotals(period: name)) }
          periods[periods.count - 1].add(drive, newShare: newShare)
        } else if options.json {
          Console.print(drive.json)
        } else {
          if totals.drives == 1 { Console.print(DriveLine.heading(identifierLength: length)) }
          Console.print(DriveLine.text(drive, identifierLength: length))
        }
      }
      if options.json {
        for period in periods { Console.print(period.json) }
      } else if totals.drives == 0 {
        let all = try library.count
        Console.print(
          all == 0 ? "the library is empty" : "none of the library's \(Counted.of(all, "drive")) matches")
      } else {
        if let period = options.period {
          Console.print(DriveTotals.table(periods, period.rawValue).joined(separator: "\n"))
        }
        if !Console.isQuiet { Console.print("\n" + totals.text) }
      }
      return ExitStatus.success
    }
  }
}
