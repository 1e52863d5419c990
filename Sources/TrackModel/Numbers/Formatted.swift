/// Numbers and times as text for people; ``Counted`` has counts.
package enum Formatted {
  /// A number with `decimals` decimals, 0…6, and no exponent; `?` beyond 10^18 and for what is not finite.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * Double(scale)).rounded()
    guard scaled < 1e18 else { return "?" }
    let number = Int(scaled)
    var text = String(number / scale)
    if decimals > 0 {
      let fraction = String(number % scale)
      text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
    return value < 0 && number > 0 ? "-" + text : text
  }

  /// A number with as few digits as read back to the same number, and no exponent.
  package static func shortest(_ value: Double) -> String {
    var bytes = ByteBuffer()
    bytes.append(decimal: value)
    return bytes.string
  }

  /// Seconds as a clock shows them: `0:04`, `-1:20`, `1:02:03`; `?` beyond 10^15 and for what is not finite.
  package static func clock(_ seconds: Double, minus: String = "-") -> String {
    guard abs(seconds) < 1e15 else { return "?" }
    let whole = Int(abs(seconds).rounded())
    let sign = seconds < 0 && whole > 0 ? minus : ""
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (minutes, rest) = (whole / 60 % 60, two(whole % 60))
    return whole >= 3600 ? "\(sign)\(whole / 3600):\(two(minutes)):\(rest)" : "\(sign)\(minutes):\(rest)"
  }
}
