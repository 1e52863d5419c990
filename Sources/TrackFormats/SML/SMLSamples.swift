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
/// values of the two seconds before them, which most logs have in separate samples.
///
/// The elevations of all points have the same source: the barometer, or the receiver if the log has no
/// altitude other than zero of the barometer.
struct SMLSamples {
  /// The most recent value of each channel, and its time in seconds; nil if its sample had none.
  private var recent: [Channel: (value: Double, seconds: Double?)] = [:]
  /// The start of the log in seconds since 1970, for samples that have only the time since then.
  private var start: Double?
  /// The start of the log in its header, which is local time in most logs. It is used if no sample has both
  /// times.
  var header: ISO8601.Reading?
  /// Whether the times of the log are those of its header without a zone.
  var isInLocalTime = false
  /// Whether a point waits for the start of the log.
  private var awaitsStart = false
  /// Whether the elevations are the barometer's; nil if no sample has shown it.
  private var hasBarometer: Bool?
  /// The points before the first altitude of the barometer, or before the start of the log is known, with the
  /// seconds since then and the altitude of the receiver.
  private var waiting: [(point: LogPoint, seconds: Double?, altitude: Double?)] = []
  private var queue: [LogEntry] = []
  private var delivered = 0
  private var firstTime: Instant?
  private var lastTime: Instant?
  /// The ends of laps, and what triggered them.
  private var marks: [(time: Instant?, seconds: Double?, trigger: String?)] = []
  /// The number of ends of laps beyond ``maximumMarks``, which are not kept.
  private(set) var skippedMarks = 0

  /// The age in seconds above which the value of a sensor does not belong to a point.
  private static let maximumAge = 2.0
  private static let maximumAgeOfElevation = 10.0
  /// The number of points within which a barometer writes an altitude.
  private static let maximumWaiting = 600
  static let maximumMarks = 10_000
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
    for event in sample.events { take(event, at: time, sample.seconds) }
    if let altitude = sample.values[.elevation], altitude != 0, hasBarometer == nil {
      hasBarometer = true
      deliverWaiting()
    }
    guard let latitude = sample.latitude, let longitude = sample.longitude else {
      for (channel, value) in sample.values { recent[channel] = (value, seconds) }
      for (channel, value) in sample.receiver where channel != .elevation && sample.values[channel] == nil {
        recent[channel] = (value, seconds)
      }
      return true
    }
    var point = LogPoint(latitude: SMLSamples.degrees(latitude), longitude: SMLSamples.degrees(longitude))
    guard point.isValid else { return false }
    if let time { point.time = time.microseconds }
    for (channel, value) in sample.receiver where channel != .elevation { point[channel] = value }
    for (channel, last) in recent where SMLSamples.isRecent(last.seconds, at: seconds, channel) {
      point[channel] = last.value
    }
    for (channel, value) in sample.values { point[channel] = value }
    if time == nil, header != nil, sample.seconds != nil { awaitsStart = true }
    waiting.append((point, sample.seconds, sample.receiver[.elevation]))
    if waiting.count >= SMLSamples.maximumWaiting { settle() }
    deliverWaiting()
    return true
  }

  /// Decides on the elevations and the start according to the samples so far.
  private mutating func settle() {
    hasBarometer = hasBarometer ?? false
    guard awaitsStart, start == nil, let header else { return }
    start = header.instant.secondsSince1970
    isInLocalTime = !header.hasZone
  }

  /// Delivers the points that wait, unless they still have to.
  private mutating func deliverWaiting() {
    guard hasBarometer != nil, start != nil || !awaitsStart else { return }
    for (point, seconds, altitude) in waiting {
      var point = point
      if point.time == Instant.absent, let start, let seconds {
        point.time = Instant(secondsSince1970: start + seconds)?.microseconds ?? Instant.absent
      }
      if point.time != Instant.absent {
        lastTime = Instant(microseconds: point.time)
        firstTime = firstTime ?? lastTime
      }
      if hasBarometer == false, let altitude { point[.elevation] = altitude }
      queue.append(.point(point, starts: nil))
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Delivers the last points.
  mutating func finish() {
    settle()
    deliverWaiting()
  }

  // MARK: Events

  private mutating func take(_ event: SMLEvent, at time: Instant?, _ seconds: Double?) {
    switch event {
    case .lap(let trigger):
      guard marks.count < SMLSamples.maximumMarks else { return skippedMarks += 1 }
      marks.append((time, seconds, trigger))
    }
  }

  /// The laps between the marks. If the wearer pressed a button, automatic laps are ignored.
  var laps: [Lap] {
    guard let firstTime, let lastTime else { return [] }
    let origin = start
    let marks = marks.compactMap { time, seconds, trigger -> (time: Instant, trigger: String?)? in
      if let time { return (time, trigger) }
      guard let origin, let seconds, let time = Instant(secondsSince1970: origin + seconds) else {
        return nil
      }
      return (time, trigger)
    }
    let isManual = marks.contains { $0.trigger == "Manual" }
    let ends = marks.filter { mark in
      mark.time > firstTime && !["Start", "Stop"].contains(mark.trigger)
        && (!isManual || mark.trigger == "Manual")
    }
    .sorted { $0.time < $1.time }
    guard !ends.isEmpty else { return [] }
    var laps: [Lap] = []
    var start = firstTime
    for (time, trigger) in ends + [(lastTime, nil)] where time.seconds(since: start) > SMLSamples.endOfLog {
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
