import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension GhostConvert {
  struct LibraryRoutesOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var leastDrives = 2
    var asSegments = false
    var json = false
    var utc = false
    var quiet = false
    var units = UnitSystem.metric
  }

  static let libraryRoutesCommand: Command = Command(
    "routes", summary: "Find the ways that were driven again and again",
    discussion: """
      Drives that begin and end within 150 m of each other, and take the same road in the same direction, are one route: \
      a way round roadworks is still the same, another road between the same places is another route, and so is the way \
      back. One line a route, those with most drives first: how often it was driven, its best and its usual time, the \
      median. Times are those of whole drives, from the first recorded point to the last; library compare ROUTE compares \
      what the drives have in common. A ride that several devices have recorded counts once.

      A route is named by the id of its earliest drive, which stays the same while later drives are added. The id of any \
      other of its drives names it as well.
      """,
    defaults: LibraryRoutesOptions(),
    parameters: [
      .option(
        "--min-drives", \.leastDrives, value: "NUMBER", default: "2", "How many drives make a route.",
        parse: { try leastDrives($0) }),
      .flag(
        "--as-segments", \.asSegments,
        "Add each route to the library as a segment, without the first and the last 200 m."),
      .flag("--json", \.json, "Print one JSON object for scripts."), .quiet(\.quiet), .utc(\.utc),
      .units(\.units),
      .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library routes", "the routes among all drives of drives.gpkg"),
      Example("ghost-convert library routes --min-drives 10 --kind driving", "the commutes"),
      Example("ghost-convert library routes --near 52.52,13.40", "those that come by a place"),
    ], operandHint: LibraryPath.operandHint
  ) { (options: LibraryRoutesOptions) throws(UsageError) -> Int32 in
    LocalTime.isUTC = options.utc
    try options.selection.check()
    return options.withLibrary(options.asSegments ? .writing : .reading) { library throws(TrackError) in
      let drives = try library.routeDrives(options.selection.filter)
      var settings = RouteSettings()
      settings.leastDrives = options.leastDrives
      let table = RouteTable(
        routes: RouteFinder.routes(among: drives, settings: settings), drives: drives.count,
        identifierLength: try library.distinctIdentifierLength())
      if options.asSegments { try library.addSegments(of: table.routes) }
      Console.print(
        options.json
          ? table.json.text
          : UnitSystem.$current.withValue(options.units) { table.lines.joined(separator: "\n") })
      return ExitStatus.success
    }
  }

  private static func leastDrives(_ text: String) throws(InvalidValue) -> Int {
    guard let number = Int(text), number > 0 else { throw InvalidValue("expected a whole number from 1") }
    return number
  }
}

extension DriveLibrary {
  /// Adds routes as segments, each named by its title. Routes that are segments already are skipped.
  fileprivate func addSegments(of routes: [DrivenRoute]) throws(TrackError) {
    for route in routes {
      guard let drive = try drive(route.id) else { continue }
      let name = route.title
      guard try segment(named: name) == nil, let line = try drive.coordinates.withoutEnds(200) else {
        continue
      }
      let segment = try RoadSegment(name: name, line: line)
      let passages = try add(segment)
      Console.note("added segment \(name), \(Counted.of(passages, "passage"))")
    }
  }
}

extension [Coordinate] {
  /// The line without its first and last metres, or nil if less than as many remain.
  fileprivate func withoutEnds(_ metres: Double) -> [Coordinate]? {
    var along: [Double] = []
    for (index, place) in enumerated() {
      along.append(
        index == 0 ? 0 : along[index - 1] + Geodesy.distance(from: self[index - 1], to: place))
    }
    guard let length = along.last, length > 3 * metres else { return nil }
    return indices.filter { along[$0] >= metres && along[$0] <= length - metres }.map { self[$0] }
  }
}
