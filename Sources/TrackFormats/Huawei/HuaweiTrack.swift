import TrackModel

/// The lines of a track of Huawei Health: `tp=lbs;k=0;lat=46.9;lon=7.4;alt=0.0;t=1.5E12` for positions, and
/// `tp=h-r;k=1500000000000;v=100` for heart rates and other values.
struct HuaweiTrack {
  private(set) var series: SeparateSeries
  /// Whether a pause precedes the next position.
  private var isPaused = false
  /// The numbers of the pauses.
  private var pauses: [Double] = []
  /// The number of pauses beyond ``maximumPauses``, whose numbers are not kept.
  private(set) var skippedPauses = 0
  /// The start of the activity, in microseconds since 1970.
  var start: Int64?
  /// The day of the activity as `yyyymmdd`, and its zone in seconds.
  var day: Int?
  var zone = 0
  /// Whether times of day could not be dated.
  private(set) var isUndated = false

  /// The position that marks a pause.
  private static let pause = Coordinate(latitude: 90, longitude: -80)

  /// The elevations in metres that are not marks of unknown ones.
  private static let elevations = -1000.0...10_000
  static let maximumPauses = 10_000

  /// - Parameter limit: the maximum size of the lists in bytes.
  init(limit: Int) { series = SeparateSeries(limit: limit) }

  /// Dates times of day, and sorts the positions, which some watches and apps do not store in order.
  mutating func finish() {
    var values: Int64 = 0
    var fixes: Int64 = 0
    if series.areFixesTimesOfDay {
      if let midnight {
        if series.areValuesTimesOfDay { values = midnight } else { fixes = midnight }
      } else {
        isUndated = true
        series.removeTimes()
      }
    }
    series.finish(addingToTimes: values, toRelativeFixes: fixes)
    series.sortFixes(pauses: pauses)
  }

  /// The midnight in UTC or in the zone of the activity from which the times of day count: the one with which
  /// the first of them is closest to the start. Nil if the day is unknown.
  private var midnight: Int64? {
    let zone = Int64(zone) * 1_000_000
    if let start, let first = series.fixes.lazy.map(\.time).filter({ $0 != Instant.absent }).min() {
      let midnights = [0, zone].flatMap { zone in
        let day = ((start + zone) / CivilCalendar.dayLength) * CivilCalendar.dayLength - zone
        return [day, day - CivilCalendar.dayLength, day + CivilCalendar.dayLength]
      }
      return midnights.min { abs($0 + first - start) < abs($1 + first - start) }
    }
    guard let day, case let (year, month) = (day / 10_000, day / 100 % 100), (1970...2099).contains(year),
      let days = CivilCalendar.days(validating: year, month: month, day: day % 100)
    else { return nil }
    return Int64(days) * CivilCalendar.dayLength - zone
  }

  mutating func next() -> LogEntry? { series.next() }

  /// The kinds of line with values that are used.
  private static let usedKinds = ["tp=h-r", "tp=alti", "tp=alt", "tp=s-r"]

  /// The verdict on a line.
  enum Verdict { case usable, invalidPosition, cut }

  /// Takes the lines of a text up to `&&`, which precedes a summary.
  ///
  /// - Returns: the number of lines without a valid position.
  mutating func take(linesOf text: Span<UInt8>) -> Int {
    var invalid = 0
    var start = 0
    var index = 0
    while index < text.count {
      let isEnd = text[index] == UInt8(ascii: "&") && index + 1 < text.count && text[index + 1] == text[index]
      if isEnd || text[index] == 0x0A || text[index] == 0x0D {
        if take(text.extracting(start..<index)) == .invalidPosition { invalid += 1 }
        start = index + 1
      }
      if isEnd { return invalid }
      index += 1
    }
    return take(text.extracting(start..<text.count)) == .invalidPosition ? invalid + 1 : invalid
  }

