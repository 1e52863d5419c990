import TestSupport
import Testing

@testable import GhostExport

struct MotionThinningTests {
  @Test("Uniform motion keeps only its ends, with at most 256 rows between two kept rows")
  func even() {
    let times = (0..<200).map(Double.init)
    #expect(MotionThinning.rows(times: times, x: times, y: times, tolerance: 0.1) == [0, 199])
    let long = (0...1024).map(Double.init)
    #expect(MotionThinning.rows(times: long, x: long, y: long, tolerance: 0.1) == [0, 256, 512, 768, 1024])
  }

  @Test("A stop on a straight road is kept, although the line does not need it")
  func stop() {
    let times = (0...60).map(Double.init)
    let x = times.map { $0 < 20 ? $0 * 10 : $0 < 40 ? 200 : 200 + ($0 - 40) * 10 }
    let rows = MotionThinning.rows(times: times, x: x, y: times.map { _ in 0 }, tolerance: 0.001)
    #expect(rows == [0, 20, 40, 60])
  }

  @Test("Two positions with the same time are both kept")
  func jump() {
    let rows = MotionThinning.rows(times: [0, 1, 1, 2], x: [0, 1, 50, 51], y: [0, 0, 0, 0], tolerance: 1)
    #expect(rows == [0, 1, 2, 3])
  }

  @Test("Fewer than three rows are not changed", arguments: 0...2)
  func few(count: Int) {
    let column = (0..<count).map(Double.init)
    #expect(MotionThinning.rows(times: column, x: column, y: column, tolerance: 1) == Array(0..<count))
  }

  @Test("Every removed row is within the tolerance of the interpolated position at its time")
  func bound() {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    for tolerance in [0.5, 3, 20] {
      var times = [0.0]
      var x = [0.0]
      var y = [0.0]
      for _ in 0..<3000 {
        let step = Bool.random(using: &generator) ? 1.0 : Double(Int.random(in: 0...3, using: &generator))
        times.append(times[times.count - 1] + step)
        let isStanding = Int.random(in: 0..<4, using: &generator) == 0
        x.append(x[x.count - 1] + (isStanding || step == 0 ? 0 : .random(in: -2...15, using: &generator)))
        y.append(y[y.count - 1] + (isStanding || step == 0 ? 0 : .random(in: -5...5, using: &generator)))
      }
      let rows = MotionThinning.rows(times: times, x: x, y: y, tolerance: tolerance)
      #expect(rows.first == 0 && rows.last == 3000)
      #expect(rows.count < 3001)
      for (before, after) in zip(rows, rows.dropFirst()) {
        for row in before...after where times[after] > times[before] {
          let part = (times[row] - times[before]) / (times[after] - times[before])
          #expect(abs(x[before] + (x[after] - x[before]) * part - x[row]) <= tolerance + 1e-9)
          #expect(abs(y[before] + (y[after] - y[before]) * part - y[row]) <= tolerance + 1e-9)
        }
      }
    }
  }
}
