import DriveMatching
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

/// Segments and their passages in a library.
@Suite("Segments of a library")
struct DriveLibrarySegmentsTests {
  /// A straight road to the north, one point for each 22 m.
  private static let road = (0...60).map { Coordinate(latitude: 46.5 + 0.0002 * Double($0), longitude: 7.5) }
  private static let segment = Result { try RoadSegment(name: "bend", line: Array(road[20...40])) }

  @Test("A library without segments has no passages")
  func none() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([.over(Self.road)])
    #expect(try library.segments().isEmpty)
    #expect(try library.segment(named: "bend") == nil)
    #expect(try library.passages(of: "bend").isEmpty)
    #expect(try !library.removeSegment(named: "bend"))
  }

  @Test("Passages are ordered by the start of their drives, undated ones last, and filtered by time and kind")
  func passages() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let first = Instant(microseconds: 1_714_500_000_000_000)
    let second = Instant(microseconds: 1_714_600_000_000_000)
    try library.add([.over(Self.road, name: "undated", start: nil)], hash: "a")
    try library.add([.over(Self.road, name: "second", start: second, kind: "cycling")], hash: "b")
    try library.add([.over(Self.road, name: "first", start: first, kind: "driving")], hash: "c")
    #expect(try library.add(Self.segment.get()).passages == 3)
    let all = try library.passages(of: "bend")
    #expect(all.map(\.name) == ["first", "second", "undated"])
    // One second per point, and 20 steps between the ends.
    for passage in all { #expect(abs(passage.passage.duration - 20) < 0.01) }
    var filter = LibraryFilter()
    filter.until = second
    #expect(try library.passages(of: "bend", filter).map(\.name) == ["first"])
    filter = LibraryFilter()
    filter.since = second
    #expect(try library.passages(of: "bend", filter).map(\.name) == ["second"])
    filter = LibraryFilter()
    filter.kind = "cycling"
    #expect(try library.passages(of: "bend", filter).map(\.name) == ["second"])
    #expect(try library.passages(of: "other").isEmpty)
  }

  @Test(
    "The latest passage is not that of the drive that began last, and drives added later have passages too")
  func order() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add(Self.segment.get())
    let start = Instant(microseconds: 1_714_500_000_000_000)
    // Waits for 100 s at the first place.
    try library.add(
      [.over(Array(repeating: Self.road[0], count: 100) + Self.road, name: "long", start: start)], hash: "a")
    try library.add([.over(Self.road, name: "short", start: start.advanced(bySeconds: 30))], hash: "b")
    #expect(try library.passages(of: "bend").map(\.name) == ["short", "long"])
  }

  @Test("A drive whose line cuts off a bend at the end of a segment passes it")
  func bendBetweenFixes() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    // 1 km to the east, and 1.5 km to the north. Fixes are 500 m before the corner and 500 m after it, so that
    // the chord is 350 m from the corner and 140 m from the end of the segment, 300 m before the corner.
    func place(_ metres: Double) -> Coordinate {
      let (east, north) = (min(metres, 1000), max(metres - 1000, 0))
      return Coordinate(latitude: 46.5 + north / 111_160, longitude: 7.5 + east / 76_740)
    }
    let fixes = (0...5).map { place(100 * Double($0)) } + (0...10).map { place(1500 + 100 * Double($0)) }
    try library.add([.over(fixes)])
    #expect(try library.candidates(for: [place(100), place(700)]).count == 1)
    // 600 m from the chord.
    let far = Coordinate(latitude: 46.5, longitude: 7.5 + 1350 / 76_740)
    #expect(try library.candidates(for: [place(100), far]).isEmpty)
  }

  @Test("Passages are the same without the index of their drives, and the next segment creates it again")
  func index() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([.over(Self.road, name: "one")])
    try library.add(Self.segment.get())
    func count() throws -> Int64 {
      try library.database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'drives_of_passages'")
        ?? 0
    }
    #expect(try count() == 1)
    let passages = try library.passages(of: "bend")
    #expect(passages.map(\.name) == ["one"])
    try library.database.execute("DROP INDEX drives_of_passages")
    #expect(try library.passages(of: "bend") == passages)
    try library.add(RoadSegment(name: "other", line: Array(Self.road[10...30])))
    #expect(try count() == 1)
  }

  @Test(
    "A ride that two devices recorded has one passage and a recording of it; the next day is another ride")
  func sameRide() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    let start = Instant(microseconds: 1_714_500_000_000_000)
    let later = Instant(microseconds: 1_714_586_400_000_000)
    try library.add([.over(Self.road, name: "phone", start: start)], hash: "a")
    // One metre to the east.
    let beside = Self.road.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude + 0.000013) }
    try library.add([.over(beside, name: "watch", start: start)], hash: "b")
    try library.add([.over(Self.road, name: "tomorrow", start: later)], hash: "c")
    #expect(try library.add(Self.segment.get()).passages == 2)
    let passages = try library.passages(of: "bend")
    #expect(passages.map { $0.original == nil } == [true, false, true])
    #expect(passages[1].original?.drive == passages[0].drive)
    #expect(passages[1].original?.start == passages[0].passage.start)
    let listed = try #require(try library.segments().first)
    #expect(listed.passages == 2)
    #expect(listed.best == [passages[0], passages[2]].map(\.passage.duration).min())
  }

  @Test("Consecutive laps of two devices are recordings of the lap at the same time")
  func consecutiveLaps() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    // A square with sides of 30 steps of 22 m, driven three times.
    let square = (0..<120).map { step -> Coordinate in
      let (side, along) = (step / 30, Double(step % 30))
      let (north, east) = [(along, 0), (30, along), (30 - along, 30), (0, 30 - along)][side]
      return Coordinate(latitude: 46.5 + 0.0002 * north, longitude: 7.5 + 0.0003 * east)
    }
    let laps = Array(square[100...]) + square + square + square + Array(square[...20])
    let start = Instant(microseconds: 1_714_500_000_000_000)
    try library.add([.over(laps, name: "phone", start: start)], hash: "a")
    // One metre to the east, a third of a second later.
    let beside = laps.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude + 0.000013) }
    let later = Instant(microseconds: start.microseconds + 333_333)
    try library.add([.over(beside, name: "watch", start: later)], hash: "b")
    let lap = Array(square[10...]) + Array(square[...10])
    #expect(try library.add(RoadSegment(name: "lap", line: lap)).passages == 3)
    #expect(try library.segments().map(\.passages) == [3])
    let passages = try library.passages(of: "lap")
    let watch = passages.filter { $0.name == "watch" }
    #expect(passages.filter { $0.original == nil }.map(\.name) == ["phone", "phone", "phone"])
    for passage in watch {
      let original = try #require(passage.original)
      #expect(abs(original.start - passage.passage.start) < 1)
    }
  }

  @Test("Each route becomes one segment with the passages of its drives")
  func routes() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    for (index, name) in ["a", "b", "c"].enumerated() {
      let start = Instant(microseconds: 1_714_500_000_000_000 + Int64(index) * 86_400_000_000)
      try library.add([.over(Self.road, name: "Commute", start: start)], hash: name)
    }
    let routes = RouteFinder.routes(among: try library.routeDrives())
    #expect(routes.map(\.count) == [3])
    var added: [Int] = []
    for _ in 1...2 {
      try library.addSegments(of: routes, named: { _ in "commute" }) { added.append($0.passages) }
    }
    #expect(added == [3])
    #expect(try library.segments().map(\.segment.name) == ["commute"])
    #expect(try library.segments().map(\.passages) == [3])
    // Another road with the same name.
    for (index, name) in ["d", "e"].enumerated() {
      let start = Instant(microseconds: 1_715_500_000_000_000 + Int64(index) * 86_400_000_000)
      let road = Self.road.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude + 0.02) }
      try library.add([.over(road, name: "Commute", start: start)], hash: name)
    }
    let all = RouteFinder.routes(among: try library.routeDrives())
    for _ in 1...2 {
      try library.addSegments(of: all, named: { _ in "commute" }) { added.append($0.passages) }
    }
    #expect(added == [3, 2])
    #expect(try library.segments().map(\.segment.name) == ["commute", "commute (2)"])
    let ends = (Self.road[0], Self.road[Self.road.count - 1])
    #expect(try library.traces(from: ends.0, to: ends.1).map(\.label) == ["Commute", "Commute", "Commute"])
    #expect(try library.traces(from: ends.0, to: Coordinate(latitude: 47, longitude: 7.5)).isEmpty)
  }

  @Test("A name is unique, and removing a segment removes its passages but no drive")
  func removal() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([.over(Self.road)])
    try library.add(Self.segment.get())
    expectError(.usage) { try library.add(Self.segment.get()) }
    #expect(try library.segments().map(\.passages) == [1])
    #expect(try !library.removeSegment(named: "other"))
    #expect(try library.removeSegment(named: "bend"))
    #expect(try library.segments().isEmpty)
    #expect(try library.database.integer("SELECT count(*) FROM passages") == 0)
    #expect(try library.drives().count == 1)
  }

  @Test("Texts in place of the numbers of a passage are read as 0")
  func otherTypes() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add([.over(Self.road)])
    #expect(try library.add(Self.segment.get()).passages == 1)
    try library.database.execute(
      """
      UPDATE passages SET distance_m = 'a', maximum_speed_mps = 'b', waiting_s = 'c', uncertainty_s = 'd';
      UPDATE drives SET name = x'00'
      """)
    let entry = try #require(try library.passages(of: "bend").first)
    let passage = entry.passage
    #expect(entry.name == "" && abs(passage.duration - 20) < 0.01)
    #expect([passage.distance, passage.maximumSpeed, passage.waiting, passage.uncertainty] == [0, 0, 0, 0])
  }

  @Test("A segment whose line is damaged is skipped, and so is a damaged drive when passages are searched")
  func damage() throws {
    let folder = try TemporaryLibrary()
    let library = try DriveLibrary(path: folder.path, mode: .creating)
    try library.add(Self.segment.get())
    try library.database.execute("UPDATE segments SET geom = x'00'")
    #expect(try library.segments().isEmpty)
    #expect(try library.segment(named: "bend") == nil)
    try library.add([.over(Self.road)])
    #expect(try library.removeSegment(named: "bend"))
    try library.database.execute(
      "UPDATE drives SET coordinates_data = x'00'; UPDATE recordings SET data = x'00'")
    let added = try library.add(Self.segment.get())
    #expect(try added.passages == 0 && added.damagedDrives == library.drives().map(\.id))
  }
}
