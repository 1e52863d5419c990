import TrackModel

/// The lines of a track of Huawei Health: `tp=lbs;k=0;lat=46.9;lon=7.4;alt=0.0;t=1.5E12` for positions, and
/// `tp=h-r;k=1500000000000;v=100` for heart rates and other values.
struct HuaweiTrack {
  private(set) var series: SeparateSeries
  private(set) var invalid = 0
  /// Whether a pause precedes the next position.
  private var isPaused = false

  /// The position that marks a pause.
  private static let pause = Coordinate(latitude: 90, longitude: -80)

  /// - Parameter limit: the maximum size of the lists in bytes.
  init(limit: Int) { series = SeparateSeries(limit: limit) }

  mutating func finish() { series.finish() }

  mutating func next() -> LogEntry? { series.next() }

  mutating func take(_ line: Substring) {
    var values: [Substring: Double] = [:]
    let fields = line.split(separator: ";")
    for field in fields.dropFirst() {
      let parts = field.split(separator: "=", maxSplits: 1)
      if parts.count == 2, let number = DecimalReading.read(Array(parts[1].utf8).span) {
        values[parts[0]] = number
      }
    }
    switch fields.first {
    case "tp=lbs": takePosition(values)
    case "tp=h-r": take(.heartRate, values) { $0 }
    case "tp=alti": take(.elevation, values) { $0 }
    // Steps per minute of both feet.
    case "tp=s-r": take(.cadence, values) { $0 / 2 }
    default: break
    }
  }

  private mutating func takePosition(_ values: [Substring: Double]) {
    guard let latitude = values["lat"], let longitude = values["lon"] else { return invalid += 1 }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    if coordinate == HuaweiTrack.pause { return isPaused = !series.fixes.isEmpty }
    guard coordinate.isValid else { return invalid += 1 }
    let time = values["t"].flatMap(JSONTime.sinceEpoch)
    series.append(
      SeparateSeries.Fix(
        time: time?.microseconds ?? Instant.absent, latitude: latitude, longitude: longitude,
        // The app writes 0 for unknown elevations.
        elevation: values["alt"].flatMap { $0 == 0 ? nil : $0 } ?? .nan, startsSegment: isPaused))
    isPaused = false
  }

  private mutating func take(
    _ channel: Channel, _ values: [Substring: Double], _ convert: (Double) -> Double
  ) {
    guard let time = values["k"].flatMap(JSONTime.sinceEpoch), let value = values["v"], value > 0 else {
      return
    }
    series.append(channel, convert(value), at: time.microseconds)
  }
}
