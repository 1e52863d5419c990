import TestSupport
import Testing
import TrackModel

struct LineSimplificationTests {
  private func rows(
    _ latitudes: [Double], _ longitudes: [Double], _ measures: [Double], _ tolerance: Double
  ) -> [Int] {
    LineSimplification.rows(
      latitudes.indices, latitudes: latitudes, longitudes: longitudes, tolerance: tolerance
    ) { measures[$0] }
  }

  @Test("A drive at constant speed keeps only its ends")
  func even() {
    let steps = (0..<1000).map(Double.init)
    #expect(rows(steps.map { 10 + $0 * 1e-5 }, steps.map { 20 + $0 * 1e-5 }, steps, 0.5) == [0, 999])
  }

  @Test("A stop on a straight road is kept, although it does not change the shape")
  func stop() {
    // Ten steps of 11 m, ten points in the same position, ten more steps.
    let latitudes = (0..<30).map { (row: Int) -> Double in
      let steps = row < 10 ? row : max(10, row - 10)
      return 10 + Double(steps) * 1e-4
    }
    let longitudes = Array(repeating: 0.0, count: 30)
    #expect(rows(latitudes, longitudes, (0..<30).map(Double.init), 1) == [0, 10, 20, 29])
    // Without times, only the shape is kept.
    #expect(rows(latitudes, longitudes, Array(repeating: .nan, count: 30), 1) == [0, 29])
  }

  @Test("Lines across the antimeridian take the shorter way")
  func antimeridian() {
    let longitudes = [179.9998, 179.9999, -180, -179.9999, -179.9998]
    #expect(rows(Array(repeating: 0, count: 5), longitudes, [0, 1, 2, 3, 4], 0.5) == [0, 4])
  }

  @Test("Only rows of the range are used, and the ends of each 2,048 of them are kept")
  func range() {
    let column = (0..<6000).map { Double($0) * 1e-5 }
    let rows = LineSimplification.rows(100..<5000, latitudes: column, longitudes: column, tolerance: 1) {
      column[$0]
    }
    #expect(rows == [100, 2148, 4196, 4999])
  }

  @Test("The simplified line is never farther from the recording than the bound", arguments: [1.0, 4, 16])
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
    let rows = rows(latitudes, longitudes, times, bound)
    #expect(rows.first == 0 && rows.last == times.count - 1)
    #expect(rows.count < times.count)
    func place(_ row: Int) -> Coordinate {
      Coordinate(latitude: latitudes[row], longitude: longitudes[row])
    }
    for (from, to) in zip(rows, rows.dropFirst()) {
      for row in from...to {
        let share = times[to] > times[from] ? (times[row] - times[from]) / (times[to] - times[from]) : 0
        let drawn = Geodesy.interpolate(from: place(from), to: place(to), fraction: share)
        // Offsets are exact to first order: the relative error is about a millionth at 16 m.
        #expect(Geodesy.distance(from: drawn, to: place(row)) <= bound * 1.000_01)
      }
    }
  }
}
