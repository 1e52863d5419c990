/// The `d` of an SVG path.
enum PathText {
  /// Lines through places, rounded to whole units, written as differences: compact, and without adding up
  /// errors.
  static func lines(_ columns: MapColumns) -> String {
    var text = ""
    append(columns, to: &text)
    return text
  }

  /// Adds another line to a path.
  static func append(_ columns: MapColumns, to text: inout String) {
    guard let firstX = columns.x.first, let firstY = columns.y.first else { return }
    var x = whole(firstX)
    var y = whole(firstY)
    text += "M\(x) \(y)l"
    var isEmpty = true
    for index in columns.x.indices.dropFirst() {
      let nextX = whole(columns.x[index])
      let nextY = whole(columns.y[index])
      guard nextX != x || nextY != y else { continue }
      if !isEmpty { text += " " }
      text += "\(nextX - x) \(nextY - y)"
      (x, y) = (nextX, nextY)
      isEmpty = false
    }
    // A line of no length is drawn as a dot, where its ends are round.
    if isEmpty { text += "0 0" }
  }

  /// Lines through places with one decimal, for a plot that is drawn in pixels.
  static func fineLines(_ columns: MapColumns) -> String {
    var text = ""
    for index in columns.x.indices {
      text += index == 0 ? "M" : "L"
      text += Quantity.fixed(columns.x[index], 1) + " " + Quantity.fixed(columns.y[index], 1)
    }
    return text
  }

  private static func whole(_ value: Double) -> Int {
    value.isFinite ? Int(max(-1e12, min(1e12, value)).rounded()) : 0
  }
}
