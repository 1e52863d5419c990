/// Writes the `d` attribute of an SVG path.
enum PathText {
  /// Returns lines in whole units, as differences of rounded coordinates so that rounding errors do not
  /// accumulate.
  static func lines(_ columns: MapColumns) -> String {
    var text = ""
    append(columns, to: &text)
    return text
  }

  /// Appends a line to a path.
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
    // With round caps, a line of zero length is drawn as a dot.
    if isEmpty { text += "0 0" }
  }

  /// Returns a line with one decimal, for a plot in pixels.
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
