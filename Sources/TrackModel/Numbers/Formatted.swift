/// Formats numbers and times for people. See ``Counted`` for counts.
package enum Formatted {
  /// Formats a number with `decimals` decimals, 0…6, without an exponent. Returns `?` beyond 10^18 and for
  /// non-finite values.
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

  /// Formats a number with the fewest digits that round-trip, without an exponent.
  package static func shortest(_ value: Double) -> String {
    var bytes = ByteBuffer()
    bytes.append(decimal: value)
    return bytes.string
  }

  /// Formats seconds like a clock: `0:04`, `-1:20`, `1:02:03`. Returns `?` beyond 10^15 and for non-finite
  /// values.
  package static func clock(_ seconds: Double, minus: String = "-") -> String {
    guard abs(seconds) < 1e15 else { return "?" }
    let whole = Int(abs(seconds).rounded())
    return (seconds < 0 && whole > 0 ? minus : "") + clock(whole: whole)
  }

  /// Formats seconds like a clock with hundredths: `0:04.20`, `-1:20.00`, `1:02:03.45`.
  package static func preciseClock(_ seconds: Double, minus: String = "-") -> String {
    guard abs(seconds) < 1e12 else { return "?" }
    let hundredths = Int((abs(seconds) * 100).rounded())
    return (seconds < 0 && hundredths > 0 ? minus : "") + clock(whole: hundredths / 100) + "."
      + two(hundredths % 100)
  }

  private static func clock(whole: Int) -> String {
    let (minutes, rest) = (whole / 60 % 60, two(whole % 60))
    return whole >= 3600 ? "\(whole / 3600):\(two(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
