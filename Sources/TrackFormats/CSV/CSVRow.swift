import TrackModel

/// The position, time and channels of a row.
struct CSVRow {
  /// Reports a problem: its code, message, the column's heading, and the invalid text.
  typealias Report = (TrackWarning.Code, String, String?, String?) throws(TrackError) -> Void

  static let timeWithoutZone = "time without a zone, treated as UTC"

  /// The columns of the table by meaning.
  let columns: CSVRowColumns
  var relativeTime: CSVRelativeTime?
  var fractions: CSVTimeFractions?
  private(set) var timeParts: CSVTimeParts?
  var numbers: CSVNumbers
  /// The zones that the table names, nil for unknown ones.
  private var zones: [String: CSVTimeZone?] = [:]
  /// The last date and time of day of two columns, and the days since the date.
  var lastMoment: (date: Int64, clock: Int64, days: Int64)?
  /// The last time that was converted from a zone, in seconds since 1970.
  var lastInZone: Int64?
  /// Whether it is later than the one before it; nil before the second time.
  var ascendsInZone: Bool?
  private var lastFix: (time: [UInt8], coordinate: Coordinate)?
  private var lastOfSensor: (coordinate: Coordinate, time: Int64)?
  private var extraColumns: [Int]
  /// The extra columns without a value so far, which can turn out to be texts.
  private var emptyColumns: [Int]

  private(set) var kind = CSVKind.trackpoint
  private var coordinate = Coordinate(latitude: 0, longitude: 0)
  private(set) var time = Instant.absent
  /// The end of the span at the position, or ``Instant/absent``.
  private var end = Instant.absent
  /// The channels' values in column order, NaN if missing.
  private var readings: [Double]
  private var extraValues: [Double] = []
  /// The value of a sensor in a table with a row for each value.
  private var sensor: ExtraValues?
  private var held = CSVHeldValues()
  private var distance: CSVDistance
  /// The last text in the column of the first coordinate that is not a heading, such as `NaN`.
  private var otherText: [UInt8] = []

  /// A row of a table without columns.
  init() { self.init(CSVRowColumns(), nil, CSVNumbers(usesDecimalComma: false)) }

  init(_ layout: CSVLayout) {
    self.init(
      CSVRowColumns(layout), layout.relativeTime, CSVNumbers(usesDecimalComma: layout.usesDecimalComma))
    fractions = layout.fractions
    timeParts = layout.timeParts
  }

  private init(_ columns: CSVRowColumns, _ relativeTime: CSVRelativeTime?, _ numbers: CSVNumbers) {
    self.columns = columns
    self.relativeTime = relativeTime
    self.numbers = numbers
    distance = CSVDistance(isPerRow: columns.areDistancesPerRow)
    extraColumns = columns.extras
    emptyColumns = columns.emptyExtras
    readings = Array(repeating: .nan, count: columns.channels.count)
  }

  /// Whether the row may be a heading: the field of the first coordinate is one. Coordinates such as `N47`
  /// begin with a letter, too, but not with two.
  mutating func mayBeHeading(_ records: borrowing CSVRecords) -> Bool {
    guard !columns.headingText.isEmpty, let index = (columns.latitude ?? columns.position)?.index else {
      return false
    }
    let bytes = records.bytes(of: index)
    guard bytes.count > 1, bytes[0] & 0xDF &- UInt8(ascii: "A") < 26,
      bytes[1] & 0xDF &- UInt8(ascii: "A") < 26
    else { return false }
    let text = bytes.array
    guard text != otherText else { return false }
    if CSVHeading(records.text(of: index)) != nil { return true }
    otherText = text
    return false
  }

  /// Whether the row is the same as the heading.
  func repeatsHeading(_ records: borrowing CSVRecords) -> Bool {
    records.count == columns.headingText.count
      && columns.headingText.indices.allSatisfy { records.bytes(of: $0).array == columns.headingText[$0] }
  }

  // MARK: Reading

  /// Starts the distances of a track, and the days of one that does not follow the track above it.
  mutating func beginTrack() {
    distance = CSVDistance(isPerRow: columns.areDistancesPerRow)
    if columns.areTracksIndependent {
      lastMoment = nil
      relativeTime?.beginTrack()
    }
  }

