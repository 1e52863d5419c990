import TestSupport
import Testing
import TrackModel

@testable import GhostExport

struct ThinningTests {
  @Test("A drive at an even pace keeps its ends only")
  func even() {
    let steps = (0..<1000).map(Double.init)
    let thinning = Thinning(
      latitudes: steps.map { 10 + $0 * 1e-5 }, longitudes: steps.map { 20 + $0 * 1e-5 }, measures: steps)
    #expect(thinning.rows(0..<1000, bound: 0.5) == [0, 999])
  }

  @Test("A stop on a straight road stays, though its shape does not need it")
  func stop() {
    // Ten steps of 11 m, then standing for ten, then on.
    let latitudes = (0..<30).map { 10 + Double($0 < 10 ? $0 : max(10, $0 - 10)) * 1e-4 }
    let thinning = Thinning(
      latitudes: latitudes, longitudes: Array(repeating: 0, count: 30), measures: (0..<30).map(Double.init))
    #expect(thinning.rows(0..<30, bound: 1) == [0, 10, 20, 29])
  }

  @Test("At the antimeridian the short way counts")
  func antimeridian() {
    let longitudes = [179.9998, 179.9999, -180, -179.9999, -179.9998]
    let thinning = Thinning(
      latitudes: Array(repeating: 0, count: 5), longitudes: longitudes, measures: [0, 1, 2, 3, 4])
    #expect(thinning.rows(0..<5, bound: 0.5) == [0, 4])
  }

  @Test("No ghost is farther from its recording than the bound", arguments: [1.0, 4, 16])
  func bound(bound: Double) {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    var latitudes = [60.0]
    var longitudes = [179.9]
    var times = [0.0]
    for _ in 0..<5000 {
      latitudes.append(latitudes[latitudes.count - 1] + Double.random(in: -1e-4...2e-4, using: &generator))
      let next = longitudes[longitudes.count - 1] + Double.random(in: -1e-4...2e-4, using: &generator)
      longitudes.append(next > 180 ? next - 360 : next)
      times.append(times[times.count - 1] + Double.random(in: 0...2, using: &generator))
    }
    let thinning = Thinning(latitudes: latitudes, longitudes: longitudes, measures: times)
    let rows = thinning.rows(0..<times.count, bound: bound)
    #expect(rows.first == 0 && rows.last == times.count - 1)
    #expect(rows.count < times.count)
    func place(_ row: Int) -> Coordinate {
      Coordinate(latitude: latitudes[row], longitude: longitudes[row])
    }
    for (from, to) in zip(rows, rows.dropFirst()) {
      for row in from...to {
        let share = times[to] > times[from] ? (times[row] - times[from]) / (times[to] - times[from]) : 0
        let drawn = Geodesy.interpolate(from: place(from), to: place(to), fraction: share)
        #expect(Geodesy.distance(from: drawn, to: place(row)) <= bound)
      }
    }
  }
}
