import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Alignment of drives")
struct ComparisonModesTests {
  /// Two drives of a road with two detours, of which only the second drive uses both.
  private struct Trip {
    let first: SimulatedDrive
    let second: SimulatedDrive
    let traces: [TimedDrive]
    let forks = [(1500.0, 3000.0), (4500, 6000)]
    let extra: Double

    init() throws {
      let road = SimulatedRoad().straight(8000)
      let once = road.detour(over: 1500...3000, offset: 150, angle: 60)
      extra = once.length - road.length
      let shift = Int(extra.rounded())
      let other = once.detour(over: (4500 + shift)...(6000 + shift), offset: 150, angle: 60)
      first = SimulatedDrive(road, speed: 14, stops: [(3800, 30)], idle: (25, 12))
      second = SimulatedDrive(other, speed: 16, stops: [(7500, 20)], idle: (5, 0))
      traces = [try first.trace("first", seed: 31), try second.trace("second", seed: 32)]
    }

    /// Returns the seconds at which both drives pass an anchor.
    func anchor(_ mode: ComparisonMode) -> Paired<Double> {
      switch mode {
      case .startLocation: Paired(25, 5)
      case .endLocation: Paired(first.motionEnd, second.motionEnd)
      case .firstDivergence: Paired(first.time(at: 1500), second.time(at: 1500))
      case .firstConvergence: Paired(first.time(at: 3000), second.time(at: 3000 + extra))
      case .lastDivergence: Paired(first.time(at: 4500), second.time(at: 4500 + extra))
      case .lastConvergence: Paired(first.time(at: 6000), second.time(at: 6000 + 2 * extra))
      }
    }
  }

