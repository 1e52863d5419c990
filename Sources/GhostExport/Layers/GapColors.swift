/// How a gap becomes a colour: that of the drive that is ahead, the fuller the more it is ahead, and grey
/// where they are level.
struct GapColors: Sendable, Equatable {
  /// Seconds from one step to the next, a round number.
  let step: Double
  /// How many steps a colour has; the last holds everything beyond.
  static let steps = 4
  static let level = ExportColor(0xC8C8C8)

  /// Seconds: drives that are nearer are level.
  let level: Double

  private static let roundSteps: [Double] = [
    0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600,
  ]

  /// - Parameters:
  ///   - gaps: seconds, all that are shown, whoever is ahead. Nine tenths of them are told apart by their
  ///     step; the few that are larger share the last one.
  ///   - uncertainty: seconds, one standard deviation.
  init(gaps: [Double], uncertainty: Double) {
    let sizes = gaps.map(abs).filter(\.isFinite).sorted()
    let large = sizes.isEmpty ? 0 : sizes[(sizes.count * 9 + 9) / 10 - 1]
    let wanted = large / Double(GapColors.steps)
    step = GapColors.roundSteps.first { $0 >= wanted } ?? 7200
    level = min(step / 2, max(0.5, 2 * uncertainty))
  }

  /// Where a gap lies: 0 for level, up to ``steps`` where the first drive is ahead, down to minus that where
  /// the second is.
  func bucket(_ gap: Double) -> Int {
    let size = abs(gap)
    guard size > level else { return 0 }
    let steps =
      size < step * Double(GapColors.steps) ? max(1, Int((size / step).rounded(.up))) : GapColors.steps
    return gap > 0 ? steps : -steps
  }

  /// The bucket of a gap behind one of another bucket, which it leaves only where it is well outside: else
  /// noise would make a line of crumbs.
  func bucket(_ gap: Double, after last: Int) -> Int {
    let next = bucket(gap)
    guard next != last else { return last }
    let margin = min(level / 2, step / 8)
    return bucket(next > last ? gap - margin : gap + margin) == last ? last : next
  }

  func color(_ bucket: Int, first: ExportColor, second: ExportColor) -> ExportColor {
    guard bucket != 0 else { return GapColors.level }
    let share = 0.25 + 0.75 * Double(abs(bucket)) / Double(GapColors.steps)
    return GapColors.level.mixed(with: bucket > 0 ? first : second, share: share)
  }

  /// What a step holds, whoever is ahead: `up to 0:05`.
  func words(_ step: Int) -> String {
    func text(_ steps: Int) -> String {
      let seconds = self.step * Double(steps)
      return seconds.rounded() == seconds ? Quantity.clock(seconds) : Quantity.duration(seconds)
    }
    return step >= GapColors.steps ? "more than \(text(GapColors.steps - 1))" : "up to \(text(step))"
  }
}

extension ExportColor {
  /// A colour between this one (share 0) and another (share 1).
  func mixed(with other: ExportColor, share: Double) -> ExportColor {
    func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(min(max((Double(from) + (Double(to) - Double(from)) * share).rounded(), 0), 255))
    }
    return ExportColor(
      red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
  }
}
