import TrackModel

/// A sample of a Suunto log.
struct SMLSample {
  /// Radians.
  private(set) var latitude: Double?
  private(set) var longitude: Double?
  var time: Instant?
  /// The time in seconds, in most logs since their start.
  var seconds: Double?
  private(set) var values: [Channel: Double] = [:]
  /// The altitude of the receiver, for points without that of the barometer.
  private(set) var altitude: Double?

  /// Takes the number of an element.
  mutating func take(_ element: SMLElement, _ number: Double) {
    switch element {
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .gpsAltitude: altitude = number
    case .time: seconds = number
    default: if let (channel, value) = element.value(number) { values[channel] = value }
    }
  }
}

/// Joins the samples of a Suunto log to points: samples with a latitude and a longitude, with the sensor
/// values of the two seconds before them, which most logs have in samples of their own.
struct SMLSamples {
  /// The most recent value of each channel, and its time in seconds; nil if its sample had none.
  private var recent: [Channel: (value: Double, seconds: Double?)] = [:]
  /// The start of the log in seconds since 1970, for samples that have only the time since then.
  private var start: Double?

  /// The age in seconds above which the value of a sensor does not belong to a point.
  private static let maximumAge = 2.0

  /// Returns the point of a sample with a position, which may be invalid, and keeps the values of others.
  mutating func point(of sample: SMLSample) -> LogPoint? {
    if let time = sample.time, let seconds = sample.seconds { start = time.secondsSince1970 - seconds }
    let seconds = sample.seconds ?? sample.time.map { $0.secondsSince1970 - (start ?? 0) }
    guard let latitude = sample.latitude, let longitude = sample.longitude else {
      for (channel, value) in sample.values { recent[channel] = (value, seconds) }
      return nil
    }
    var point = LogPoint(latitude: SMLSamples.degrees(latitude), longitude: SMLSamples.degrees(longitude))
    guard point.isValid else { return point }
    var time = sample.time
    if time == nil, let start, let seconds = sample.seconds {
      time = Instant(secondsSince1970: start + seconds)
    }
    if let time { point.time = time.microseconds }
    for (channel, last) in recent where SMLSamples.isRecent(last.seconds, at: seconds) {
      point[channel] = last.value
    }
    for (channel, value) in sample.values { point[channel] = value }
    if point[.elevation] == nil { point[.elevation] = sample.altitude }
    return point
  }

  /// Whether a value belongs to a point. Samples of a log without times follow each other.
  private static func isRecent(_ seconds: Double?, at now: Double?) -> Bool {
    guard let seconds, let now else { return seconds == nil && now == nil }
    return abs(now - seconds) <= maximumAge
  }

  /// Returns degrees, rounded to billionths to undo the division.
  private static func degrees(_ radians: Double) -> Double { (radians * 180 / .pi * 1e9).rounded() / 1e9 }
}
