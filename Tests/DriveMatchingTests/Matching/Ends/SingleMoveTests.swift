import CMath
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("A single move between two waits")
struct SingleMoveTests {
  /// A car that stands 30 s, moves, stands 40 s, and may return. It accelerates and brakes with 1.5 m/s².
  private struct Car {
    var way: Double
    var returns = false
    /// The duration of the move in seconds: half of the way takes √(way / 1.5).
    var duration: Double { 2 * (way / 1.5).squareRoot() }

    /// The metres along the road at a moment.
    func along(_ moment: Double) -> Double {
      let back = 30 + duration + 15
      if returns, moment > back { return way - moved(moment - back) }
      return moved(moment - 30)
    }

    private func moved(_ seconds: Double) -> Double {
      let rest = max(duration - seconds, 0)
      return seconds < duration / 2 ? 0.75 * max(seconds, 0) * max(seconds, 0) : way - 0.75 * rest * rest
    }
  }

  private static func move(_ times: [Double], _ along: [Double], _ aside: [SIMD3<Double>]) -> SingleMove? {
    SingleMove(times, along, aside, LargestAdvance(times, along, aside))
  }

  /// Finds the move in fixes once per second whose errors are a random walk.
  ///
  /// - Parameter drift: the standard deviation of a step on each axis in metres.
  private static func move(
    drift: Double, seed: UInt64, returning: Double = 0.9, _ along: (Double) -> Double
  ) -> SingleMove? {
    var generator = SeededGenerator(seed: seed)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) } * drift
    }
    let times = (0..<90).map(Double.init)
    var error = (along: 0.0, aside: 0.0)
    var (alongs, asides): ([Double], [SIMD3<Double>]) = ([], [])
    for time in times {
      // Errors return to zero, like those of receivers.
      error = (returning * error.along + normal(), returning * error.aside + normal())
      alongs.append(along(time) + error.along)
      asides.append(SIMD3(error.aside, 0, 0))
    }
    return move(times, alongs, asides)
  }

  @Test("A move of 10 m among errors of about 1 m is found with its times")
  func found() {
    let car = Car(way: 10)
    let moves = (UInt64(1)...40).compactMap { Self.move(drift: 0.5, seed: $0, car.along) }
    #expect(moves.count >= 36)
    for move in moves {
      #expect(abs(move.start.time - 30) < 2)
      #expect(abs(move.end.time - 30 - car.duration) < 2)
      #expect(abs(move.end.along - move.start.along - 10) < 3)
    }
  }

  @Test("A second move after it shows a queue, the drift does not")
  func secondMove() throws {
    for seed in UInt64(1)...20 {
      let car = Car(way: 12)
      let moves = (
        one: Self.move(drift: 0.2, seed: seed, car.along),
        two: Self.move(drift: 0.2, seed: seed) { car.along($0) + 0.7 * car.along($0 - 25) }
      )
      #expect(try #require(moves.one).isOnly)
      #expect(try !#require(moves.two).isOnly)
    }
  }

  @Test("The drift of a parked receiver is no move", arguments: 1...100 as ClosedRange<UInt64>)
  func parked(seed: UInt64) {
    #expect(Self.move(drift: 0.3 + 0.01 * Double(seed), seed: seed) { _ in 0 } == nil)
  }

  @Test(
    "The drift of a receiver that smooths its positions is not a move",
    arguments: 1...40 as ClosedRange<UInt64>)
  func smoothDrift(seed: UInt64) {
    // Errors with a standard deviation of 4 m that keep their direction for some seconds.
    var generator = SeededGenerator(seed: seed)
    func errors() -> [Double] {
      let decay = exp(-1 / 7.0)
      var (fast, slow) = (0.0, 0.0)
      let raw = (0..<600).map { _ -> Double in
        let normal = (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
        fast = decay * fast + normal
        slow = decay * slow + (1 - decay) * fast
        return slow
      }
      let deviation = (raw.reduce(0) { $0 + $1 * $1 } / Double(raw.count)).squareRoot()
      return raw.map { 4 / deviation * $0 }
    }
    let (along, aside) = (errors(), errors().map { SIMD3($0, 0, 0) })
    #expect(Self.move((0..<600).map(Double.init), along, aside) == nil)
  }

  @Test("A jump, a slow drift, a settling position, and a move forth and back are no single move")
  func others() {
    for seed in UInt64(1)...10 {
      #expect(Self.move(drift: 0.4, seed: seed) { $0 < 30 ? 0 : 20 } == nil)
      #expect(Self.move(drift: 0.4, seed: seed) { min(max($0 - 20, 0) * 0.5, 12) } == nil)
      #expect(Self.move(drift: 0.4, seed: seed) { max(2 - $0, 0) * 15 } == nil)
      #expect(Self.move(drift: 0.4, seed: seed, Car(way: 15, returns: true).along) == nil)
    }
  }

  @Test("Few fixes and fixes of one moment show no move")
  func few() {
    #expect(Self.move([], [], []) == nil)
    #expect(Self.move([5], [0], [.zero]) == nil)
    #expect(Self.move([5, 5], [0, 20], [.zero, .zero]) == nil)
    #expect(Self.move([0, 5, 20], [0, 20, 20], [.zero, .zero, .zero]) == nil)
  }
}
