/// How a gap becomes a colour: that of the drive that is ahead, the fuller the more it is ahead, and grey where they
/// are level.
struct GapScale: Sendable, Equatable {
  /// Seconds from one step to the next, a round number.
  let step: Double
  /// How many steps a colour has; the last holds everything beyond.
  static let steps = 4
  static let level = ExportColor(0xC8C8C8)

  private static let roundSteps: [Double] = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

  /// - Parameter largest: seconds, the largest gap that is shown, whoever is ahead.
  init(largest: Double) {
    let wanted = largest / Double(GapScale.steps)
    step = GapScale.roundSteps.first { $0 >= wanted } ?? 7200
  }

  /// Seconds: drives that are nearer are level.
  var level: Double { step / 4 }

  /// Where a gap lies: 0 for level, up to ``steps`` where the first drive is ahead, down to minus that where the
  /// second is.
  func bucket(_ gap: Double) -> Int {
    let size = abs(gap)
    guard size > level else { return 0 }
    let steps =
      size < step * Double(GapScale.steps) ? max(1, Int((size / step).rounded(.up))) : GapScale.steps
    return gap > 0 ? steps : -steps
  }

  /// The bucket of a gap behind one of another bucket, which it leaves only where it is well outside: else noise
  /// would make a line of crumbs.
  func bucket(_ gap: Double, after last: Int) -> Int {
    let next = bucket(gap)
    guard next != last else { return last }
    let margin = level / 2
    return bucket(next > last ? gap - margin : gap + margin) == last ? last : next
  }

  func color(_ bucket: Int, first: ExportColor, second: ExportColor) -> ExportColor {
    guard bucket != 0 else { return GapScale.level }
    let share = 0.25 + 0.75 * Double(abs(bucket)) / Double(GapScale.steps)
    return GapScale.level.mixed(with: bucket > 0 ? first : second, share: share)
  }

  /// What a bucket holds, whoever is ahead: `up to 0:05`.
  func words(_ bucket: Int) -> String {
    let steps = abs(bucket)
    func text(_ seconds: Double) -> String {
      seconds.rounded() == seconds ? Wording.duration(seconds) : Wording.gap(seconds)
    }
    if steps == 0 { return "level" }
    if steps == GapScale.steps { return "more than \(text(step * Double(steps - 1)))" }
    return "up to \(text(step * Double(steps)))"
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
