import TrackModel

/// The fields of a session or lap, which mostly have the same numbers.
struct FITSummary {
  /// FIT microseconds, or microseconds since the start of the device.
  var start: Int64?
  var end: Int64?
  /// Seconds.
  var elapsedTime: Double?
  var timerTime: Double?
  /// Metres.
  var distance: Double?
  /// Kilocalories.
  var calories: Double?
  var sport: Int?
  var trigger: Int?

  /// - Parameter end: the message's own timestamp.
  init(session definition: FITDefinition, _ bytes: Span<UInt8>, end: Int64?) {
    self.init(definition, bytes, end: end)
    sport = definition.integer(5, in: bytes)
  }

  init(lap definition: FITDefinition, _ bytes: Span<UInt8>, end: Int64?) {
    self.init(definition, bytes, end: end)
    trigger = definition.integer(24, in: bytes)
  }

  private init(_ definition: FITDefinition, _ bytes: Span<UInt8>, end: Int64?) {
    self.end = end
    start = FITTime.microseconds(definition.integer(2, in: bytes))
    // Fields can also be declared as floating-point numbers, which have no range.
    func value(_ field: UInt8, per unit: Double) -> Double? {
      definition.number(field, in: bytes).map { $0 / unit }.flatMap { (0..<1e9).contains($0) ? $0 : nil }
    }
    elapsedTime = value(7, per: 1000)
    timerTime = value(8, per: 1000)
    distance = value(9, per: 100)
    calories = value(11, per: 1)
  }

  /// The lap in the model's units.
  func lap(_ clock: FITClock) -> Lap {
    var lap = Lap(start: clock.instant(start))
    lap.timerTime = timerTime
    lap.elapsedTime = elapsedTime
    lap.distance = distance
    lap.calories = calories
    lap.trigger = FITLapTrigger.name(trigger)
    return lap
  }

  /// The end: the start plus the elapsed time, or else the timestamp.
  var finish: Int64? {
    guard let start, let elapsedTime else { return end }
    return start + Instant.microseconds(inSeconds: elapsedTime)
  }

  /// The time from start to end including pauses, or `nil` if unknown.
  func timeSpan(_ clock: FITClock) -> TimeSpan? {
    let begin = clock.instant(start)
    var end = clock.instant(self.end)
    if let begin, let elapsedTime {
      end = Instant(microseconds: begin.microseconds + Instant.microseconds(inSeconds: elapsedTime))
    }
    return begin == nil && end == nil ? nil : TimeSpan(begin: begin, end: end)
  }
}