  /// Reads the current row.
  ///
  /// - Returns: false if it is not a point, which has then been reported, or if the row states that it has no
  ///   new position.
  mutating func read(_ records: borrowing CSVRecords, _ report: Report) throws(TrackError) -> Bool {
    if let updateColumn = columns.update, CSVRow.isNoFix(records.bytes(of: updateColumn)) { return false }
    if columns.fixes.contains(where: { CSVRow.isNoFix(records.bytes(of: $0)) }) {
      try report(.noFix, "row without a fix, skipped", nil, nil)
      return false
    }
    guard try readPosition(records, report) else {
      try hold(records, report)
      return false
    }
    if let fixTimeColumn = columns.fixTime {
      let fix = (time: records.bytes(of: fixTimeColumn).array, coordinate: coordinate)
      if let lastFix, lastFix == fix { return false }
      lastFix = fix
    }
    kind = .trackpoint
    if let kindColumn = columns.kind {
      let bytes = records.bytes(of: kindColumn.index)
      if let known = CSVKind(bytes) {
        kind = known
      } else if bytes.count > 0 {
        try report(
          .invalidValue, "unknown kind of point, read as a trackpoint", columns.headings[kindColumn.index],
          records.text(of: kindColumn.index))
      }
    } else if columns.namesMakeWaypoints, let nameColumn = columns.name, !records.isEmpty(nameColumn) {
      kind = .waypoint
    }
    time = try readTime(records, report)
    if columns.sensors != nil {
      // Rows for the values of other sensors repeat the position.
      if let last = lastOfSensor, last.coordinate == coordinate, (0..<1_000_000).contains(time &- last.time) {
        try hold(records, report)
        return false
      }
      lastOfSensor = (coordinate, time)
    }
    end = Instant.absent
    if let endColumn = columns.end { end = try readTime(of: endColumn, records, report) }
    if let delayColumn = columns.delay, time != Instant.absent,
      let delay = numbers.read(records.bytes(of: delayColumn.index)),
      case let microseconds = (delayColumn.isOwnUnit ? .seconds : delayColumn.unit).converted(delay),
      (0..<60e6).contains(microseconds)
    {
      time -= Int64(microseconds.rounded())
    }
    for index in columns.channels.indices {
      readings[index] = .nan
      guard !records.isEmpty(columns.channels[index].source.index) else { continue }
      readings[index] = try readChannel(
        columns.channels[index].channel, columns.channels[index].source, records, report)
    }
    if let sensorColumns = columns.sensors {
      sensor = held.complete(sensorValue(sensorColumns, records), at: time)
    }
    if !emptyColumns.isEmpty { try ignoreTexts(records, report) }
    if !extraColumns.isEmpty {
      extraValues = extraColumns.map { column in
        numbers.read(records.bytes(of: column)).flatMap { $0.isFinite ? $0 : nil } ?? .nan
      }
    }
    held.complete(&readings, &extraValues, at: time)
    return true
  }

  /// Ignores the extra columns whose first value is not a number.
  private mutating func ignoreTexts(_ records: borrowing CSVRecords, _ report: Report) throws(TrackError) {
    for column in emptyColumns where !CSVNumbers.isAbsent(records.bytes(of: column)) {
      emptyColumns.removeAll { $0 == column }
      guard numbers.read(records.bytes(of: column))?.isFinite != true,
        let index = extraColumns.firstIndex(of: column)
      else { continue }
      // No row has this column.
      extraColumns[index] = .max
      try report(
        .notRepresentable, CSVReader.unknownColumns, nil,
        String(decoding: columns.headingText[column], as: UTF8.self))
    }
  }

  /// Keeps the values of a row without a position for the next point. Loggers write rows at the rate of each
  /// sensor.
  private mutating func hold(_ records: borrowing CSVRecords, _ report: Report) throws(TrackError) {
    func ignore(_: TrackWarning.Code, _: String, _: String?, _: String?) throws(TrackError) {}
    guard columns.channels.count + extraColumns.count > 0 || columns.sensors != nil,
      let time = try? readTime(records, ignore), time != Instant.absent
    else { return }
    if let sensorColumns = columns.sensors, let (name, value) = sensorValue(sensorColumns, records),
      !held.keep(value, of: name, time)
    {
      try report(
        .limitExceeded,
        "more than \(CSVHeldValues.maximumSensors) sensors between two positions, the rest ignored", nil, nil)
    }
    for index in columns.channels.indices where !records.isEmpty(columns.channels[index].source.index) {
      let (channel, source) = columns.channels[index]
      guard let value = try? readChannel(channel, source, records, ignore), !value.isNaN else { continue }
      held.keep(value, at: index, time)
    }
    for (index, column) in extraColumns.enumerated() {
      guard let value = numbers.read(records.bytes(of: column)), value.isFinite else { continue }
      held.keep(value, at: columns.channels.count + index, time)
    }
  }

