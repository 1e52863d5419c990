import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite("Splitting at stops")
struct SplitStopStageTests {
  /// Points on the equator at numbers of seconds and metres.
  private static func points(_ fixes: [(seconds: Double, metres: Double)]) -> PointColumns {
    var points = PointColumns()
    for fix in fixes {
      points.append(
        Coordinate(latitude: 0, longitude: fix.metres / 111_194.926_644_6), time: .test(fix.seconds))
    }
    return points
  }

  /// The position in metres of a car that drives 6 km at 10 m/s, stops for 900 s, and drives on for 600 s. At
  /// rest, the receiver is up to 8 m off.
  private static func metres(_ second: Int) -> Double {
    switch second {
    case ..<600: 10 * Double(second) + 5
    case ..<1500: 6000 + [0, 8, -8, 3][second % 4]
    default: 6005 + 10 * Double(second - 1500)
    }
  }

  private static func seconds(_ seconds: ClosedRange<Int>) -> [Double?] { seconds.map { Double($0) } }

  private static func trip(_ seconds: some Sequence<Int>) -> PointColumns {
    points(seconds.map { (Double($0), metres($0)) })
  }

  private func run(_ segments: PointColumns..., stop: Double = 600, capacity: Int = 4096) -> StageRun {
    let items =
      [.header, .event(.beginTrack(TrackInfo(name: "Day")))]
      + segments.flatMap { StreamItem.segment($0) } + [.event(.endTrack)]
    return StageRun(items, [SplitStopStage(seconds: stop)], capacity: capacity)
  }

