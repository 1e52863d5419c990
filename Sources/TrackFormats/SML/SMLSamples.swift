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
  /// The values of the receiver, for points without those of the watch's other sensors.
  private(set) var receiver: [Channel: Double] = [:]
  /// The events in the sample.
  var events: [SMLEvent] = []
  /// The kind of activity that begins.
  var activity: String?

  /// Takes the number of an element.
  mutating func take(_ element: SMLElement, _ number: Double) {
    switch element {
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .time: seconds = number
    case .gpsAltitude, .gpsSpeed, .gpsHeading:
      if let (channel, value) = element.value(number) { receiver[channel] = value }
    default: if let (channel, value) = element.value(number) { values[channel] = value }
    }
  }
}

/// An event of a Suunto log.
enum SMLEvent {
  /// The end of a lap, and what triggered it: `Manual`, `Distance`.
  case lap(trigger: String?)
}

/// Joins the samples of a Suunto log to points: samples with a latitude and a longitude, with the sensor
/// values of the two seconds before them, which most logs have in samples of their own.
///
/// The elevations of all points have the same source: the barometer, or the receiver if the log has no
/// altitude other than zero of the barometer.
struct SMLSamples {
  /// The most recent value of each channel, and its time in seconds; nil if its sample had none.
  private var recent: [Channel: (value: Double, seconds: Double?)] = [:]
  /// The start of the log in seconds since 1970, for samples that have only the time since then.
  private var start: Double?
  /// Whether the elevations are the barometer's; nil if no sample has shown it.
  private var hasBarometer: Bool?
  /// The points before the first altitude of the barometer, with the altitude of the receiver.
  private var waiting: [(point: LogPoint, altitude: Double?)] = []
  private var queue: [LogEntry] = []
  private var delivered = 0
  private var firstTime: Instant?
  private var lastTime: Instant?
  /// The ends of laps, and what triggered them.
  private var marks: [(time: Instant, trigger: String?)] = []

  /// The age in seconds above which the value of a sensor does not belong to a point.
  private static let maximumAge = 2.0
  private static let maximumAgeOfElevation = 10.0
  /// The number of points within which a barometer writes an altitude.
  private static let maximumWaiting = 600
  private static let maximumMarks = 10_000
  /// The seconds between the last point and a mark that is the end of the log.
  private static let endOfLog = 1.0

  /// Returns the next point that is complete, or nil.
  mutating func next() -> LogEntry? {
    guard delivered < queue.count else {
      queue.removeAll(keepingCapacity: true)
      delivered = 0
      return nil
    }
    delivered += 1
    return queue[delivered - 1]
  }

  /// Takes the next sample.
  ///
  /// - Returns: false if its position is out of range.
  mutating func take(_ sample: SMLSample) -> Bool {
    if let time = sample.time, let seconds = sample.seconds { start = time.secondsSince1970 - seconds }
    let seconds = sample.seconds ?? sample.time.map { $0.secondsSince1970 - (start ?? 0) }
    var time = sample.time
    if time == nil, let start, let seconds = sample.seconds {
      time = Instant(secondsSince1970: start + seconds)
    }
    for event in sample.events { take(event, at: time) }
    if let altitude = sample.values[.elevation], altitude != 0, hasBarometer == nil { settle(true) }
    guard let latitude = sample.latitude, let longitude = sample.longitude else {
      for (channel, value) in sample.values { recent[channel] = (value, seconds) }
      for (channel, value) in sample.receiver where channel != .elevation && sample.values[channel] == nil {
        recent[channel] = (value, seconds)
      }
      return true
    }
    var point = LogPoint(latitude: SMLSamples.degrees(latitude), longitude: SMLSamples.degrees(longitude))
    guard point.isValid else { return false }
    if let time {
      point.time = time.microseconds
      firstTime = firstTime ?? time
      lastTime = time
    }
    for (channel, value) in sample.receiver where channel != .elevation { point[channel] = value }
    for (channel, last) in recent where SMLSamples.isRecent(last.seconds, at: seconds, channel) {
      point[channel] = last.value
    }
    for (channel, value) in sample.values { point[channel] = value }
    append(point, altitude: sample.receiver[.elevation])
    return true
  }

  private mutating func append(_ point: LogPoint, altitude: Double?) {
    waiting.append((point, altitude))
    if hasBarometer != nil {
      deliverWaiting()
    } else if waiting.count >= SMLSamples.maximumWaiting {
      settle(false)
    }
  }

  /// Delivers the points that wait for an altitude of the barometer.
  private mutating func settle(_ hasBarometer: Bool) {
    self.hasBarometer = hasBarometer
    deliverWaiting()
  }

  private mutating func deliverWaiting() {
    for (point, altitude) in waiting {
      var point = point
      if hasBarometer == false, let altitude { point[.elevation] = altitude }
      queue.append(.point(point, starts: nil))
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Delivers the last points.
  mutating func finish() {
    if hasBarometer == nil { settle(false) }
  }

  // MARK: Events

  private mutating func take(_ event: SMLEvent, at time: Instant?) {
    switch event {
    case .lap(let trigger):
      guard let time, marks.count < SMLSamples.maximumMarks else { return }
      marks.append((time, trigger))
    }
  }

  /// The laps between the marks. If the wearer pressed a button, automatic laps are ignored.
  var laps: [Lap] {
    guard let firstTime, let lastTime else { return [] }
    let isManual = marks.contains { $0.trigger == "Manual" }
    let marks = marks.filter { mark in
      mark.time > firstTime && !["Start", "Stop"].contains(mark.trigger)
        && (!isManual || mark.trigger == "Manual")
    }
    .sorted { $0.time < $1.time }
    guard !marks.isEmpty else { return [] }
    var laps: [Lap] = []
    var start = firstTime
    for (time, trigger) in marks + [(lastTime, nil)] where time.seconds(since: start) > SMLSamples.endOfLog {
      var lap = Lap(start: start)
      lap.elapsedTime = time.seconds(since: start)
      lap.trigger = trigger
      laps.append(lap)
      start = time
    }
    return laps
  }

  /// Whether a value belongs to a point. Samples of a log without times follow each other.
  private static func isRecent(_ seconds: Double?, at now: Double?, _ channel: Channel) -> Bool {
    guard let seconds, let now else { return seconds == nil && now == nil }
    return abs(now - seconds) <= (channel == .elevation ? maximumAgeOfElevation : maximumAge)
  }

  /// Returns degrees, rounded to billionths to undo the division.
  private static func degrees(_ radians: Double) -> Double { (radians * 180 / .pi * 1e9).rounded() / 1e9 }
}
