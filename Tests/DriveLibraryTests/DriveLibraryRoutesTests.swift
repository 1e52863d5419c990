import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel
import TrackTransforms

@testable import DriveMatching

@Suite("Routes of a library")
struct DriveLibraryRoutesTests {
  /// Returns drives of a road of 3 km to the north-east and of the way back, each driven several times, some
  /// metres apart.
  private static func drives(using generator: inout SeededGenerator) -> [NewLibraryDrive] {
    (0..<10).map { number in
      let shift = Double.random(in: -3e-5...3e-5, using: &generator)
      let way = (0...200).map { step in
        Coordinate(latitude: 46.5 + Double(step) * 1e-4 + shift, longitude: 7.5 + Double(step) * 1.5e-4)
      }
      return .over(
        number < 6 ? way : way.reversed(), name: number < 6 ? "There" : "Back",
        start: Instant(secondsSince1970: 1.7e9 + Double(number) * 86_400), kind: "driving")
    }
  }

  @Test("Drives that are read from the library equal those that were added, and result in the same routes")
  func routes() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let drives = Self.drives(using: &generator)
    let temporary = try TemporaryLibrary()
    let library = try DriveLibrary(path: temporary.path, mode: .creating)
    try library.add(drives.shuffled(using: &generator))
    // A drive without a line is not part of any route.
    try library.add([.over([Coordinate(latitude: 1, longitude: 1)], name: "Point")], hash: "point")
    let read = try library.routeDrives()
    let given = drives.compactMap { RouteDrive($0.drive) }
    #expect(Set(read.map(\.id)) == Set(given.map(\.id)))
    let routes = RouteFinder.routes(among: read)
    #expect(routes == RouteFinder.routes(among: given))
    #expect(routes.map(\.name) == ["There", "Back"])
    #expect(routes.map(\.count) == [6, 4])
    // No two of the drives are at the same time.
    #expect(read.allSatisfy { $0.ride == $0.id })
    var filter = LibraryFilter()
    filter.name = "back"
    #expect(try library.routeDrives(filter).count == 4)
  }

  @Test("The drives of a route are ranked, and the newest and its speed are known")
  func newestDrive() throws {
    var generator = SeededGenerator(seed: 11)
    let temporary = try TemporaryLibrary()
    let library = try DriveLibrary(path: temporary.path, mode: .creating)
    try library.add(Self.drives(using: &generator))
    let route = try #require(RouteFinder.routes(among: try library.routeDrives()).first)
    let ranking = try RouteRanking(of: route, in: library) { $0.map(\.name) }
    #expect(ranking.comparison.entries.count == 6)
    #expect(ranking.unreadable.isEmpty && ranking.labels.allSatisfy { $0 == "There" })
    let newest = try #require(ranking.newest)
    let drive = ranking.drives[ranking.comparison.entries[newest].drive]
    #expect(drive.startTime == Instant(secondsSince1970: 1.7e9 + 5 * 86_400))
    // A second per step of 1e-4 degrees of latitude and 1.5e-4 of longitude: 11.12 m and 11.48 m.
    let speed = try #require(ranking.speed(ranking.comparison.entries[newest]))
    #expect(abs(speed - 15.98) < 0.1)
  }

  @Test("A ranking outside a privacy zone tells nothing of the place in it", arguments: [300.0, 900])
  func privacy(radius: Double) throws {
    var generator = SeededGenerator(seed: 11)
    let temporary = try TemporaryLibrary()
    let library = try DriveLibrary(path: temporary.path, mode: .creating)
    try library.add(Self.drives(using: &generator))
    let route = try #require(RouteFinder.routes(among: try library.routeDrives()).first)
    let home = PrivacyStage.Circle(center: route.start, radius: radius)
    let whole = try RouteRanking(of: route, in: library) { $0.map(\.name) }
    let ranking = try RouteRanking(of: route, in: library, outside: [home]) { $0.map(\.name) }
    #expect(ranking.comparison.entries.count == 6)
    // The road in the zone is 15.98 m/s for the radius and the noise of the places.
    let saved = whole.comparison.entries[0].duration - ranking.comparison.entries[0].duration
    #expect(abs(saved - radius / 15.98) < 6, "\(saved)")
    let legs = ranking.comparison.legs
    let places = [ranking.route.start, ranking.route.end] + legs.map(\.start) + legs.map(\.end)
    let shown = try ranking.shownTraces(in: library).flatMap { shown in
      (0..<shown.trace.count).map { shown.trace.coordinate(at: $0) }
    }
    for place in places + shown {
      #expect(Geodesy.distance(from: place, to: home.center) > radius)
    }
    #expect(ranking.route.end == route.end && ranking.hidden.warnings.isEmpty)
    #expect(ranking.hidden.removed > 0 && whole.hidden.removed == 0)
    let elsewhere = PrivacyStage.Circle(center: Coordinate(latitude: 0, longitude: 0), radius: 9)
    let same = try RouteRanking(of: route, in: library, outside: [elsewhere]) { $0.map(\.name) }
    #expect(same.comparison == whole.comparison && same.hidden.warnings.count == 1)
  }

  @Test("The times of dense recordings are as certain among sparse ones")
  func sparseRecordings() throws {
    let temporary = try TemporaryLibrary()
    let library = try DriveLibrary(path: temporary.path, mode: .creating)
    // Five drives with a fix every 30 s, and two with one per second that begin 46 m later.
    for number in 0..<7 {
      let isDense = number >= 5
      let steps = 300 - 6 * number
      let begin = isDense ? 6e-4 : 0
      let way = (0...steps).map { step in
        Coordinate(latitude: 46.5, longitude: 7.5 + begin + (0.06 - begin) * Double(step) / Double(steps))
      }
      let start = try #require(Instant(secondsSince1970: 1.7e9 + Double(number) * 86_400))
      var new = NewLibraryDrive.over(way, name: isDense ? "dense" : "sparse", start: start)
      if !isDense {
        var segment = Recording.Segment()
        for second in stride(from: 0, through: steps, by: 30) {
          segment.append(way[second], time: start.advanced(bySeconds: Double(second)))
        }
        new.recording?.segments = [segment]
      }
      try library.add([new], hash: "\(number)")
    }
    let route = try #require(RouteFinder.routes(among: try library.routeDrives()).first)
    #expect(route.count == 7)
    let ranking = try RouteRanking(of: route, in: library) { $0.map(\.name) }
    let dense = ranking.comparison.entries.filter { ranking.labels[$0.drive] == "dense" }
    // The gap of the fastest drive is that to itself.
    #expect(dense.count == 2 && dense[0].gap == 0)
    #expect(dense[1].uncertainty < 2)
    #expect(ranking.comparison.entries.filter { $0.uncertainty > 2 }.count == 5)
  }

  @Test("A ride that several devices recorded counts once")
  func devices() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let temporary = try TemporaryLibrary()
    let library = try DriveLibrary(path: temporary.path, mode: .creating)
    // Three rides on three days, each recorded by devices that start some seconds apart.
    for (number, late) in [0, 3, 6, 0, 3, 0].enumerated() {
      let day = [0, 0, 0, 1, 1, 2][number]
      let way = (late...400).map { step in
        Coordinate(
          latitude: 46.5 + Double(step) * 1e-4 + .random(in: -2e-5...2e-5, using: &generator),
          longitude: 7.5 + Double(step) * 1.5e-4 + .random(in: -2e-5...2e-5, using: &generator))
      }
      let start = Instant(secondsSince1970: 1.7e9 + Double(day) * 86_400 + Double(late))
      try library.add([.over(way, name: "Ride", start: start)], hash: "\(number)")
    }
    let drives = try library.routeDrives()
    #expect(Set(drives.compactMap(\.ride)).count == 3)
    let route = try #require(RouteFinder.routes(among: drives).first)
    #expect(route.count == 3)
    #expect(route.otherRecordings.count == 3)
  }

  @Test("The drives of a route are ranked by time, without those that cannot be read")
  func ranking() throws {
    let temporary = try TemporaryLibrary()
    let library = try DriveLibrary(path: temporary.path, mode: .creating)
    // The same road with 400, 300 and 200 steps of a second, and once with damaged points.
    for (number, steps) in [400, 300, 200, 250].enumerated() {
      let way = (0...steps).map { step in
        Coordinate(latitude: 46.5, longitude: 7.5 + 0.06 * Double(step) / Double(steps))
      }
      let start = Instant(secondsSince1970: 1.7e9 + Double(number) * 86_400)
      try library.add([.over(way, name: "\(steps)", start: start)], hash: "\(number)")
    }
    let route = try #require(RouteFinder.routes(among: try library.routeDrives()).first)
    #expect(route.count == 4)
    _ = try OtherProgram.sqlite(
      temporary.path,
      "UPDATE recordings SET data = x'00' WHERE drive_id = (SELECT id FROM drives WHERE name = '250')")
    let ranking = try RouteRanking(of: route, in: library) { $0.map(\.name) }
    #expect(ranking.comparison.entries.map { ranking.labels[$0.drive] } == ["200", "300", "400"])
    #expect(ranking.unreadable.count == 1)
    let newest = try #require(ranking.newest)
    #expect(ranking.labels[ranking.comparison.entries[newest].drive] == "200")
  }
}
