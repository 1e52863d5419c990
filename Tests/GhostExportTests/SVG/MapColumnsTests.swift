import TestSupport
import Testing
import TrackModel

@testable import GhostExport

struct MapColumnsTests {
  @Test("A straight line keeps only its ends; a turn is kept")
  func straight() {
    let there = MapColumns(x: (0...100).map(Double.init), y: (0...100).map { Double($0) * 2 })
    #expect(LineSimplification.rows(0..<101, of: there, tolerance: 0.01) == [0, 100])
    let back = MapColumns(x: [0, 5, 10, 5, 0], y: [0, 0, 0, 0, 0])
    #expect(LineSimplification.rows(0..<5, of: back, tolerance: 1) == [0, 2, 4])
    #expect(LineSimplification.rows(1..<3, of: back, tolerance: 1) == [1, 2])
  }

  @Test("Removed rows are within the tolerance of the line")
  func bound() {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    var columns = MapColumns()
    var place = MapPoint(x: 0, y: 0)
    for _ in 0..<5000 {
      place.x += .random(in: -3...10, using: &generator)
      place.y += .random(in: -6...6, using: &generator)
      columns.append(place)
    }
    let rows = LineSimplification.rows(0..<5000, of: columns, tolerance: 8)
    #expect(rows.first == 0 && rows.last == 4999 && rows.count < 2500)
    for (before, after) in zip(rows, rows.dropFirst()) {
      let along = (x: columns.x[after] - columns.x[before], y: columns.y[after] - columns.y[before])
      let length = (along.x * along.x + along.y * along.y).squareRoot()
      for row in before...after where length > 0 {
        let off = (x: columns.x[row] - columns.x[before], y: columns.y[row] - columns.y[before])
        #expect(abs(along.x * off.y - along.y * off.x) / length <= 8 + 1e-9)
      }
    }
  }
}
