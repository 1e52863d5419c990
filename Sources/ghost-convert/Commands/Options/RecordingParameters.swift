import CommandLineParsing
import GhostModel

/// Options shared by the commands that convert recordings to drives.
extension Parameter {
  static func duration(
    _ property: Property<Double?>,
    _ help: String = "Set the duration of recordings without times, for example 24:30."
  ) -> Parameter {
    .option("--duration", property, value: "TIME", help, parse: QuantityArgument.positiveSeconds)
  }

  static func speed(
    _ property: Property<Double?>,
    _ help: String = "Set the speed of recordings without times, for example 50km/h."
  ) -> Parameter {
    .option("--speed", property, value: "SPEED", help, parse: QuantityArgument.speed)
  }

  /// The option for the largest error of points.
  ///
  /// - Parameter defaultText: the text of the property's default, or nil if it keeps all points.
  static func maximumAccuracy(
    _ property: Property<Double?>, default defaultText: String? = nil
  ) -> Parameter {
    .option(
      "--max-accuracy", property, value: "METRES", default: defaultText,
      "Remove points whose recorded accuracy is worse than METRES; none keeps all.",
      completion: .values(["none"]), parse: RecordingAccuracy.metres)
  }
}

/// Parses the required accuracy of points.
enum RecordingAccuracy {
  /// Parses metres, or `none` as nil.
  static func metres(_ text: String) throws(InvalidValue) -> Double? {
    if text == "none" { return nil }
    guard let metres = try? QuantityArgument.metres(text) else {
      throw InvalidValue("expected metres such as 15, or none")
    }
    return metres
  }
}

extension ImportOptions {
  /// Checks the duration and the speed.
  ///
  /// - Throws: if both are given.
  func checkPace() throws(UsageError) { try UsageError.checkPace(duration, speed) }
}

extension UsageError {
  /// - Throws: if both a duration and a speed are given.
  static func checkPace(_ duration: Double?, _ speed: Double?) throws(UsageError) {
    guard duration != nil, speed != nil else { return }
    throw UsageError(
      "--duration and --speed cannot be used together", hint: "the speed follows from the duration")
  }
}