  /// Returns the value of the sensor in a row, or nil if it is not a number.
  private mutating func sensorValue(
    _ sensors: CSVLayout.SensorColumns, _ records: borrowing CSVRecords
  ) -> (name: ExtraValues.Name, value: Double)? {
    guard let value = numbers.read(records.bytes(of: sensors.value)) else { return nil }
    let unit = records.text(of: sensors.unit)
    return (ExtraValues.Name(records.text(of: sensors.name), unit: unit.isEmpty ? nil : unit), value)
  }

  /// Whether a text states that there is no new position: `0`, `No fix`, `NO_FIX`.
  private static func isNoFix(_ text: Span<UInt8>) -> Bool {
    guard (1...7).contains(text.count) else { return false }
    var word: [UInt8] = []
    for index in text.indices where ![0x20, UInt8(ascii: "_")].contains(text[index]) {
      word.append(text[index] | 0x20)
    }
    return noFix.contains(word)
  }

  private static let noFix = Set(
    ["0", "v", "no", "none", "nofix", "false", "invalid"].map { Array($0.utf8) })

  private mutating func readPosition(
    _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> Bool {
    if let latitudeColumn = columns.latitude, let longitudeColumn = columns.longitude {
      if records.isEmpty(latitudeColumn.index) || records.isEmpty(longitudeColumn.index) {
        try report(.invalidPosition, "row without a position, skipped", nil, nil)
        return false
      }
      guard
        let latitude = degrees(
          records, latitudeColumn, hemisphere: columns.latitudeHemisphere, isLatitude: true)
      else {
        try reportPosition(latitudeColumn, records, report)
        return false
      }
      guard
        let longitude = degrees(
          records, longitudeColumn, hemisphere: columns.longitudeHemisphere, isLatitude: false)
      else {
        try reportPosition(longitudeColumn, records, report)
        return false
      }
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    } else if let positionColumn = columns.position {
      guard !records.isEmpty(positionColumn.index) else {
        try report(.invalidPosition, "row without a position, skipped", nil, nil)
        return false
      }
      guard let position = CSVNumbers.position(records.bytes(of: positionColumn.index)) else {
        try reportPosition(positionColumn, records, report)
        return false
      }
      coordinate = position
    }
    if coordinate.latitude == 0, coordinate.longitude == 0, columns.areOfLogger {
      try report(.invalidPosition, "position 0, 0, row skipped", nil, nil)
      return false
    }
    guard coordinate.isValid else {
      let isLatitude = !(abs(coordinate.latitude) <= 90)
      let column = columns.position ?? (isLatitude ? columns.latitude : columns.longitude)
      try report(
        .invalidPosition, "position out of range, row skipped", column.flatMap { columns.headings[$0.index] },
        column.map { records.text(of: $0.index) })
      return false
    }
    return true
  }

  private func reportPosition(
    _ column: CSVRowColumns.Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) {
    if CSVNumbers.isAbsent(records.bytes(of: column.index)) {
      try report(.invalidPosition, "row without a position, skipped", nil, nil)
      return
    }
    try report(
      .invalidPosition, "invalid position, row skipped", columns.headings[column.index],
      records.text(of: column.index))
  }

  private mutating func degrees(
    _ records: borrowing CSVRecords, _ column: CSVRowColumns.Source, hemisphere: Int?, isLatitude: Bool
  ) -> Double? {
    guard var value = numbers.degrees(records.bytes(of: column.index), isLatitude: isLatitude) else {
      return nil
    }
    if !column.isOwnUnit { value = column.unit.converted(value) }
    if let hemisphere, let sign = CSVNumbers.sign(records.bytes(of: hemisphere), isLatitude: isLatitude) {
      value = abs(value) * sign
    }
    return value
  }

  private mutating func readChannel(
    _ channel: Channel, _ column: CSVRowColumns.Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> Double {
    let bytes = records.bytes(of: column.index)
    var value: Double
    if let number = numbers.read(bytes) {
      value = column.isOwnUnit ? number : column.unit.converted(number)
    } else {
      if CSVNumbers.isAbsent(bytes) { return .nan }
      guard let (number, unit) = readWithUnit(channel, column, records) else {
        try report(
          .invalidValue, "invalid number, ignored", columns.headings[column.index],
          records.text(of: column.index))
        return .nan
      }
      value = unit.converted(number)
    }
    // Tables of this program contain totals.
    if channel == .distance, columns.kind == nil { value = distance.total(value) }
    guard value.isFinite, let known = channel.known(value) else { return .nan }
    return known
  }

  /// Parses a number followed by its unit, such as `54 km/h`, or by a remark, such as `7/12` for seven of
  /// twelve visible satellites.
  private mutating func readWithUnit(
    _ channel: Channel, _ column: CSVRowColumns.Source, _ records: borrowing CSVRecords
  ) -> (value: Double, unit: CSVUnit)? {
    let text = Array(records.text(of: column.index).utf8)
    let end = text.firstIndex { byte in
      !((0x30...0x39).contains(byte) || [0x2B, 0x2C, 0x2D, 0x2E].contains(byte))
    }
    guard let end, end > 0 else { return nil }
    let digits = Array(text[..<end])
    guard let value = numbers.read(digits.span) else { return nil }
    if channel == .satellites { return (value, column.unit) }
    let (outside, inside) = CSVHeading.words(of: String(decoding: text[end...], as: UTF8.self))
    guard let quantity = CSVColumnRole.channel(channel).quantity,
      let unit = CSVUnit.named((outside + inside).joined(), for: quantity)
    else { return nil }
    return (value, unit)
  }

  // MARK: Delivering

  /// Changes the time from the start of the span at the position to its end.
  ///
  /// - Returns: false if there is no later end.
  mutating func moveToEnd() -> Bool {
    guard time != Instant.absent, end > time else { return false }
    time = end
    return true
  }

  /// Returns the zone in a cell, or in the last part of a cell with a time, or nil.
  mutating func zone(
    of column: CSVRowColumns.Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> CSVTimeZone? {
    var name = ""
    let bytes = records.bytes(of: column.index)
    if let start = CSVTimeZone.nameStart(in: bytes) {
      name = bytes.extracting((start + 1)..<bytes.count).trimmedText
      if name.last == "]" { name.removeLast() }
    } else if let zoneColumn = columns.zone, !columns.areUTC {
      name = records.text(of: zoneColumn)
    }
    guard !name.isEmpty else { return nil }
    let zone = zones[name] ?? CSVTimeZone(named: name)
    if zones.count < 1024 { zones[name] = .some(zone) }
    if zone == nil {
      try report(
        .unknownZone, "unknown time zone, time treated as UTC",
        columns.headings[columns.zone ?? column.index], name)
    }
    return zone
  }

  /// Appends the row to a batch. Mutating, because the compiler would copy the row.
  mutating func append(to batch: inout PointBatch, _ records: borrowing CSVRecords) {
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude, time: time)
    for index in columns.channels.indices where !readings[index].isNaN {
      batch.set(columns.channels[index].channel, readings[index])
    }
    if columns.texts.areAny(in: records) || !extraColumns.isEmpty || sensor != nil {
      batch.set(details(records))
    }
  }

  private func details(_ records: borrowing CSVRecords) -> PointDetails {
    var details = columns.texts.details(records)
    if !extraColumns.isEmpty, !extraValues.allSatisfy(\.isNaN) {
      details.extraValues = ExtraValues(columns.extraNames, extraValues)
    }
    if let sensor { details.extraValues = sensor }
    return details
  }

  /// Converts the row to a waypoint.
  func waypoint(_ records: borrowing CSVRecords) -> Waypoint {
    var values: [Channel: Double] = [:]
    for index in columns.channels.indices where !readings[index].isNaN {
      values[columns.channels[index].channel] = readings[index]
    }
    return Waypoint(
      coordinate: coordinate, time: time == Instant.absent ? nil : Instant(microseconds: time),
      values: values,
      details: details(records))
  }

  /// Returns the row's metadata of its track or route.
  func trackInfo(_ records: borrowing CSVRecords) -> TrackInfo {
    var info = TrackInfo()
    if let trackNameColumn = columns.trackName, !records.isEmpty(trackNameColumn) {
      info.name = records.text(of: trackNameColumn)
    }
    var drive = columns.drive.filter { !records.isEmpty($0.index) }.map {
      ExtensionElement.Attribute(name: $0.attribute, value: records.text(of: $0.index))
    }
    if let relativeTime, relativeTime.start == nil, !drive.contains(where: { $0.name == DriveElement.clock })
    {
      drive.append(ExtensionElement.Attribute(name: DriveElement.clock, value: DriveElement.artificialClock))
    }
    if !drive.isEmpty { info.extensions = [DriveElement.make(drive)] }
    guard let trackColumn = columns.track, trackColumn != columns.trackName, !records.isEmpty(trackColumn)
    else { return info }
    let text = records.text(of: trackColumn)
    if let number = Int(text), !columns.areTracksOfObjects || info.name != nil {
      info.number = number
    } else if info.name == nil {
      info.name = text
    } else {
      info.source = text
    }
    return info
  }
}
