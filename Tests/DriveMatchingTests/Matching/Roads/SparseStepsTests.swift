import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Times between sparse fixes")
struct SparseStepsTests {
  /// A drive of 12 km to the north: 5 m/s on the first 300 m of each kilometre, 10 m/s otherwise, and an
  /// optional stop after 1,500 m.
  private static func seconds(at metres: Double, stop: Double) -> Double {
    let slow = (metres / 1000).rounded(.down) * 300 + min(metres.truncatingRemainder(dividingBy: 1000), 300)
    return (metres + slow) / 10 + (metres > 1500 ? stop : 0)
  }

  private static func line(every step: Double, stop: Double, pace: Double = 1) throws -> MatchablePolyline {
    var fixes = stride(from: 0, through: 12_000, by: step).map { ($0, pace * seconds(at: $0, stop: stop)) }
    if step < 100, stop > 0 {
      // Fixes of the stationary car.
      let arrival = pace * seconds(at: 1500, stop: stop)
      fixes.insert(
        contentsOf: stride(from: 1, through: pace * stop, by: 1).map { (1500, arrival + $0) },
        at: fixes.firstIndex { $0.0 > 1500 } ?? fixes.count)
    }
    return MatchablePolyline(
      try TimedDrive(
        label: "a", coordinates: fixes.map { Coordinate(latitude: 47 + $0.0 / 111_180, longitude: 8) },
        elapsed: fixes.map(\.1)))
  }

  /// Returns the errors in seconds of the times at which a drive with a fix every 400 m passes places
  /// between its fixes.
  private static func errors(
    _ sparse: MatchablePolyline, _ dense: MatchablePolyline, _ expected: (Double) -> Double
  ) -> [Double] {
    let lines = SparseSteps(SharedRoad(dense, sparse)).lines
    return stride(from: 405, to: 11_000, by: 50).map { metres in
      let line = lines.second
      return abs(line.passage(at: metres, in: line.segment(at: metres)).departure - expected(metres))
    }
  }

  @Test("A recording of the same drive passes all places at the same times", arguments: [0.0, 40])
  func sameDrive(stop: Double) throws {
    let errors = Self.errors(
      try Self.line(every: 400, stop: stop), try Self.line(every: 10, stop: stop)
    ) { Self.seconds(at: $0, stop: stop) }
    // At an even pace they would be up to 11 s. The first metres after a stop count as stationary.
    #expect(errors.allSatisfy { $0 < 2 })
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(mean < 0.5)
  }

  @Test("A longer or shorter stop is where the other drive stops", arguments: [15.0, 90])
  func otherStop(stop: Double) throws {
    let errors = Self.errors(
      try Self.line(every: 400, stop: stop), try Self.line(every: 10, stop: 40)
    ) { Self.seconds(at: $0, stop: stop) }
    #expect(errors.allSatisfy { $0 < 2 })
  }

  @Test("A drive without the other's stop does not stop")
  func noStop() throws {
    let errors = Self.errors(try Self.line(every: 400, stop: 0), try Self.line(every: 10, stop: 40)) {
      Self.seconds(at: $0, stop: 0)
    }
    #expect(errors.allSatisfy { $0 < 2 })
  }

  @Test("Dense fixes keep their times")
  func denseFixes() throws {
    let lines = Paired(try Self.line(every: 20, stop: 40), try Self.line(every: 10, stop: 0, pace: 1.2))
    let steps = SparseSteps(SharedRoad(lines.first, lines.second))
    #expect(steps.lines.first.isCopy(of: lines.first) && steps.lines.second.isCopy(of: lines.second))
  }
}