  /// The numbers of a line.
  private struct Values {
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var time: Double?
    var key: Double?
    var value: Double?
  }

  /// Takes a line.
  ///
  /// - Parameter isOpen: whether the file ends after the line without a line end, so that its last number
  ///   may be cut.
  mutating func take(_ line: Span<UInt8>, isOpen: Bool = false) -> Verdict {
    var values = Values()
    var kind = 0..<0
    var start = 0
    for index in 0...line.count where index == line.count || line[index] == UInt8(ascii: ";") {
      let field = line.extracting(start..<index)
      if start == 0 { kind = 0..<index }
      start = index + 1
      func number(after name: StaticString) -> Double? {
        guard field.starts(with: name) else { return nil }
        return DecimalReading.read(field.extracting(name.utf8CodeUnitCount..<field.count))
      }
      values.latitude = number(after: "lat=") ?? values.latitude
      values.longitude = number(after: "lon=") ?? values.longitude
      values.altitude = number(after: "alt=") ?? values.altitude
      values.time = number(after: "t=") ?? values.time
      values.key = number(after: "k=") ?? values.key
      values.value = number(after: "v=") ?? values.value
    }
    let name = line.extracting(kind).trimmedText
    if isOpen, isCut(name, values) { return .cut }
    switch name {
    case "tp=lbs": return takePosition(values)
    case "tp=h-r": take(.heartRate, values) { $0 }
    case "tp=alti", "tp=alt": takeElevation(values)
    // Steps per minute of both feet.
    case "tp=s-r": take(.cadence, values) { $0 / 2 }
    default: break
    }
    return .usable
  }

  /// Whether the last line of a file without a line end may have lost digits. The time of a position is its
  /// last number, so that a cut one differs from the previous time by a factor of ten.
  private func isCut(_ name: String, _ values: Values) -> Bool {
    guard name == "tp=lbs" else { return values.value == nil || Self.usedKinds.contains(name) }
    guard let last = series.fixes.last, last.time != Instant.absent else { return false }
    if values.latitude == Self.pause.latitude { return false }
    guard let time = values.time.flatMap(JSONTime.sinceEpoch) else { return true }
    return time.microseconds < last.time / 2
      || time.microseconds - CivilCalendar.dayLength > 2 * max(last.time, 0)
  }

  private mutating func takePosition(_ values: Values) -> Verdict {
    guard let latitude = values.latitude, let longitude = values.longitude else { return .invalidPosition }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    if coordinate == HuaweiTrack.pause {
      if let number = values.key {
        if pauses.count < Self.maximumPauses { pauses.append(number) } else { skippedPauses += 1 }
      }
      isPaused = !series.fixes.isEmpty
      return .usable
    }
    // Watches write zeros before the first fix.
    let isEmpty = latitude == 0 && longitude == 0 && (values.time ?? 0) == 0
    guard coordinate.isValid, !isEmpty else { return .invalidPosition }
    let time = values.time.flatMap(JSONTime.sinceEpoch)
    series.append(
      SeparateSeries.Fix(
        time: time?.microseconds ?? Instant.absent, latitude: latitude, longitude: longitude,
        // The app writes 0 for unknown elevations.
        elevation: values.altitude.flatMap { $0 == 0 ? nil : $0 } ?? .nan, startsSegment: isPaused,
        number: values.key ?? .nan))
    isPaused = false
    return .usable
  }

  private mutating func takeElevation(_ values: Values) {
    guard let time = values.key.flatMap(JSONTime.sinceEpoch), let value = values.value,
      Self.elevations.contains(value)
    else { return }
    series.append(.elevation, value, at: time.microseconds)
  }

  private mutating func take(
    _ channel: Channel, _ values: Values, _ convert: (Double) -> Double
  ) {
    guard let time = values.key.flatMap(JSONTime.sinceEpoch), let value = values.value, value > 0 else {
      return
    }
    series.append(channel, convert(value), at: time.microseconds)
  }
}
