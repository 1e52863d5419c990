import TrackModel

/// The unit of a column and its conversion to the unit of the model.
struct CSVUnit: Sendable, Hashable {
  /// The quantity that a unit measures.
  enum Quantity: Sendable { case position, time, length, speed, angle, rate, power, temperature, duration }

  private var offset = 0.0
  private var factor = 1.0
  private var divisor = 1.0
  /// Whether values are degrees × 100 + minutes.
  private var isPacked = false

  /// The unit of the model.
  static let own = CSVUnit()

  static let kilometresPerHour = CSVUnit(divisor: SpeedUnits.kilometresPerHour)
  static let milesPerHour = CSVUnit(factor: 0.44704)
  static let knots = CSVUnit(factor: Geodesy.metresPerNauticalMile, divisor: 3600)
  static let kilometres = CSVUnit(factor: 1000)
  static let feet = CSVUnit(factor: Geodesy.metresPerFoot)
  static let microdegrees = CSVUnit(divisor: 1e6)
  static let tenthsOfKilometresPerHour = CSVUnit(divisor: 36)
  /// `4656.886`: 46 degrees and 56.886 minutes.
  static let degreesAndMinutes = {
    var unit = CSVUnit()
    unit.isPacked = true
    return unit
  }()
  static let decimetres = CSVUnit(divisor: 10)
  static let hundredthsOfDegrees = CSVUnit(divisor: 100)
  static let seconds = CSVUnit(factor: 1e6)
  static let milliseconds = CSVUnit(factor: 1e6, divisor: 1e3)

  private init(factor: Double = 1, divisor: Double = 1, offset: Double = 0) {
    self.factor = factor
    self.divisor = divisor
    self.offset = offset
  }

  var isOwn: Bool { self == .own }

  /// Converts a value to the unit of the model. Uses a multiplication and a division, so that 36 km/h is
  /// exactly 10 m/s.
  func converted(_ value: Double) -> Double {
    guard isPacked else { return (value - offset) * factor / divisor }
    let degrees = (value / 100).rounded(.towardZero)
    return ((degrees + (value - degrees * 100) / 60) * 1e9).rounded() / 1e9
  }

  /// Returns the unit for a joined lower-case name such as `kmh` for `km/h`, or `nil` if it does not measure
  /// the quantity.
  static func named(_ joined: String, for quantity: Quantity) -> CSVUnit? {
    switch quantity {
    case .position:
      switch joined {
      case "°", "deg", "degree", "degrees", "dd", "grad", "wgs84", "decimal", "decimaldegrees", "n", "s",
        "ns",
        "e", "w", "ew", "nord", "ost":
        own
      case "e7", "degreese7": CSVUnit(divisor: 1e7)
      case "e6", "microdegrees": microdegrees
      // FIT and Garmin: 2^31 semicircles are 180 degrees.
      case "semicircle", "semicircles": CSVUnit(factor: 180, divisor: 0x1p31)
      case "rad", "radian", "radians": CSVUnit(factor: 180, divisor: .pi)
      default: nil
      }
    case .time:
      // The units of times since a start. Those since 1970 follow from their magnitude.
      switch joined {
      case "s", "sec", "secs", "second", "seconds": seconds
      case "ms", "msec", "millis", "millisecond", "milliseconds": milliseconds
      case "us", "µs", "usec", "micros", "microsecond", "microseconds": CSVUnit(factor: 1e6, divisor: 1e6)
      case "ns", "nsec", "nanos", "nanosecond", "nanoseconds": CSVUnit(factor: 1e6, divisor: 1e9)
      case "unix", "posix", "epoch", "utc", "gmt", "z", "zulu", "iso", "iso8601", "local", "lt", "excel",
        "serial",
        "days", "stamp", "hhmmss", "hhmm":
        own
      default: CSVDateOrder(pattern: joined) == nil ? nil : own
      }
    case .length:
      switch joined {
      case "m", "meter", "meters", "metre", "metres", "mètre", "mètres", "metri", "metros", "mmsl", "mmsml",
        "müm", "mumn", "masl", "mamsl", "м", "米", "メートル":
        own
      case "km", "kilometer", "kilometers", "kilometre", "kilometres", "км", "公里", "千米", "キロ": kilometres
      case "cm": CSVUnit(divisor: 100)
      case "mm": CSVUnit(divisor: 1000)
      case "ft", "foot", "feet", "pied", "pieds", "fuß", "fuss", "piedi", "pies": feet
      case "yd", "yard", "yards": CSVUnit(factor: 0.9144)
      case "mi", "mile", "miles": CSVUnit(factor: Geodesy.metresPerMile)
      case "nm", "nmi", "nauticalmiles": CSVUnit(factor: Geodesy.metresPerNauticalMile)
      default: nil
      }
    case .speed:
      switch joined {
      case "ms", "mps", "meterssecond", "metressecond", "meterspersecond", "metrespersecond", "msec", "мс",
        "米秒":
        own
      case "kmh", "kph", "kmph", "kmhr", "kilometershour", "kilometersperhour", "kilometresperhour", "kmstd",
        "кмч", "公里小时", "公里时", "千米小时", "千米时":
        kilometresPerHour
      case "mph", "mih", "mileshour", "milesperhour": milesPerHour
      case "kn", "kt", "kts", "knot", "knots", "knoten", "nœud", "nœuds", "noeud", "noeuds", "nudos", "nodi":
        knots
      case "fts", "fps", "feetpersecond", "feetsecond": CSVUnit(factor: Geodesy.metresPerFoot)
      case "cms": CSVUnit(divisor: 100)
      case "mms": CSVUnit(divisor: 1000)
      default: nil
      }
    case .angle:
      switch joined {
      case "°", "deg", "degree", "degrees", "true", "t", "grad": own
      case "rad", "radian", "radians": CSVUnit(factor: 180, divisor: .pi)
      default: nil
      }
    case .rate:
      switch joined {
      case "bpm", "rpm", "1min", "min", "perminute", "beatsmin", "beatsperminute", "spm", "revmin", "umin":
        own
      case "hz": CSVUnit(factor: 60)
      default: nil
      }
    case .power:
      switch joined {
      case "w", "watt", "watts": own
      case "kw": CSVUnit(factor: 1000)
      case "hp": CSVUnit(factor: 745.6998715822702)
      default: nil
      }
    case .temperature:
      switch joined {
      case "c", "°c", "degc", "celsius", "degreescelsius", "°": own
      case "f", "°f", "degf", "fahrenheit": CSVUnit(factor: 5, divisor: 9, offset: 32)
      case "k", "kelvin": CSVUnit(offset: 273.15)
      default: nil
      }
    case .duration:
      switch joined {
      case "s", "sec", "secs", "seconds": own
      case "ms", "milliseconds": CSVUnit(divisor: 1000)
      default: nil
      }
    }
  }
}
