import TrackModel

/// Converts the rows of a VBO file to points.
struct VBORows {
  private let columns: VBOColumns
  private let options: ReadingOptions
  private(set) var log = WarningLog()
  private var clock: TimeOfDayClock?
  /// The time of day of the file's first line, until it was compared with that of a row.
  private var creationTime: Int64?
  /// The unit of positions, known from the first row with a fix.
  private(set) var unit: VBOAngle?
  private(set) var first: Coordinate?
  /// Whether the rows have times.
  var hasTimes: Bool { columns.roles.contains(.time) }
  /// Whether the first row has commas, between its values or as decimal marks.
  private var hasCommas: Bool?

  init(_ columns: VBOColumns, _ head: VBOHead, _ options: ReadingOptions) {
    self.columns = columns
    self.options = options
    clock = head.day.map { TimeOfDayClock(days: $0) }
    creationTime = head.timeOfDay
  }

  mutating func warn(
    _ code: TrackWarning.Code, _ message: String, at place: InputLocation,
    quoting text: @autoclosure () -> String? = nil
  ) throws(TrackError) {
    try log.report(code, message, isStrict: options.isStrict, at: place, offendingText: text())
  }

  /// The values of a row.
  private struct Values {
    var satellites = Double.nan
    var time: Int64?
    var latitude = Double.nan
    var longitude = Double.nan
    /// Whether the latitude has leading zeros, as only minutes have.
    var isPadded = false
    var speed = Double.nan
    var course = Double.nan
    var elevation = Double.nan
    var extra: [Double] = []
  }

  /// Appends the point of a row if it has a fix.
  ///
  /// - Parameter batch: a batch with room for a row.
  mutating func take(
    _ line: Span<UInt8>, at place: InputLocation, _ batch: inout PointBatch
  ) throws(TrackError) {
    if hasCommas == nil { hasCommas = line.array.contains(UInt8(ascii: ",")) }
    guard hasCommas == true else { return try takeRow(line, at: place, &batch) }
    let replacement = columns.areSeparatedByCommas ? UInt8(ascii: " ") : UInt8(ascii: ".")
    let row = line.array.map { $0 == UInt8(ascii: ",") ? replacement : $0 }
    try takeRow(row.span, at: place, &batch)
  }

  private mutating func takeRow(
    _ line: Span<UInt8>, at place: InputLocation, _ batch: inout PointBatch
  ) throws(TrackError) {
    var start = line.indexAfterBlanks(from: 0)
    guard start < line.count else { return }
    var column = 0
    // Some programs name the satellites but omit them in the rows.
    if columns.roles.first == .satellites, VBORows.isTime(line, start) { column = 1 }
    var values = Values()
    values.extra = Array(repeating: .nan, count: columns.extraNames.count)
    while start < line.count {
      let end = line.indexOfBlank(from: start)
      if column < columns.roles.count, let role = columns.roles[column] {
        try take(role, line.extracting(start..<end), place, &values)
      } else if column < columns.extraIndices.count, let index = columns.extraIndices[column] {
        values.extra[index] = DecimalReading.read(line.extracting(start..<end)) ?? .nan
      }
      column += 1
      start = line.indexAfterBlanks(from: end)
    }
    guard column >= columns.roles.count else {
      return try warn(.brokenRow, "row with missing values, skipped", at: place, quoting: line.trimmedText)
    }
    try append(values, line, place, &batch)
  }

