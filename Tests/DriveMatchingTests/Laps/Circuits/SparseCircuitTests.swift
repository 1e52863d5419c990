import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Circuits with only a few fixes per lap")
struct SparseCircuitTests {
  /// Laps of a circuit of 1,400 m at about 17 m/s, 80 s each, after the first 200 m of its first straight.
  private static func drive(laps: Int) -> SimulatedDrive {
    var road = SimulatedRoad().straight(200)
    for _ in 0..<laps {
      road = road.arc(300, turning: 180).straight(400).arc(300, turning: 180).straight(400)
    }
    return SimulatedDrive(road, speed: 17.5, sway: 0.06)
  }

  /// Returns the largest error of the starts of complete laps in seconds, and the number of these laps.
  private func laps(_ course: LapCourse, _ drive: SimulatedDrive, _ trace: TimedDrive) -> (Double, Int) {
    let laps = course.sessions(of: [trace])[0].laps.filter(\.isComplete)
    let errors = laps.enumerated().map { index, lap in
      abs(lap.start - drive.time(at: 50 + 1400 * Double(index)))
    }
    return (errors.max() ?? 0, laps.count)
  }

  @Test("Every lap of 80 s is timed to seconds with a fix every 30 s")
  func regular() throws {
    let drive = Self.drive(laps: 14)
    let trace = try drive.trace("a", .every(30), noise: 2.5)
    let (error, count) = laps(try LapCourse(gate: LapCourseTests.gate, in: [trace]), drive, trace)
    #expect(count == 14)
    // A fifth of the interval between fixes.
    #expect(error < 6)
  }

  @Test("The first fixes of recordings determine the circuit of the others")
  func examined() {
    let paths = [300, 300, 50].map { count in
      let places = (0..<count).map { EarthFixed.vector(latitude: 46, longitude: Double($0) / 100) }
      return SmoothPath(places, times: (0..<count).map { 30 * Double($0) })
    }
    #expect(SparseCircuit.examined(paths).map(\.count) == [300, SparseCircuit.most.examined - 300])
  }

  @Test("A pause of months does not add points for each lap that fits in it")
  func pause() throws {
    let trace = try Self.drive(laps: 12).trace("a", .every(30), noise: 2.5)
    let elapsed = trace.elapsed.enumerated().map { $1 + ($0 < trace.count / 2 ? 0 : 1e7) }
    let coordinates = (0..<trace.count).map {
      Coordinate(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
    }
    let path = SmoothPath(try TimedDrive(label: "a", coordinates: coordinates, elapsed: elapsed))
    let filled = SparseCircuit.filled([path], through: nil)[0]
    #expect(filled.count > path.count)
    #expect(filled.count < 251_000)
  }

  @Test("The most probable way is that of the smallest sum of costs")
  func ways() {
    let costs = (0..<80).map { Double($0 * 37 % 53) }
    let advance = PaceTransition(in: 30, lap: 90, positions: 80)
    let best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    let applied = advance.applied(to: costs)
    for position in 0..<80 {
      let sums = (0..<80).map { other in
        let cost = advance.costs[(position - other + 80) % 80]
        return cost < 7 || other == best ? costs[other] + cost : .infinity
      }
      #expect(applied[position] == sums.min())
      #expect(advance.origin(of: position, costs) == sums.firstIndex(of: applied[position]))
    }
  }

  @Test("A road that is driven once stays as it is")
  func noCircuit() throws {
    let road = SimulatedRoad().straight(3000).arc(900, turning: 90).straight(4000).arc(800, turning: -70)
      .straight(5000)
    let path = SmoothPath(try SimulatedDrive(road, speed: 15, sway: 0.3).trace("a", .every(30), noise: 2.5))
    #expect(SparseCircuit.filled([path], through: nil)[0].count == path.count)
  }

  @Test("Dense fixes stay as they are")
  func dense() throws {
    let path = SmoothPath(try Self.drive(laps: 3).trace("a", noise: 2.5))
    #expect(SparseCircuit.filled([path], through: nil)[0].count == path.count)
  }
}
