import TrackModel

/// Reads the training sessions of Polar Flow: JSON with the routes and samples of exercises.
///
/// Each exercise is a track with one segment. Times are local; the session has the minutes to UTC. Older
/// exports have lists of samples with their times, newer ones values at an interval. Of a truncated exercise,
/// the complete positions and samples are read.
struct PolarSource: LogSource, ~Copyable {
  private var lexer: JSONLexer
  private let options: ReadingOptions
  private var name: String?
  private var zone: Double?
  private var isOpen = false
  private var isInExercises = false
  private var hasExercises = false
  private var series: SeparateSeries
  /// The error after a truncated exercise, thrown after its positions.
  private var truncation: TrackError?

  /// An exercise whose lists are being read.
  private struct Exercise {
    var info = TrackInfo()
    var start: Int64?
    var routeStart: Int64?
    var zone: Double?
    /// Whether times have their zone.
    var isZoned = false
    var hasRelativeFixes = false
    var intervals: [(channel: Channel, interval: Double, values: [Double])] = []
  }

  /// The lists of samples, with the divisor of their values.
  private static let channels: [String: (channel: Channel, divisor: Double)] = [
    "heartRate": (.heartRate, 1), "speed": (.speed, SpeedUnits.kilometresPerHour),
    "altitude": (.elevation, 1),
    "cadence": (.cadence, 1),
    "temperature": (.temperature, 1), "distance": (.distance, 1), "HEART_RATE": (.heartRate, 1),
    "SPEED": (.speed, SpeedUnits.kilometresPerHour), "ALTITUDE": (.elevation, 1), "CADENCE": (.cadence, 1),
    "TEMPERATURE": (.temperature, 1), "DISTANCE": (.distance, 1),
  ]

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lexer = JSONLexer(input, options: options)
    self.options = options
    series = SeparateSeries(limit: options.limits.waitingSize)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    if let entry = series.next() { return entry }
    if let truncation { throw truncation }
    if !isOpen {
      isOpen = true
      try lexer.beginObject()
    }
    while true {
      if isInExercises {
        guard try lexer.nextElement() else {
          isInExercises = false
          continue
        }
        guard try lexer.enterObject() else { continue }
        let info = try readExercise()
        if !series.fixes.isEmpty { return .track(info) }
        continue
      }
      guard try lexer.nextMember() else { break }
      switch lexer.text {
      case "name": name = try lexer.stringOrNothing().flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
      case "timezoneOffset", "timezoneOffsetMinutes", "timeZoneOffset": zone = try lexer.numberOrNothing()
      case "exercises":
        hasExercises = true
        isInExercises = try lexer.enterArray()
      default: try lexer.skip()
      }
    }
    guard hasExercises else { throw TrackError(.malformed, "no exercises of a training session") }
    return nil
  }

  /// Reads the members of an exercise.
  private mutating func readExercise() throws(TrackError) -> TrackInfo {
    series = SeparateSeries(limit: options.limits.waitingSize)
    var exercise = Exercise()
    do throws(TrackError) {
      try readMembers(of: &exercise)
    } catch {
      guard error.code == .truncated, !series.fixes.isEmpty else { throw error }
      truncation = error
    }
    try finish(exercise)
    exercise.info.name = name
    return exercise.info
  }

  private mutating func readMembers(of exercise: inout Exercise) throws(TrackError) {
    while try lexer.nextMember() {
      switch lexer.text {
      case "startTime": exercise.start = try readTime(&exercise)
      case "timezoneOffset", "timezoneOffsetMinutes", "timeZoneOffset":
        exercise.zone = try lexer.numberOrNothing()
      case "sport":
        // Newer exports have the number of a sport in an object.
        if try lexer.kind() == .string { exercise.info.type = try lexer.string() } else { try lexer.skip() }
      case "samples": if try lexer.enterObject() { try readSamples(&exercise) }
      case "routes", "route": if try lexer.enterObject() { try readRoute(&exercise) }
      default: try lexer.skip()
      }
    }
  }

  /// Reads a local time in microseconds since 1970.
  private mutating func readTime(_ exercise: inout Exercise) throws(TrackError) -> Int64? {
    guard let text = try lexer.stringOrNothing() else { return nil }
    guard let reading = ISO8601.read(Array(text.utf8).span) else {
      try lexer.warn(.invalidTime, "invalid time, ignored")
      return nil
    }
    exercise.isZoned = reading.hasZone
    return reading.instant.microseconds
  }

  private mutating func readSamples(_ exercise: inout Exercise) throws(TrackError) {
    while try lexer.nextMember() {
      let list = lexer.text
      guard list == "recordedRoute" || list == "samples" || PolarSource.channels[list] != nil else {
        try lexer.skip()
        continue
      }
      guard try lexer.enterArray() else { continue }
      while try lexer.nextElement() {
        guard try lexer.enterObject() else { continue }
        switch list {
        case "recordedRoute": try readFix(&exercise)
        case "samples": try readInterval(&exercise)
        default: if let channel = PolarSource.channels[list] { try readSample(of: channel, &exercise) }
        }
      }
    }
  }

  private mutating func readSample(
    of list: (channel: Channel, divisor: Double), _ exercise: inout Exercise
  ) throws(TrackError) {
    var time: Int64?
    var value: Double?
    while try lexer.nextMember() {
      switch lexer.text {
      case "dateTime": time = try readTime(&exercise)
      case "value": value = try lexer.numberOrNothing()
      default: try lexer.skip()
      }
    }
    if let time, let value { series.append(list.channel, value / list.divisor, at: time) }
  }

  /// Reads `{"type": "HEART_RATE", "intervalMillis": 1000, "values": [100, 101]}`.
  private mutating func readInterval(_ exercise: inout Exercise) throws(TrackError) {
    var type: String?
    var interval: Double?
    var values: [Double] = []
    while try lexer.nextMember() {
      switch lexer.text {
      case "type": type = try lexer.stringOrNothing()
      case "intervalMillis": interval = try lexer.numberOrNothing()
      case "values":
        guard try lexer.enterArray() else { continue }
        while try lexer.nextElement() {
          let value = try lexer.numberOrNothing() ?? .nan
          if values.count < options.limits.waitingSize / 8 { values.append(value) }
        }
      default: try lexer.skip()
      }
    }
    guard let interval, let list = type.flatMap({ PolarSource.channels[$0] }) else { return }
    exercise.intervals.append((list.channel, interval, values.map { $0 / list.divisor }))
  }

  private mutating func readRoute(_ exercise: inout Exercise) throws(TrackError) {
    while try lexer.nextMember() {
      switch lexer.text {
      case "route": if try lexer.enterObject() { try readRoute(&exercise) }
      case "startTime": exercise.routeStart = try readTime(&exercise)
      case "wayPoints":
        guard try lexer.enterArray() else { continue }
        while try lexer.nextElement() { if try lexer.enterObject() { try readFix(&exercise) } }
      default: try lexer.skip()
      }
    }
  }

  private mutating func readFix(_ exercise: inout Exercise) throws(TrackError) {
    var fix = SeparateSeries.Fix(time: Instant.absent, latitude: .nan, longitude: .nan)
    while try lexer.nextMember() {
      switch lexer.text {
      case "latitude": fix.latitude = try lexer.numberOrNothing() ?? .nan
      case "longitude": fix.longitude = try lexer.numberOrNothing() ?? .nan
      case "altitude": fix.elevation = try lexer.numberOrNothing() ?? .nan
      case "dateTime": fix.time = try readTime(&exercise) ?? Instant.absent
      case "elapsedMillis":
        guard let elapsed = try lexer.numberOrNothing(), abs(elapsed) < 1e11 else { continue }
        exercise.hasRelativeFixes = true
        fix.time = Int64((elapsed * 1000).rounded())
      default: try lexer.skip()
      }
    }
    guard Coordinate(latitude: fix.latitude, longitude: fix.longitude).isValid else {
      return try lexer.warn(.invalidPosition, "position out of range, point skipped")
    }
    series.append(fix)
  }

  /// Converts the times to UTC.
  private mutating func finish(_ exercise: Exercise) throws(TrackError) {
    var shift: Int64 = 0
    if !exercise.isZoned {
      if let minutes = exercise.zone ?? zone, abs(minutes) <= 14 * 60 {
        shift = -Int64(minutes) * 60_000_000
      } else if !series.fixes.isEmpty {
        try lexer.warn(.timeWithoutZone, "time without a zone, treated as UTC")
      }
    }
    if let start = exercise.start {
      for (channel, interval, values) in exercise.intervals where interval > 0 && interval < 1e9 {
        for (index, value) in values.enumerated() where value.isFinite {
          series.append(
            channel, value, at: start + Instant.microseconds(inSeconds: Double(index) * interval / 1000))
        }
      }
    }
    let start = exercise.routeStart ?? exercise.start
    series.finish(addingToTimes: shift, toRelativeFixes: exercise.hasRelativeFixes ? start : nil)
    if series.isTooLong {
      try lexer.warn(.limitExceeded, KeptBudget(options.limits).waitingMessage)
    }
  }
}