  @Test("Each mode aligns the clocks at its anchor", arguments: ComparisonMode.allCases)
  func modes(mode: ComparisonMode) throws {
    let trip = try Trip()
    let result = try DriveComparison.compare(trip.traces, mode: mode)
    #expect(result.requestedMode == mode)
    #expect(result.mode == mode)
    #expect(result.fallback == nil)
    let anchor = trip.anchor(mode)
    #expect(result.drives[0].timeOffset == 0)
    #expect(abs(result.drives[1].timeOffset - (anchor.first - anchor.second)) < 3.5)
    // The time that the second drive loses from the anchor to the end or, with the ends aligned, from the
    // start.
    let start = mode == .endLocation ? trip.anchor(.startLocation) : anchor
    let end = trip.anchor(.endLocation)
    let truth = (end.second - start.second) - (end.first - start.first)
    let pair = result.pairs[0]
    #expect(abs((pair.finalGap ?? 0) - truth) < 3.5)
    #expect(result.winner == (truth > 0 ? 0 : 1))
    #expect(abs((result.margin ?? 0) - abs(truth)) < 3.5)
    #expect(pair.uncertainty > 0.1 && pair.uncertainty < 3)
    // The gap is zero at the anchor.
    let row = pair.profile.firstElapsed.indices.min {
      abs(pair.profile.firstElapsed[$0] - anchor.first) < abs(pair.profile.firstElapsed[$1] - anchor.first)
    }
    let gap = pair.profile.gaps[try #require(row)]
    #expect(abs(gap) < 3.5)
  }

  @Test("A mode without an anchor falls back to the start and reports it")
  func fallback() throws {
    let road = SimulatedRoad().winding(8)
    let traces = [
      try SimulatedDrive(road, speed: 13).trace("a", seed: 33),
      try SimulatedDrive(road, speed: 15).trace("b", seed: 34),
    ]
    let result = try DriveComparison.compare(traces, mode: .lastDivergence)
    #expect(result.requestedMode == .lastDivergence)
    #expect(result.mode == .startLocation)
    #expect(result.fallback == .noSuchEvent)
    #expect(result.winner == 1)
  }

  @Test("A divergence that ends the shared road is not a place from which drives are timed")
  func divergenceAtEnd() throws {
    let first = SimulatedDrive(SimulatedRoad().straight(3000), speed: 14)
    let road = SimulatedRoad().straight(2000).arc(200, turning: 90).straight(800)
    let traces = [try first.trace("a"), try SimulatedDrive(road, speed: 12).trace("b")]
    let result = try DriveComparison.compare(traces, mode: .firstDivergence)
    #expect(result.pairs[0].events.map(\.kind) == [.divergence])
    #expect(result.fallback == .noSuchEvent && result.mode == .startLocation)
    #expect(result.winner == 0)
    #expect(result.availableModes == [.startLocation, .endLocation])
  }

  @Test("Idle time counts unless it is trimmed")
  func untrimmed() throws {
    let trip = try Trip()
    var settings = ComparisonSettings()
    settings.trimStartIdle = false
    let kept = try DriveComparison.compare(trip.traces, settings: settings)
    #expect(kept.drives[1].timeOffset == 0)
    #expect(kept.drives.map(\.startIndex) == [0, 0])
    #expect(kept.drives[0].endIndex == trip.traces[0].count - 1)
    settings.trimStartIdle = true
    settings.trimEndIdle = true
    let trimmed = try DriveComparison.compare(trip.traces, settings: settings)
    // One fix per second: the index is the time in seconds.
    #expect(abs(trimmed.drives[0].startIndex - 25) <= 3)
    #expect(abs(Double(trimmed.drives[0].endIndex) - trip.first.motionEnd) < 4)
    #expect(abs(trimmed.drives[0].idleAtEnd - 12) < 3)
    #expect(abs(trimmed.drives[0].duration - (trip.first.motionEnd - 25)) < 5)
    #expect(abs(trimmed.drives[0].distance - 8000) < 250)
  }

  @Test("A stop has separate arrival and departure times, and waiting counts where the stop was")
  func stops() throws {
    let trip = try Trip()
    let result = try DriveComparison.compare(trip.traces)
    let profile = result.pairs[0].profile
    let row = try #require(
      (1..<profile.count).first { row in
        !profile.stretchStarts.contains(row)
          && profile.firstElapsed[row] - profile.firstElapsed[row - 1] > 20
      })
    #expect(profile.distances[row] == profile.distances[row - 1])
    #expect(profile.secondElapsed[row] == profile.secondElapsed[row - 1])
    #expect(abs(profile.gaps[row - 1] - profile.gaps[row] - 30) < 5)
    let legs = result.pairs[0].legs
    #expect(legs.map(\.kind) == [.shared, .detour, .shared, .detour, .shared])
    #expect(legs.map { $0.sides.first.waiting > 0 } == [false, false, true, false, false])
    #expect(legs.map { $0.sides.second.waiting > 0 } == [false, false, false, false, true])
    #expect(zip(profile.firstElapsed, profile.firstElapsed.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(zip(profile.secondElapsed, profile.secondElapsed.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("Several drives are each compared with the first, and the fastest wins")
  func several() throws {
    let road = SimulatedRoad().winding(10)
    let drives = [13.0, 16, 11].map { SimulatedDrive(road, speed: $0) }
    let traces = try drives.enumerated().map { index, drive in
      try drive.trace("\(index)", seed: UInt64(40 + index))
    }
    let result = try DriveComparison.compare(traces)
    #expect(result.pairs.map(\.first) == [0, 0])
    #expect(result.pairs.map(\.second) == [1, 2])
    #expect(result.winner == 1)
    #expect(abs((result.margin ?? 0) - (drives[0].motionEnd - drives[1].motionEnd)) < 3)
    #expect(result.timing == .timestamps)
  }

  @Test(
    "Evenly spaced times are reported, and times that a recorder spread by distance increase the uncertainty")
  func evenTimes() throws {
    let road = SimulatedRoad().winding(10)
    let slow = SimulatedDrive(road, speed: 12, sway: 0.2)
    let fast = SimulatedDrive(road, speed: 15, sway: 0.2)
    let even = try DriveComparison.compare([
      slow.trace("a", seed: 45, even: true), fast.trace("b", seed: 46),
    ])
    #expect(even.timing == .even)
    #expect(even.uncertainty < 3)
    let spread = try DriveComparison.compare([
      slow.trace("a", .metres(10), noise: 0.5, seed: 45, even: true), fast.trace("b", seed: 46),
    ])
    #expect((12...25).contains(spread.uncertainty))
    // The pace on a half may differ from the mean by 3 % of the duration.
    let half = try slow.trace("half", seed: 47)
    let part = try DriveComparison.compare([
      slow.trace("a", .metres(10), noise: 0.5, seed: 45, even: true),
      TimedDrive(
        label: "half", coordinates: (0..<(half.count / 2)).map { half.coordinate(at: $0) },
        elapsed: Array(half.elapsed[..<(half.count / 2)])),
    ])
    #expect(abs(part.uncertainty - (13 * 13 + 9e-4 * slow.duration * slow.duration).squareRoot()) < 4)
  }

  @Test("A drive compared with itself is a tie")
  func tie() throws {
    let trace = try SimulatedDrive(SimulatedRoad().winding(6), speed: 13).trace("a", seed: 47)
    let result = try DriveComparison.compare([trace, trace])
    #expect(result.winner == nil)
    #expect(result.margin == nil)
    #expect(abs(result.pairs[0].finalGap ?? .nan) < 1e-6)
    #expect(result.pairs[0].profile.gaps.allSatisfy { abs($0) < 1e-6 })
  }

  @Test("Fewer than two drives throw an error")
  func tooFew() throws {
    let trace = try SimulatedDrive(SimulatedRoad().straight(500), speed: 13).trace("a")
    expectError(.usage) { try DriveComparison.compare([trace]) }
  }

  @Test("Degenerate drives do not crash the comparison")
  func oddities() throws {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    let place = Coordinate(latitude: 47, longitude: 8)
    var traces = [
      try TimedDrive(label: "still", coordinates: [place, place], elapsed: [0, 0]),
      try TimedDrive(
        label: "leap", coordinates: [place, Coordinate(latitude: -47, longitude: -172)], elapsed: [0, 1]),
      try TimedDrive(
        label: "poles",
        coordinates: [Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 0)],
        elapsed: [0, 1e12]),
      try SimulatedDrive(SimulatedRoad().straight(600), speed: 13).trace("road"),
    ]
    for number in 0..<14 {
      var here = place
      var time = 0.0
      var coordinates: [Coordinate] = []
      var elapsed: [Double] = []
      for _ in 0..<Int.random(in: 2...80, using: &generator) {
        coordinates.append(here)
        elapsed.append(time)
        let step: Double = [0, 1e-6, 1e-4, 1e-3].randomElement(using: &generator) ?? 0
        here.latitude += .random(in: -step...step, using: &generator)
        here.longitude += .random(in: -step...(2 * step), using: &generator)
        let seconds: Double = [0, 0, 1, 1, 5, 600].randomElement(using: &generator) ?? 0
        time += seconds
      }
      traces.append(try TimedDrive(label: "\(number)", coordinates: coordinates, elapsed: elapsed))
    }
    for first in traces {
      let mode = ComparisonMode.allCases.randomElement(using: &generator) ?? .startLocation
      let result = try DriveComparison.compare([first] + traces, mode: mode)
      #expect(result.pairs.count == traces.count)
      for pair in result.pairs {
        #expect(pair.profile.gaps.allSatisfy { $0.isFinite })
        #expect(pair.uncertainty.isFinite)
        #expect((pair.finalGap ?? 0).isFinite)
      }
    }
  }
}
