import Testing
import TrackModel

@testable import GhostModel

@Suite("Drives of a route against the fastest")
struct RouteComparisonTests {
  /// Marks every 25 m.
  private static func marks(_ metres: Int) -> [Double] {
    stride(from: 0, through: metres, by: 25).map { Double($0) }
  }

  /// A drive that takes so many seconds for each 25 m, and is elsewhere at some of them.
  private static func passage(
    _ pace: (Int) -> Double, marks: Int, away: Range<Int> = 0..<0, isTimed: Bool = true
  ) -> RoutePassage {
    var elapsed: [Double] = []
    var time = 10.0
    for mark in 0..<marks {
      elapsed.append(away.contains(mark) ? .nan : time)
      time += pace(mark)
    }
    return RoutePassage(elapsed: elapsed, hasTimestamps: isTimed)
  }

  private static func compare(_ marks: [Double], _ passages: [RoutePassage]) -> RouteComparison {
    RouteComparison(marks: marks, passages) { Coordinate(latitude: 0, longitude: marks[$0] / 1e6) }
  }

  @Test("The best of all legs add up to what no drive did")
  func theoreticalBest() {
    let marks = Self.marks(4000)
    // 160 steps: the first takes 1 s a step on the first half and 3 s on the second, the second the other way round, the
    // third 2.25 s everywhere.
    let passages = [
      Self.passage({ $0 < 80 ? 1 : 3 }, marks: 161), Self.passage({ $0 < 80 ? 3 : 1 }, marks: 161),
      Self.passage({ _ in 2.25 }, marks: 161),
    ]
    let result = Self.compare(marks, passages)
    #expect(result.entries.map(\.drive) == [0, 1, 2])
    #expect(result.entries.map(\.duration) == [320, 320, 360])
    #expect(result.entries.map(\.gap) == [0, 0, 40])
    #expect(result.usualDuration == 320)
    #expect(result.length == 4000)
    // 4,000 m in legs of 500 m.
    #expect(result.legs.map(\.from) == stride(from: 0.0, to: 4000, by: 500).map { $0 })
    #expect(result.legs.map(\.to) == stride(from: 500.0, through: 4000, by: 500).map { $0 })
    #expect(result.legs.map(\.best) == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(result.legs.allSatisfy { $0.bestDuration == 20 && $0.usualDuration == 45 && !$0.isDetour })
    #expect(result.theoreticalBest == 160)
    #expect(result.legs[1].start == Coordinate(latitude: 0, longitude: 500e-6))
  }

  @Test("Where ways part there is one leg for all roads, and it can be won on either")
  func detour() throws {
    let marks = Self.marks(4000)
    // One of three is elsewhere from 1,525 m to 2,475 m, and is there in 30 s instead of 80 s.
    let passages = [
      Self.passage({ _ in 2 }, marks: 161), Self.passage({ _ in 2 }, marks: 161),
      Self.passage({ (60..<100).contains($0) ? 0.75 : 2.5 }, marks: 161, away: 61..<100),
    ]
    let result = Self.compare(marks, passages)
    let detours = result.legs.filter(\.isDetour)
    let leg = try #require(detours.first)
    #expect(detours.count == 1)
    #expect((leg.from, leg.to) == (1500, 2500))
    #expect(leg.durations == [80, 80, 30])
    #expect(leg.best == 2)
    #expect(leg.bestLeftRoad)
    #expect(leg.leftRoad == 1)
    #expect(zip(result.legs, result.legs.dropFirst()).allSatisfy { $0.to == $1.from })
    // 320 s without the detour's 80 s, and its 30 s.
    #expect(result.theoreticalBest == 270)
    #expect(result.entries.map(\.duration) == [320, 320, 330])
  }

  @Test("What one in ten did elsewhere makes no leg of its own; that drive has no time there")
  func rareDetour() {
    let marks = Self.marks(2000)
    let passages = (0..<10).map { number in
      Self.passage({ _ in 1 + Double(number) }, marks: 81, away: number == 9 ? 30..<35 : 0..<0)
    }
    let result = Self.compare(marks, passages)
    #expect(result.legs.filter(\.isDetour).isEmpty)
    // Legs of 500 m: marks 0, 20, 40, 60 and 80. It was at all of them, and off the road on the second.
    #expect(result.legs.map(\.leftRoad) == [0, 1, 0, 0])
    #expect(result.entries.count == 10)
  }

  @Test("A drive that is not at both ends of what all drove is not ranked, and wins legs all the same")
  func partial() {
    let marks = Self.marks(2000)
    var passages = (0..<10).map { _ in Self.passage({ _ in 2 }, marks: 81) }
    passages[4] = Self.passage({ _ in 1 }, marks: 81, away: 0..<30)
    let result = Self.compare(marks, passages)
    #expect(result.uncompared == [4])
    #expect(result.entries.count == 9)
    #expect(result.legs.map(\.best) == [0, 0, 4, 4])
    #expect(result.theoreticalBest == 120)
  }

  @Test("Guessed times win no leg against recorded ones, and do where there are no others")
  func guessed() {
    let marks = Self.marks(2000)
    let timed = Self.passage({ _ in 2 }, marks: 81)
    let guessed = Self.passage({ _ in 1 }, marks: 81, isTimed: false)
    let mixed = Self.compare(marks, [timed, guessed])
    #expect(mixed.entries.map(\.drive) == [1, 0])
    #expect(mixed.legs.allSatisfy { $0.best == 0 })
    #expect(Self.compare(marks, [guessed, guessed]).legs.allSatisfy { $0.best == 0 })
  }

  @Test("Drives that share nothing with the map are named, nothing more")
  func nothing() {
    let marks = Self.marks(1000)
    let off = RoutePassage(elapsed: Array(repeating: .nan, count: marks.count))
    let result = Self.compare(marks, [off, off])
    #expect(result.entries.isEmpty && result.legs.isEmpty)
    #expect(result.uncompared == [0, 1])
    #expect(result.theoreticalBest == nil && result.usualDuration == nil && result.length == 0)
    let one = Self.compare(marks, [off, Self.passage({ _ in 1 }, marks: marks.count)])
    #expect(one.entries.map(\.drive) == [1])
    #expect(one.uncompared == [0])
  }
}
