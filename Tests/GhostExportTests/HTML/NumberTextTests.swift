import TestSupport
import Testing

@testable import GhostExport

struct NumberTextTests {
  @Test("Numbers are written as differences in zigzag encoding, with five bits per character")
  func byHand() {
    var text = NumberText(columns: 1)
    // 0, −1 − 0 = −1 → 1, 16 − −1 = 17 → 34 = 2 + 32 × 1.
    for value in [0.0, -1, 16] { text.append(value) }
    #expect(text.text == "ABiB")
  }

  @Test("Encoded numbers are decoded to the same numbers")
  func roundTrip() {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    var rows: [[Double]] = [[0, 0], [1e15, -1e15], [-1e15, 1e15], [0, 0]]
    for _ in 0..<2000 {
      let magnitude = Double(1 << Int.random(in: 0...40, using: &generator))
      rows.append((0..<2).map { _ in Double.random(in: -magnitude...magnitude, using: &generator).rounded() })
    }
    var text = NumberText(columns: 2)
    for row in rows { text.append(row[0], row[1]) }
    #expect(Unfolding.rows(text.text, columns: 2) == rows)
    #expect(text.text.utf8.allSatisfy { $0 != 60 && $0 != 34 && $0 != 92 && $0 != 38 && $0 < 127 })
  }

  @Test("Not-a-number and infinity are written as zero, large numbers are clamped")
  func notANumber() {
    var text = NumberText(columns: 1)
    for value in [Double.nan, .infinity, 1e300] { text.append(value) }
    #expect(Unfolding.rows(text.text, columns: 1) == [[0], [0], [1e15]])
  }
}
