import Testing
import TrackModel

@testable import DriveMatching

@Suite("Comparison of a route's drives with the fastest")
struct RouteComparisonTests {
  /// Returns the distances of marks every 25 m, up to `metres`.
  private static func marks(_ metres: Int) -> [Double] {
    stride(from: 0, through: metres, by: 25).map { Double($0) }
  }

  /// Returns a drive that takes `pace` seconds for each 25 m and is on another road at the marks `away`.
  private static func passage(
    _ pace: (Int) -> Double, marks: Int, away: Range<Int> = 0..<0, isTimed: Bool = true, moving: Double = 1000
  ) -> RoutePassage {
    var elapsed: [Double] = []
    var time = 10.0
    for mark in 0..<marks {
      elapsed.append(away.contains(mark) ? .nan : time)
      time += pace(mark)
    }
    return RoutePassage(elapsed: elapsed, hasTimestamps: isTimed, movingDuration: moving)
  }

  private static func compare(_ marks: [Double], _ passages: [RoutePassage]) -> RouteComparison {
    RouteComparison(marks: marks, passages) { Coordinate(latitude: 0, longitude: marks[$0] / 1e6) }
  }

  @Test("The theoretical best is the sum of the best legs of all drives")
  func theoreticalBest() {
    let marks = Self.marks(4000)
    // 160 steps of 25 m. The first drive takes 1 s per step on the first half and 3 s on the second, the
    // second drive the reverse, the third drive 2.25 s everywhere.
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

  @Test(
    "A leg is forsaken if most drives used another road than the map", arguments: [(1, 0), (2, 1), (3, 1)])
  func forsaken(others: Int, expected: Int) {
    let marks = Self.marks(4000)
    // Two or three of the three drives were on another road.
    let passages = (0..<3).map { index in
      Self.passage({ _ in 2 }, marks: 161, away: index < others ? 61..<100 : 0..<0)
    }
    #expect(Self.compare(marks, passages).mostlyLeftLegs == expected)
  }

  @Test("The roads between a divergence and a convergence are one leg, which any of them can win")
  func detour() throws {
    let marks = Self.marks(4000)
    // One of three drives is on another road from 1,525 m to 2,475 m, with 30 s instead of 80 s.
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
    // 320 s without the 80 s of the leg, plus the 30 s of the detour.
    #expect(result.theoreticalBest == 270)
    #expect(result.entries.map(\.duration) == [320, 320, 330])
  }

  @Test("A detour of one drive in ten is not a separate leg; that drive has no time there")
  func rareDetour() {
    let marks = Self.marks(2000)
    let passages = (0..<10).map { number in
      Self.passage({ _ in 1 + Double(number) }, marks: 81, away: number == 9 ? 30..<35 : 0..<0)
    }
    let result = Self.compare(marks, passages)
    #expect(result.legs.filter(\.isDetour).isEmpty)
    // Legs of 500 m between the marks 0, 20, 40, 60 and 80. The drive passed all of them, but left the road
    // on the second leg.
    #expect(result.legs.map(\.leftRoad) == [0, 1, 0, 0])
    #expect(result.entries.count == 10)
  }

  @Test("A drive without both ends of the common road is not ranked, but can win legs")
  func partial() {
    let marks = Self.marks(2000)
    var passages = (0..<10).map { _ in Self.passage({ _ in 2 }, marks: 81) }
    passages[4] = Self.passage({ _ in 1 }, marks: 81, away: 0..<30)
    let result = Self.compare(marks, passages)
    #expect(result.unranked == [.init(drive: 4, reason: .notAtStart, isFaster: false)])
    #expect(result.entries.count == 9)
    #expect(result.legs.map(\.best) == [0, 0, 4, 4])
    #expect(result.theoreticalBest == 120)
  }

  @Test("Drives that begin or end some metres later or earlier are ranked, all over the same distance")
  func endsApart() {
    let marks = Self.marks(4000)
    var passages = (0..<50).map { number in
      Self.passage({ _ in 2 + Double(number) / 100 }, marks: 161)
    }
    // Starts 25, 100 and 275 m after the others; one end 75 m before the others.
    passages[7] = Self.passage({ _ in 1.5 }, marks: 161, away: 0..<1)
    passages[8] = Self.passage({ _ in 3 }, marks: 161, away: 0..<4)
    passages[9] = Self.passage({ _ in 3 }, marks: 161, away: 0..<11)
    passages[3] = Self.passage({ _ in 3 }, marks: 161, away: 158..<161)
    let result = Self.compare(marks, passages)
    #expect(result.unranked.isEmpty)
    #expect(result.entries.count == 50)
    #expect((result.legs.first?.from, result.legs.last?.to) == (275, 3925))
    // 146 steps of 25 m.
    #expect(result.entries.first?.drive == 7)
    #expect(result.entries.first?.duration == 219)
  }

  @Test(
    "The compared distance is shortened no more than necessary, and not for a drive that began too far away")
  func endsKept() {
    let marks = Self.marks(4000)
    var passages = (0..<20).map { _ in Self.passage({ _ in 2 }, marks: 161) }
    let whole = Self.compare(marks, passages)
    #expect((whole.legs.first?.from, whole.legs.last?.to) == (0, 4000))
    // Marks 0 to 12 are within 300 m.
    passages[5] = Self.passage({ _ in 2 }, marks: 161, away: 0..<13)
    let beyond = Self.compare(marks, passages)
    #expect((beyond.legs.first?.from, beyond.legs.last?.to) == (0, 4000))
    #expect(beyond.unranked == [.init(drive: 5, reason: .notAtStart, isFaster: false)])
  }

  @Test(
    "A drive without a rank has a reason, and is marked if it was faster than the ranked ones",
    arguments: [
      (0..<30, RouteComparison.Unranked.Reason.notAtStart), (50..<81, .notAtEnd), (0..<81, .otherRoad),
    ])
  func reasons(away: Range<Int>, reason: RouteComparison.Unranked.Reason) {
    let marks = Self.marks(2000)
    var passages = (0..<20).map { Self.passage({ _ in 2 }, marks: 81, moving: 165 + Double($0)) }
    passages[19] = Self.passage({ _ in 1 }, marks: 81, away: away, moving: 164)
    #expect(
      Self.compare(marks, passages).unranked == [.init(drive: 19, reason: reason, isFaster: true)])
    passages[19] = Self.passage({ _ in 1 }, marks: 81, away: away, moving: 166)
    #expect(
      Self.compare(marks, passages).unranked == [.init(drive: 19, reason: reason, isFaster: false)])
    // At neither end, but on the road between them.
    passages[19] = RoutePassage(elapsed: (0..<81).map { (30..<50).contains($0) ? Double($0) : .nan })
    #expect(Self.compare(marks, passages).unranked.map(\.reason) == [.notAtEnds])
  }

  @Test("Estimated times win a leg only if no drive has recorded times")
  func guessed() {
    let marks = Self.marks(2000)
    let timed = Self.passage({ _ in 2 }, marks: 81)
    let guessed = Self.passage({ _ in 1 }, marks: 81, isTimed: false)
    let mixed = Self.compare(marks, [timed, guessed])
    #expect(mixed.entries.map(\.drive) == [1, 0])
    #expect(mixed.legs.allSatisfy { $0.best == 0 })
    #expect(Self.compare(marks, [guessed, guessed]).legs.allSatisfy { $0.best == 0 })
  }

  @Test("Drives that share nothing with the map are listed without a rank")
  func nothing() {
    let marks = Self.marks(1000)
    let off = RoutePassage(elapsed: Array(repeating: .nan, count: marks.count))
    let result = Self.compare(marks, [off, off])
    #expect(result.entries.isEmpty && result.legs.isEmpty)
    #expect(result.unranked.map(\.drive) == [0, 1])
    #expect(result.unranked.allSatisfy { $0.reason == .otherRoad })
    #expect(result.theoreticalBest == nil && result.usualDuration == nil && result.length == 0)
    let one = Self.compare(marks, [off, Self.passage({ _ in 1 }, marks: marks.count)])
    #expect(one.entries.map(\.drive) == [1])
    #expect(one.unranked == [.init(drive: 0, reason: .otherRoad, isFaster: false)])
  }
}
