public import GhostModel
import TrackModel

/// The gap along the shared road as a sparkline for a terminal.
///
/// Each column covers an equal part of the road. The zero line is between two rows of bars: bars above it
/// mean that the first drive is ahead, bars below it that the second is. The lowest bar above the line means
/// level. Columns without shared road are blank.
public enum GapSparkline {
  /// The characters of the bars.
  public enum Style: Sendable, Hashable {
    /// Eighth blocks (`▁▂▃▄▅▆▇█`) above the line, and half blocks (`▀` and `█`) below it.
    case blocks
    /// `_`, `+` and `#`, for terminals without Unicode.
    case ascii
  }

  /// Returns the rows above and below the zero line, without a final line break. Empty if there is no shared
  /// road.
  ///
  /// - Parameters:
  ///   - pair: the comparison of two drives.
  ///   - width: the number of columns, at least 1.
  ///   - style: the characters of the bars.
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

  /// Returns the two rows, each with the drive's name and its largest lead. Empty if there is no shared road.
  ///
  ///     Tuesday   ▁▂▃▅▆█▇▅▂      up to 0:20 ahead
  ///     Thursday           ▀▀██  up to 0:42 ahead
  ///
  /// - Parameters:
  ///   - comparison: the comparison with the names of the drives.
  ///   - pair: the pair of the comparison to draw.
  ///   - width: the length of a line including the labels. The bars get at least 10 columns.
  ///   - style: the characters of the bars.
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

  /// Shortens a name to leave room for the bars, and removes control characters.
  private static func label(_ name: String, _ style: Style) -> String {
    let printable = String(
      String.UnicodeScalarView(name.unicodeScalars.map { $0.isUnprintable ? "\u{FFFD}" : $0 }))
    return printable.shortened(to: 16, mark: style == .ascii ? "..." : "…")
  }

  /// The mean gap of each column, or `nil` for columns without shared road.
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
        // A step of the profile may span several columns; each gets its share.
        while from < end {
          let column = min(width - 1, Int(from / step))
          let until = column == width - 1 ? end : min(end, Double(column + 1) * step)
          let middle = ((from + until) / 2 - (end - length)) / length
          let gap = profile.gaps[row - 1] + (profile.gaps[row] - profile.gaps[row - 1]) * middle
          sums[column] += gap * (until - from)
          weights[column] += until - from
          // The end of a column may round to its start.
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
  /// The largest lead: `up to 0:42 ahead` or `never ahead`.
  static func signedLead(_ seconds: Double) -> String {
    seconds < TimeResolution.current.smallest ? "never ahead" : "up to \(duration(seconds)) ahead"
  }
}
