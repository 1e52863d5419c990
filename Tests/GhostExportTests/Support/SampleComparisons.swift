import GhostExport
import GhostModel
import Synchronization
import TrackModel

@testable import DriveMatching

/// Named comparisons of each kind that an export can show.
enum SampleComparisons {
  static let names = ["duel", "names", "many", "disjoint", "reversed", "even", "tie", "antimeridian"]

  /// The comparisons that tests have used so far.
  private static let documents = Mutex<[String: ComparisonDocument]>([:])

  static func document(_ name: String) throws -> ComparisonDocument {
    if let document = documents.withLock({ $0[name] }) { return document }
    let traces = try traces(name)
    let document = ComparisonDocument(try DriveComparison.compare(traces), traces: traces)
    documents.withLock { $0[name] = document }
    return document
  }

  private static func traces(_ name: String) throws -> [TimedDrive] {
    let road = SampleRoad(length: 11_300)
    let tuesday = SampleDrive(
      label: "Tuesday", pace: 14, stops: [(2300, 35), (6100, 70), (9300, 25)], idleAtStart: 95, idleAtEnd: 60,
      seed: 3)
    let thursday = SampleDrive(
      label: "Thursday", pace: 14.6, stops: [(2300, 12), (8000, 40)], idleAtStart: 40, idleAtEnd: 130, seed: 8
    )
    let detour = road.detour(from: 4200, to: 5400, width: 420)
    switch name {
    case "names":
      var first = tuesday
      var second = thursday
      first.label = #"</script><script>alert("x")</script> & <b>bold</b> 🚗"#
      second.label = "Grüße \u{202E}'quoted' `tick` \\u003c --> ]]> 👩‍👩‍👧 \u{1}"
      return [try first.trace(on: road), try second.trace(on: detour)]
    case "many":
      return try (0..<6).map { number in
        let drive = SampleDrive(
          label: "Day \(number + 1)", pace: 13 + 0.5 * Double(number * 5 % 6),
          stops: [(2300, Double(number * 17 % 40)), (6100, Double(number * 29 % 60))], idleAtStart: 30,
          seed: UInt64(number + 2))
        return try drive.trace(on: number == 4 ? detour : road)
      }
    case "disjoint":
      var elsewhere = thursday
      elsewhere.origin = Coordinate(latitude: 48.25, longitude: 16.3)
      return [try tuesday.trace(on: road), try elsewhere.trace(on: SampleRoad(length: 8000, heading: 2))]
    case "reversed": return [try tuesday.trace(on: road), try thursday.trace(on: road.reversed)]
    case "even":
      var untimed = thursday
      untimed.hasTimestamps = false
      return [try tuesday.trace(on: road), try untimed.trace(on: road)]
    case "tie":
      var again = tuesday
      again.label = "Tuesday again"
      again.seed = 3
      return [try tuesday.trace(on: road), try again.trace(on: road)]
    case "antimeridian":
      var first = tuesday
      var second = thursday
      first.origin = Coordinate(latitude: -16.8, longitude: 179.96)
      second.origin = first.origin
      return [try first.trace(on: road), try second.trace(on: detour)]
    default: return [try tuesday.trace(on: road), try thursday.trace(on: detour)]
    }
  }
}