  /// Whether a value is a packed time: at least five digits before a point.
  private static func isTime(_ line: Span<UInt8>, _ start: Int) -> Bool {
    var end = start
    while end < line.count, line[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
    return end - start > 4 && end < line.count && line[end] == UInt8(ascii: ".")
  }

  private mutating func take(
    _ role: VBOColumns.Role, _ text: Span<UInt8>, _ place: InputLocation, _ values: inout Values
  ) throws(TrackError) {
    if role == .time {
      values.time = VBORows.timeOfDay(text)
      if values.time == nil {
        try warn(.invalidTime, "invalid time, ignored", at: place, quoting: text.trimmedText)
      }
      return
    }
    guard let number = DecimalReading.read(text) else {
      // A value that is not known.
      if text.count == 3, text[0] | 0x20 == UInt8(ascii: "n") { return }
      return try warn(.invalidValue, "invalid number, ignored", at: place, quoting: text.trimmedText)
    }
    switch role {
    case .satellites: values.satellites = number
    case .latitude:
      values.latitude = number
      values.isPadded = values.isPadded || VBORows.isPadded(text)
    case .longitude:
      values.longitude = number
      values.isPadded = values.isPadded || VBORows.isPadded(text)
    case .speed: values.speed = (number / columns.speedScale * 1e5).rounded() / 1e5
    case .course: values.course = number
    case .elevation: values.elevation = number * columns.elevationScale
    case .time: break
    }
  }

  /// Whether the number has a leading zero before another digit.
  private static func isPadded(_ text: Span<UInt8>) -> Bool {
    let start = text.count > 0 && (text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-")) ? 1 : 0
    return text.count > start + 1 && text[start] == UInt8(ascii: "0")
      && text[start + 1] &- UInt8(ascii: "0") <= 9
  }

  /// Reads `HHMMSS.ss`: seconds and minutes are the last four digits before the point.
  private static func timeOfDay(_ text: Span<UInt8>) -> Int64? {
    var point = 0
    var whole = 0
    while point < text.count, text[point] != UInt8(ascii: ".") {
      let digit = text[point] &- UInt8(ascii: "0")
      // A few programs write `HH:MM:SS.ss`, whose colons are ASCII's next character after 9.
      guard digit <= 10, point < 8 else { return nil }
      if digit < 10 { whole = whole * 10 + Int(digit) }
      point += 1
    }
    guard point > 0 else { return nil }
    let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard var time = CivilCalendar.timeOfDay(hour, minute, second) else { return nil }
    var step: Int64 = 100_000
    var index = point + 1
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      time += Int64(digit) * step
      step /= 10
      index += 1
    }
    return time
  }

  private mutating func append(
    _ values: Values, _ line: Span<UInt8>, _ place: InputLocation, _ batch: inout PointBatch
  ) throws(TrackError) {
    // The low six bits are the number; the others are flags.
    let flagged = Int(exactly: values.satellites.rounded())
    let satellites = flagged.map { $0 & 63 }
    guard satellites != 0, values.latitude != 0 || values.longitude != 0 else {
      return try log.report(.noFix, "row without a fix, skipped", at: place)
    }
    let unit = unit(of: values)
    let coordinate = unit.coordinate(values.latitude, values.longitude)
    guard coordinate.isValid else {
      return try warn(
        .invalidPosition, "position out of range, point skipped", at: place, quoting: line.trimmedText)
    }
    self.unit = unit
    if first == nil { first = coordinate }
    batch.append(
      latitude: coordinate.latitude, longitude: coordinate.longitude, time: try time(values.time, place))
    if let satellites { batch.set(.satellites, Double(satellites)) }
    batch.set(.speed, ifKnown: values.speed)
    batch.set(.elevation, ifKnown: values.elevation)
    batch.set(.course, ifKnown: values.course < 0 ? values.course + 360 : values.course)
    guard !values.extra.allSatisfy(\.isNaN) else { return }
    var details = PointDetails()
    details.extraValues = ExtraValues(columns.extraNames, values.extra)
    batch.set(details)
  }

  private func unit(of values: Values) -> VBOAngle {
    if let unit { return unit }
    return values.isPadded || abs(values.latitude) > 90 || abs(values.longitude) > 180 ? .minutes : .degrees
  }

  /// Returns the moment of a time of day in microseconds since 1970, or ``Instant/absent``. Without a date,
  /// only the differences of times are known.
  private mutating func time(_ time: Int64?, _ place: InputLocation) throws(TrackError) -> Int64 {
    guard let time else { return Instant.absent }
    if clock == nil {
      if options.reportsUnknownStart { try warn(.missingDate, TimeOfDayClock.undated, at: place) }
      clock = TimeOfDayClock(undatedFrom: time)
    }
    if let creation = creationTime {
      creationTime = nil
      if abs(creation - time) > CivilCalendar.dayLength / 2 {
        try warn(
          .doubtfulDate,
          "the first line's time of day is more than 12 h from this row's; its date may be wrong",
          at: place)
      }
    }
    return clock?.advance(to: time) ?? Instant.absent
  }
}

extension TrackWarning.Code {
  static let brokenRow = TrackWarning.Code("broken-row")
}
