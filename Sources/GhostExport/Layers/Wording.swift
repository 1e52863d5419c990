/// How figures are told to people: one wording for all exports.
enum Wording {
  /// `0:42`, `10:05`, `1:02:03`; to the second, with a sign where it is negative.
  static func duration(_ seconds: Double) -> String { clock(seconds, tenths: false) }

  /// `0:04.2`: to the tenth of a second, as gaps are told.
  static func gap(_ seconds: Double) -> String { clock(seconds, tenths: true) }

  /// `+0:04.2`, `-0:04.2`, `0:00.0`.
  static func change(_ seconds: Double) -> String {
    let text = gap(seconds)
    return seconds > 0 && text != "0:00.0" ? "+" + text : text
  }

  /// `850 m`, `11.3 km`.
  static func distance(_ metres: Double) -> String {
    guard abs(metres) < 1e12 else { return "?" }
    let whole = Int(metres.rounded())
    if abs(whole) < 1000 { return "\(whole) m" }
    let tenths = Int((abs(metres) / 100).rounded())
    return "\(metres < 0 ? "-" : "")\(tenths / 10).\(tenths % 10) km"
  }

  /// `Tuesday, Thursday and Friday`.
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Who is ahead, for a gap between two drives: `Tuesday is ahead by 0:04.2`.
  static func ahead(_ gap: Double, _ first: String, _ second: String) -> String {
    let text = self.gap(abs(gap))
    if text == "0:00.0" { return "level" }
    return "\(gap > 0 ? first : second) is ahead by \(text)"
  }

  private static func clock(_ seconds: Double, tenths: Bool) -> String {
    guard abs(seconds) < 1e12 else { return "?" }
    let units = Int((abs(seconds) * (tenths ? 10 : 1)).rounded())
    let whole = tenths ? units / 10 : units
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    var text = seconds < 0 && units > 0 ? "-" : ""
    if whole >= 3600 {
      text += "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    } else {
      text += "\(whole / 60):\(two(whole % 60))"
    }
    return tenths ? text + ".\(units % 10)" : text
  }
}
