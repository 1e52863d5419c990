import CommandLineParsing
import TrackModel

/// A time in a replay.
enum GhostMoment: Sendable {
  /// In seconds since the start.
  case elapsed(Double)
  /// In seconds since midnight.
  case timeOfDay(Double)
  case moment(DateArgument)

  init(_ text: String) throws(InvalidValue) {
    if text.first == "T", let seconds = QuantityArgument.timeOfDay(text) {
      self = .timeOfDay(seconds)
    } else if let seconds = try? QuantityArgument.seconds(text) {
      self = .elapsed(seconds)
    } else if let moment = try? DateArgument.moment(text) {
      self = .moment(moment)
    } else {
      throw InvalidValue(
        "expected a time since the start such as 12:30 or 90s, a time of day such as T07:30, "
          + "or a time such as 2024-05-01T07:30:00Z")
    }
  }
}

/// The speed of a line without timestamps, or of the replay of a ghost.
enum GhostSpeed: Sendable, Equatable {
  /// In metres per second.
  case pace(Double)
  /// A multiple of the recorded speed.
  case rate(Double)

  /// Parses `50km/h` or `4x`.
  init(_ text: String) throws(InvalidValue) {
    if let (rate, unit) = QuantityArgument.quantity(text), ["x", "×"].contains(unit) {
      guard rate > 0, rate <= 10_000 else {
        throw InvalidValue("expected a factor such as 4x")
      }
      self = .rate(rate)
    } else if QuantityArgument.quantity(text)?.unit == "" {
      throw InvalidValue("expected a factor such as \(text)x, or a speed such as 50km/h")
    } else {
      self = .pace(try QuantityArgument.speed(text))
    }
  }

  var pace: Double? { if case .pace(let speed) = self { speed } else { nil } }
  var rate: Double? { if case .rate(let rate) = self { rate } else { nil } }
}
