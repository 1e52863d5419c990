/// Leaves out points of a line that nobody would miss.
enum LineThinning {
  /// A division that cuts off a single point each time takes the square of the points; so long a stretch at a
  /// time it stays linear in all of them.
  private static let stretch = 2048

  /// The rows that stay, ascending, first and last among them: no point that is left out lies farther than
  /// the tolerance from the line that is left. The algorithm of Ramer, Douglas and Peucker.
  static func rows(_ rows: Range<Int>, of columns: MapColumns, tolerance: Double) -> [Int] {
    guard rows.count > 2 else { return Array(rows) }
    var isKept = [Bool](repeating: false, count: rows.count)
    isKept[0] = true
    for first in stride(from: 0, to: rows.count - 1, by: stretch) {
      let last = min(first + stretch, rows.count - 1)
      isKept[last] = true
      var open = [(first, last)]
      while let (first, last) = open.popLast() {
        guard
          let middle = farthest(
            between: rows.lowerBound + first, and: rows.lowerBound + last, of: columns, beyond: tolerance)
        else { continue }
        let kept = middle - rows.lowerBound
        isKept[kept] = true
        open.append((first, kept))
        open.append((kept, last))
      }
    }
    return isKept.indices.compactMap { isKept[$0] ? rows.lowerBound + $0 : nil }
  }

  private static func farthest(
    between first: Int, and last: Int, of columns: MapColumns, beyond tolerance: Double
  ) -> Int? {
    guard last - first > 1 else { return nil }
    let startX = columns.x[first]
    let startY = columns.y[first]
    let alongX = columns.x[last] - startX
    let alongY = columns.y[last] - startY
    let square = alongX * alongX + alongY * alongY
    var farthest: Int?
    var greatest = tolerance * tolerance
    for index in (first + 1)..<last {
      let x = columns.x[index] - startX
      let y = columns.y[index] - startY
      // To the segment, not to the line: a way out and back has to keep its turn.
      let fraction = square > 0 ? max(0, min(1, (x * alongX + y * alongY) / square)) : 0
      let offX = x - fraction * alongX
      let offY = y - fraction * alongY
      let distance = offX * offX + offY * offY
      if distance > greatest {
        greatest = distance
        farthest = index
      }
    }
    return farthest
  }
}
