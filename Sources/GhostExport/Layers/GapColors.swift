/// Maps a gap to a colour: the colour of the drive that is ahead, more saturated for a larger lead, and grey
/// if they are level.
struct GapColors: Sendable, Equatable {
  /// The seconds per colour step, a round number.
  let step: Double
  /// The number of steps per colour. The last step includes all larger gaps.
  static let steps = 4
  static let level = ExportColor(0xC8C8C8)

  /// The gap in seconds below which drives are level.
  let level: Double

  private static let roundSteps: [Double] = [
    0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600,
  ]

  /// - Parameters:
  ///   - gaps: all displayed gaps in seconds, regardless of sign. The steps cover the lowest nine tenths; the
  ///     largest tenth shares the last step.
  ///   - uncertainty: the standard deviation of the gaps, in seconds.
  init(gaps: [Double], uncertainty: Double) {
    let sizes = gaps.map(abs).filter(\.isFinite).sorted()
    let large = sizes.isEmpty ? 0 : sizes[(sizes.count * 9 + 9) / 10 - 1]
    let wanted = large / Double(GapColors.steps)
    step = GapColors.roundSteps.first { $0 >= wanted } ?? 7200
    level = min(step / 2, max(0.5, 2 * uncertainty))
  }

  /// Returns the bucket of a gap: 0 for level, 1...``steps`` if the first drive is ahead, negative if the
  /// second is.
  func bucket(_ gap: Double) -> Int {
    let size = abs(gap)
    guard size > level else { return 0 }
    let steps =
      size < step * Double(GapColors.steps) ? max(1, Int((size / step).rounded(.up))) : GapColors.steps
    return gap > 0 ? steps : -steps
  }

  /// Returns the bucket of a gap, given the previous bucket. The bucket changes only if the gap is clearly
  /// outside it, so that noise does not fragment the line.
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

  /// The label of a step, such as `up to 0:05`.
  func words(_ step: Int) -> String {
    func text(_ steps: Int) -> String {
      let seconds = self.step * Double(steps)
      return seconds.rounded() == seconds ? Quantity.clock(seconds) : Quantity.duration(seconds)
    }
    return step >= GapColors.steps ? "more than \(text(GapColors.steps - 1))" : "up to \(text(step))"
  }
}

extension ExportColor {
  /// Returns a mix of this colour (share 0) and another (share 1).
  func mixed(with other: ExportColor, share: Double) -> ExportColor {
    func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(min(max((Double(from) + (Double(to) - Double(from)) * share).rounded(), 0), 255))
    }
    return ExportColor(
      red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
  }
}
