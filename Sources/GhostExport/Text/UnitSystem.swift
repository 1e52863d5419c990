import TrackModel

/// The units of distances and speeds in text for people.
public enum UnitSystem: String, Sendable, Hashable, CaseIterable {
  /// Kilometres, metres, km/h.
  case metric
  /// Miles, feet, mph.
  case imperial

  /// The units of all text written by the current task.
  @TaskLocal public static var current = UnitSystem.metric

  /// The distance in metres below which imperial distances are in feet: a tenth of a mile.
  static let longestInFeet = Geodesy.metresPerMile / 10

  /// Formats a short distance: `320 m`, `1050 ft`.
  public func short(metres: Double, decimals: Int = 0) -> String {
    switch self {
    case .metric: "\(Quantity.fixed(metres, decimals)) m"
    case .imperial: "\(Quantity.fixed(metres / Geodesy.metresPerFoot, decimals)) ft"
    }
  }

  /// Formats a distance, with `decimals` decimals if in kilometres or miles: `11.32 km`, `7.03 mi`.
  public func distance(metres: Double, decimals: Int) -> String {
    switch self {
    case .metric:
      metres < 1000 ? short(metres: metres) : "\(Quantity.fixed(metres / 1000, decimals)) km"
    case .imperial:
      metres < UnitSystem.longestInFeet
        ? short(metres: metres) : "\(Quantity.fixed(metres / Geodesy.metresPerMile, decimals)) mi"
    }
  }

  /// The unit of long distances: its length in metres and its symbol.
  var longUnit: (length: Double, symbol: String) {
    self == .metric ? (1000, "km") : (Geodesy.metresPerMile, "mi")
  }

  /// The unit of short distances.
  var shortUnit: (length: Double, symbol: String) {
    self == .metric ? (1, "m") : (Geodesy.metresPerFoot, "ft")
  }

  /// Formats a range of distances in metres, with as many decimals as distinguish its ends, up to three:
  /// `0.5–0.6 km`, `0.21–0.24 km`, `0.3–0.4 mi`.
  func distances(_ metres: Range<Double>) -> String {
    let (length, unit) = longUnit
    let ends = { (decimals: Int) in
      [metres.lowerBound, metres.upperBound].map { Quantity.fixed($0 / length, decimals) }
    }
    let decimals = (1...2).first { Set(ends($0)).count == 2 } ?? 3
    return "\(ends(decimals).joined(separator: "–")) \(unit)"
  }

  /// Formats a speed: `55 km/h`, `34 mph`.
  public func speed(metresPerSecond: Double, decimals: Int = 0) -> String {
    switch self {
    case .metric: "\(Quantity.fixed(metresPerSecond * SpeedUnits.kilometresPerHour, decimals)) km/h"
    case .imperial: "\(Quantity.fixed(metresPerSecond * 3600 / Geodesy.metresPerMile, decimals)) mph"
    }
  }
}