  @Test("A stop splits a track, and its points are removed", arguments: [1, 7, 4096])
  func stop(capacity: Int) {
    let run = run(Self.trip(0...2100), capacity: capacity)
    // The tracks end and begin within 30 m of the place.
    #expect(run.lines.map(\.seconds) == [Self.seconds(0...597), Self.seconds(1502...2100)])
    #expect(
      run.items.compactMap { item -> String? in
        guard case .event(.beginTrack(let info)) = item else { return nil }
        return info.name
      } == ["Day", "Day (2)"])
    #expect(run.summary == "split-stops: 1 stop of 10 min or longer, 904 points removed")
  }

  @Test("A shorter stop and slow traffic split nothing")
  func shorter() {
    let points = Self.trip(0...2100)
    let stopped = run(points, stop: 1000)
    #expect(stopped.lines == [points] && stopped.summary == nil)
    // 0.2 m/s are 120 m in ten minutes.
    let jam = Self.points((0...3600).map { (Double($0), 0.2 * Double($0)) })
    #expect(run(jam).lines == [jam])
  }

  @Test("A single position that is off does not end a stop")
  func outlier() {
    let points = Self.points((0...2100).map { (Double($0), Self.metres($0) + ($0 == 1000 ? 400 : 0)) })
    #expect(run(points).lines.count == 2)
  }

  @Test("Stops at the start and the end of a track are removed")
  func ends() {
    let run = run(Self.trip(700...1900), Self.trip([]))
    #expect(run.lines.filter { !$0.isEmpty }.map(\.seconds) == [Self.seconds(1502...1900)])
    let arrival = self.run(Self.trip(100...1400))
    #expect(arrival.lines.map(\.seconds) == [Self.seconds(100...597)])
    #expect(self.run(Self.trip(700...1400)).lines.allSatisfy { $0.isEmpty })
  }

  @Test(
    "Two stops next to each other are one stop without a track between them", arguments: [1, 7, 4096])
  func neighbours(capacity: Int) {
    // At 6000 m for 700 s, at 6130 m for 900 s, and on.
    var metres = (0..<1300).map { Self.metres($0) }
    for second in 0..<900 { metres.append(Self.metres(600 + second % 4) + 130) }
    for second in 1500...2100 { metres.append(Self.metres(second) + 130) }
    let points = Self.points(metres.enumerated().map { (Double($0.offset), $0.element) })
    let lines = run(points, capacity: capacity).lines.filter { !$0.isEmpty }
    #expect(lines.count == 2)
    #expect(lines.first?.seconds == Self.seconds(0...597))
    #expect(lines.last?.seconds == Self.seconds(2202...2800))
  }

  @Test("A time without points at one place is a stop", arguments: [1, 4096])
  func gap(capacity: Int) {
    let seconds = Array(0...600) + Array(1500...2100)
    #expect(
      run(Self.trip(seconds), capacity: capacity).lines.map(\.seconds)
        == [Self.seconds(0...600), Self.seconds(1502...2100)])
    // In another segment.
    #expect(
      run(Self.trip(0...600), Self.trip(1500...2100), capacity: capacity).lines.map(\.seconds)
        == [Self.seconds(0...600), Self.seconds(1502...2100)])
  }

  @Test("The track after a stop does not begin with a point long before the departure")
  func lateFix() {
    let seconds = Array(0...1300) + Array(2000...2400)
    let fixes = seconds.map { (Double($0), $0 < 1500 ? Self.metres($0) : 6200 + 10 * Double($0 - 2000)) }
    #expect(run(Self.points(fixes)).lines.map(\.seconds).last == Self.seconds(2000...2400))
  }

  @Test("Tracks of a day with sparse positions at home are its trips", arguments: [1, 100, 4096])
  func sparse(capacity: Int) {
    // Positions every ten minutes at both ends, and every 20 s on the way of 18 km.
    var fixes: [(seconds: Double, metres: Double)] = []
    for day in 0..<3 {
      let start = Double(day) * 86_400
      for step in 0...90 { fixes.append((start + 20 * Double(step), 200 * Double(step))) }
      for step in 1...50 { fixes.append((start + 1800 + 600 * Double(step), 18_000 + Double(step % 3))) }
      for step in 0...90 { fixes.append((start + 36_000 + 20 * Double(step), 200 * Double(90 - step))) }
      for step in 1...70 { fixes.append((start + 37_800 + 600 * Double(step), Double(step % 3))) }
    }
    let lines = run(Self.points(fixes), capacity: capacity).lines
    #expect(lines.map(\.count) == Array(repeating: 91, count: 6))
    let arrivals: [Double] = [1800, 37_800, 88_200, 124_200, 174_600, 210_600]
    #expect(lines.compactMap { $0.seconds.last ?? nil } == arrivals)
  }

  @Test(
    "Every point is kept once in its order, or counted, whatever the size of the batches", arguments: 1...40)
  func points(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var fixes: [(seconds: Double, metres: Double)] = []
    var (time, place) = (0.0, 0.0)
    for _ in 0..<12 {
      let speed = Bool.random(using: &generator) ? 0 : Double.random(in: -20...20, using: &generator)
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        let step = Double([1, 5, 30, 400].randomElement(using: &generator) ?? 1)
        time += step
        place += speed * min(step, 30)
        fixes.append((time, place + .random(in: -15...15, using: &generator)))
      }
    }
    let points = Self.points(fixes)
    let whole = run(points)
    #expect(run(points, capacity: Int.random(in: 1...50, using: &generator)).items == whole.items)
    let kept: [Int64] = whole.lines.flatMap { $0.times }
    let ordered = kept.sorted()
    #expect(kept == ordered)
    #expect(Set(kept).count == kept.count)
    #expect(Set(kept).isSubset(of: points.times))
    let removed: Int
    if let match = (whole.summary ?? "").firstMatch(of: /, (\d+) points? removed/) {
      removed = Int(match.1) ?? 0
    } else {
      removed = 0
    }
    #expect(points.count - kept.count == removed)
  }

  @Test("Routes and points outside tracks are unchanged")
  func routes() {
    let items: [StreamItem] = [
      .header, .event(.beginRoute(TrackInfo())), .points(Self.trip(600...1500)), .event(.endRoute),
    ]
    #expect(StageRun(items, [SplitStopStage(seconds: 60)]).items == items)
  }
}
