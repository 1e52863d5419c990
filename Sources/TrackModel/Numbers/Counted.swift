/// Counts and durations as text.
package enum Counted {
  /// Formats a count: `1 point`, `2 points`.
  ///
  /// - Parameter plural: nil adds an s to the noun.
  package static func of(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Formats seconds with explicit units: `1 h`, `1 h 30 min`, `-0.5 s`.
  package static func duration(_ seconds: Double) -> String {
    guard abs(seconds) < 1e12 else { return "\(seconds) s" }
    let microseconds = Int((abs(seconds) * 1e6).rounded())
    let minutes = microseconds / 60_000_000
    var parts: [String] = []
    if minutes >= 60 { parts.append("\(minutes / 60) h") }
    if minutes % 60 > 0 { parts.append("\(minutes % 60) min") }
    let rest = microseconds % 60_000_000
    if rest > 0 || parts.isEmpty {
      var text = "\(rest / 1_000_000)"
      if rest % 1_000_000 > 0 {
        var fraction = String(rest % 1_000_000 + 1_000_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        text += "." + fraction
      }
      parts.append(text + " s")
    }
    return (seconds < 0 && microseconds > 0 ? "-" : "") + parts.joined(separator: " ")
  }

  /// Formats a number of removed points: `name: 3 of 10 points removed`, or `nil` if none was.
  package static func leftOut(_ name: String, _ count: Int, of total: Int) -> String? {
    count == 0 ? nil : "\(name): \(count) of \(of(total, "point")) removed"
  }

  /// The suffix for removed points that had names or other details, or an empty string.
  package static func details(_ count: Int) -> String {
    count == 0 ? "" : ", with the names or other details of \(of(count, "point"))"
  }
}
