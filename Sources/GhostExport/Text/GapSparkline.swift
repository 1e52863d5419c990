public import GhostModel

/// The gap along the shared road as a line of text for a terminal.
///
/// A character for each stretch of the road, from its beginning to its end. The zero line is the space
/// between two rows of bars: upwards the measure is ahead, downwards the drive that is compared with it;
/// level is the lowest bar upwards. A stretch that they did not share is left open.
public enum GapSparkline {
  /// How it is drawn.
  public enum Style: Sendable, Hashable {
    /// Blocks in eighths: `▁▂▃▄▅▆▇█`; downwards in the halves that Unicode has, `▀` and `█`.
    case blocks
    /// `_`, `+` and `#`, for terminals without Unicode.
    case ascii
  }

  /// Two rows, without a line break at the end: above the zero line and below it. Empty where there is no
  /// shared road.
  ///
  /// - Parameters:
  ///   - width: characters, at least 1.
  /// - Complexity: linear in the rows of the profile.
  public static func rows(_ pair: PairComparison, width: Int, style: Style = .blocks) -> [String] {
    let values = columns(pair.profile, width: width)
    let greatest = values.reduce(0) { max($0, abs($1 ?? 0)) }
    guard !values.isEmpty else { return [] }
    let scale = max(greatest, 1)
    return [
      String(values.map { above($0, scale, style) }),
      String(values.map { below($0, scale, style) }),
    ]
  }

  /// The two rows with what they mean: the greatest lead of each drive beside its row. Empty where there is
  /// no shared road.
  ///
  ///     Tuesday   ▁▂▃▅▆█▇▅▂      up to 0:20 ahead
  ///     Thursday           ▀▀██  up to 0:42 ahead
  ///
  /// - Parameters:
  ///   - width: characters of a whole line; what labels need is taken from it. At least 10 are left for the
  ///     bars.
  public static func text(
    _ comparison: DriveComparison, pair: PairComparison, width: Int, style: Style = .blocks
  ) -> String {
    guard comparison.drives.indices.contains(pair.first), comparison.drives.indices.contains(pair.second)
    else { return "" }
    let names = Paired(
      label(comparison.drives[pair.first].label, style), label(comparison.drives[pair.second].label, style))
    let column = max(names.first.count, names.second.count)
    let leads = Paired(
      Quantity.signedLead(pair.profile.gaps.max() ?? 0), Quantity.signedLead(-(pair.profile.gaps.min() ?? 0)))
    let tail = max(leads.first.count, leads.second.count)
    let rows = rows(pair, width: max(10, width - column - tail - 4), style: style)
    guard rows.count == 2 else { return "" }
    return line(names.first, column, rows[0], leads.first) + "\n"
      + line(names.second, column, rows[1], leads.second)
  }

  private static func line(_ name: String, _ column: Int, _ bars: String, _ lead: String) -> String {
    var text = name + String(repeating: " ", count: column - name.count) + "  " + bars + "  " + lead
    while text.last == " " { text.removeLast() }
    return text
  }

  /// A name that leaves room for bars, and that cannot steer a terminal.
  private static func label(_ name: String, _ style: Style) -> String {
    let printable = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            ? "\u{FFFD}" : scalar
        }))
    guard printable.count > 16 else { return printable }
    return style == .ascii ? printable.prefix(13) + "..." : printable.prefix(15) + "…"
  }

  /// The mean gap of each part of the way; nil where nothing is shared.
  private static func columns(_ profile: GapProfile, width: Int) -> [Double?] {
    guard width > 0, let first = profile.distances.first, let last = profile.distances.last,
      profile.distances.count == profile.count, last >= first
    else { return [] }
    guard last > first else { return [profile.gaps.last] }
    let step = (last - first) / Double(width)
    var sums = [Double](repeating: 0, count: width)
    var weights = [Double](repeating: 0, count: width)
    for stretch in profile.stretches {
      for row in stretch.dropFirst() {
        var from = profile.distances[row - 1] - first
        let end = profile.distances[row] - first
        let length = end - from
        guard length > 0 else { continue }
        // A step of the profile may cross several characters, each of which takes its part.
        while from < end {
          let column = min(width - 1, Int(from / step))
          let until = column == width - 1 ? end : min(end, Double(column + 1) * step)
          let middle = ((from + until) / 2 - (end - length)) / length
          let gap = profile.gaps[row - 1] + (profile.gaps[row] - profile.gaps[row - 1]) * middle
          sums[column] += gap * (until - from)
          weights[column] += until - from
          // The end of a character may round to its beginning.
          if until <= from { break }
          from = until
        }
      }
    }
    return zip(sums, weights).map { $1 > 0 ? $0 / $1 : nil }
  }

  private static let eighths = Array("▁▂▃▄▅▆▇█")

  private static func above(_ gap: Double?, _ scale: Double, _ style: Style) -> Character {
    guard let gap, gap.isFinite else { return " " }
    let height = gap / scale
    switch style {
    case .blocks: return height < -1.0 / 16 ? " " : eighths[min(7, max(0, Int((height * 8).rounded()) - 1))]
    case .ascii: return height < -1.0 / 16 ? " " : height <= 1.0 / 16 ? "_" : height > 0.5 ? "#" : "+"
    }
  }

  private static func below(_ gap: Double?, _ scale: Double, _ style: Style) -> Character {
    guard let gap, gap.isFinite else { return " " }
    let depth = -gap / scale
    switch style {
    case .blocks: return depth <= 1.0 / 16 ? " " : depth <= 0.25 ? "▔" : depth <= 0.75 ? "▀" : "█"
    case .ascii: return depth <= 1.0 / 16 ? " " : depth > 0.5 ? "#" : "+"
    }
  }
}

extension Quantity {
  /// `up to 0:42 ahead`, or that it never was.
  static func signedLead(_ seconds: Double) -> String {
    seconds < 0.05 ? "never ahead" : "up to \(duration(seconds)) ahead"
  }
}
