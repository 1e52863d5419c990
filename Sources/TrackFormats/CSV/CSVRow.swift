import TrackModel

/// The position, time and channels of a row.
struct CSVRow {
  /// Reports a problem: its code, message, the column's heading, and the invalid text.
  typealias Report = (TrackWarning.Code, String, String?, String?) throws(TrackError) -> Void

  static let timeWithoutZone = "time without a zone, treated as UTC"

  /// The number of columns in the heading.
  let width: Int?
  /// The columns whose changes start tracks and segments.
  private(set) var trackColumn: Int?
  private(set) var segmentColumn: Int?
  private(set) var lapColumn: Int?
  /// The column that marks rows which repeat the position of an earlier one.
  private var updateColumn: Int?
  private var fixColumns: [Int] = []
  private var fixTimeColumn: Int?
  private var lastFix: (time: [UInt8], coordinate: Coordinate)?
  private var endColumn: Source?
  private var delayColumn: Source?
  private var zoneColumn: Int?
  /// The zones that the table names, nil for unknown ones.
  private var zones: [String: CSVTimeZone?] = [:]
  /// The last date and time of day of two columns, and the days since the date.
  var lastMoment: (date: Int64, clock: Int64, days: Int64)?
  /// Whether the table has columns that the writer does not write. Loggers write 0, 0 without a fix.
  private var isByLogger = false
  private(set) var kind = CSVKind.trackpoint

  /// The source of a column's values. Compact, because it is accessed for each field.
  struct Source {
    let index: Int
    let unit: CSVUnit
    let isOwnUnit: Bool

    init(_ column: CSVLayout.Column) {
      index = column.index
      unit = column.unit
      isOwnUnit = column.unit.isOwn
    }
  }

  private var channels: [(channel: Channel, source: Source)] = []
  /// The headings by column, for warnings.
  private(set) var headings: [Int: String] = [:]
  private var texts = CSVTextColumns()
  private var extraColumns: [Int] = []
  /// The extra columns without a value so far, which can turn out to be texts.
  private var emptyColumns: [Int] = []
  private var extraNames: [ExtraValues.Name] = []
  private var extraValues: [Double] = []
  /// The value of a sensor in a table with a row for each value.
  private var sensorColumns: CSVLayout.SensorColumns?
  private var sensor: ExtraValues?
  private var lastOfSensor: (coordinate: Coordinate, time: Int64)?
  private var latitudeColumn: Source?
  private var longitudeColumn: Source?
  private var positionColumn: Source?
  private var latitudeHemisphere: Int?
  private var longitudeHemisphere: Int?
  private(set) var timeColumn: Source?
  private(set) var dateColumn: Source?
  private(set) var clockColumn: Source?
  private var kindColumn: Source?
  private var nameColumn: Int?
  private var trackNameColumn: Int?
  private var driveColumns: [(attribute: String, index: Int)] = []
  /// Whether rows with a name are waypoints.
  private var namesMakeWaypoints = false
  let dateOrder: CSVDateOrder?
  /// The columns whose numbers are days according to their headings.
  private(set) var saysSerial: Set<Int> = []
  let isUTC: Bool
  var relativeTime: CSVRelativeTime?
  /// The headings of all columns, to recognise repeated heading rows.
  private var headingText: [[UInt8]] = []
  var numbers: CSVNumbers

  private var coordinate = Coordinate(latitude: 0, longitude: 0)
  private(set) var time = Instant.absent
  /// The end of the span at the position, or ``Instant/absent``.
  private var end = Instant.absent
  /// The channels' values in column order, NaN if missing.
  private var readings: [Double]
  private var held = CSVHeldValues()

  /// A row of a table without columns.
  init() {
    width = nil
    dateOrder = nil
    isUTC = false
    relativeTime = nil
    numbers = CSVNumbers(usesDecimalComma: false)
    readings = []
  }

  init(_ layout: CSVLayout) {
    width = layout.width
    dateOrder = layout.dateOrder
    isUTC = layout.isUTC
    relativeTime = layout.relativeTime
    numbers = CSVNumbers(usesDecimalComma: layout.usesDecimalComma)
    for column in layout.columns {
      headings[column.index] = column.heading
      let source = Source(column)
      switch column.meaning {
      case .latitude: latitudeColumn = source
      case .longitude: longitudeColumn = source
      case .position: positionColumn = source
      case .latitudeHemisphere: latitudeHemisphere = column.index
      case .longitudeHemisphere: longitudeHemisphere = column.index
      case .time: timeColumn = source
      case .date: dateColumn = source
      case .timeOfDay: clockColumn = source
      case .channel(let channel): channels.append((channel, source))
      case .kind: kindColumn = source
      case .track: trackColumn = column.index
      case .segment: segmentColumn = column.index
      case .lap: lapColumn = column.index
      case .update: updateColumn = column.index
      case .fixTime: fixTimeColumn = column.index
      case .endTime: endColumn = source
      case .delay: delayColumn = source
      case .zone: zoneColumn = column.index
      case .trackName: trackNameColumn = column.index
      case .drive(let attribute): driveColumns.append((attribute, column.index))
      case .name:
        nameColumn = column.index
        texts.add(.name, column.index)
      case .comment, .description, .source, .symbol, .type, .fix, .differentialStation, .link:
        texts.add(column.meaning, column.index)
      case .ordinal, .elapsed, .startTime, .validity: break
      }
    }
    fixColumns = layout.fixColumns
    sensorColumns = layout.sensorColumns
    extraColumns = layout.extras.map(\.index)
    emptyColumns = layout.emptyExtras
    extraNames = layout.extras.map(\.name)
    isByLogger =
      layout.columns.contains { $0.meaning == .update || $0.meaning == .validity }
      || !layout.unsupportedContent.isEmpty || !extraColumns.isEmpty || sensorColumns != nil
    saysSerial = Set(layout.columns.filter { CSVRow.saysSerial($0.heading) }.map(\.index))
    // A change of the track name starts a track too.
    if trackColumn == nil { trackColumn = trackNameColumn }
    namesMakeWaypoints =
      nameColumn != nil && kindColumn == nil && timeColumn == nil && dateColumn == nil && trackColumn == nil
      && segmentColumn == nil
    readings = Array(repeating: .nan, count: channels.count)
    headingText = layout.headings.map { Array($0.utf8) }
  }

  private static func saysSerial(_ heading: String) -> Bool {
    let (outside, inside) = CSVHeading.words(of: heading)
    return (outside + inside).contains {
      ["excel", "serial", "date", "datetime", "datum", "days"].contains($0)
    }
  }

  /// Whether the row may be a heading: the field of the first coordinate is one. Coordinates such as `N47`
  /// begin with a letter, too, but not with two.
  func mayBeHeading(_ records: borrowing CSVRecords) -> Bool {
    guard !headingText.isEmpty, let index = (latitudeColumn ?? positionColumn)?.index else { return false }
    let bytes = records.bytes(of: index)
    guard bytes.count > 1, bytes[0] & 0xDF &- UInt8(ascii: "A") < 26,
      bytes[1] & 0xDF &- UInt8(ascii: "A") < 26
    else { return false }
    return CSVHeading(records.text(of: index)) != nil
  }

  /// Whether the row is the same as the heading.
  func repeatsHeading(_ records: borrowing CSVRecords) -> Bool {
    records.count == headingText.count
      && headingText.indices.allSatisfy { records.bytes(of: $0).array == headingText[$0] }
  }

  // MARK: Reading

  /// Reads the current row.
  ///
  /// - Returns: false if it is not a point, which has then been reported, or if the row states that it has no
  ///   new position.
  mutating func read(_ records: borrowing CSVRecords, _ report: Report) throws(TrackError) -> Bool {
    if let updateColumn, CSVRow.isNoFix(records.bytes(of: updateColumn)) { return false }
    if fixColumns.contains(where: { CSVRow.isNoFix(records.bytes(of: $0)) }) {
      try report(.noFix, "row without a fix, skipped", nil, nil)
      return false
    }
    guard try readPosition(records, report) else {
      hold(records)
      return false
    }
    if let fixTimeColumn {
      let fix = (time: records.bytes(of: fixTimeColumn).array, coordinate: coordinate)
      if let lastFix, lastFix == fix { return false }
      lastFix = fix
    }
    kind = .trackpoint
    if let kindColumn {
      let bytes = records.bytes(of: kindColumn.index)
      if let known = CSVKind(bytes) {
        kind = known
      } else if bytes.count > 0 {
        try report(
          .invalidValue, "unknown kind of point, read as a trackpoint", headings[kindColumn.index],
          records.text(of: kindColumn.index))
      }
    } else if namesMakeWaypoints, let nameColumn, !records.isEmpty(nameColumn) {
      kind = .waypoint
    }
    time = try readTime(records, report)
    if sensorColumns != nil {
      // Rows for the values of other sensors repeat the position.
      if let last = lastOfSensor, last.coordinate == coordinate, (0..<1_000_000).contains(time &- last.time) {
        hold(records)
        return false
      }
      lastOfSensor = (coordinate, time)
    }
    end = Instant.absent
    if let endColumn { end = try readTime(of: endColumn, records, report) }
    if let delayColumn, time != Instant.absent,
      let seconds = numbers.read(records.bytes(of: delayColumn.index)), (0..<60).contains(seconds)
    {
      time -= Int64((delayColumn.unit.converted(seconds) * 1e6).rounded())
    }
    for index in channels.indices {
      readings[index] = .nan
      guard !records.isEmpty(channels[index].source.index) else { continue }
      readings[index] = try readChannel(channels[index].channel, channels[index].source, records, report)
    }
    if let sensorColumns { sensor = held.complete(sensorValue(sensorColumns, records), at: time) }
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
        String(decoding: headingText[column], as: UTF8.self))
    }
  }

  /// Keeps the values of a row without a position for the next point. Loggers write rows at the rate of each
  /// sensor.
  private mutating func hold(_ records: borrowing CSVRecords) {
    func ignore(_: TrackWarning.Code, _: String, _: String?, _: String?) throws(TrackError) {}
    guard channels.count + extraColumns.count > 0 || sensorColumns != nil,
      let time = try? readTime(records, ignore), time != Instant.absent
    else { return }
    if let sensorColumns, let (name, value) = sensorValue(sensorColumns, records) {
      held.keep(value, of: name, time)
    }
    for index in channels.indices where !records.isEmpty(channels[index].source.index) {
      let (channel, source) = channels[index]
      guard let value = try? readChannel(channel, source, records, ignore), !value.isNaN else { continue }
      held.keep(value, at: index, time)
    }
    for (index, column) in extraColumns.enumerated() {
      guard let value = numbers.read(records.bytes(of: column)), value.isFinite else { continue }
      held.keep(value, at: channels.count + index, time)
    }
  }

  /// Returns the value of the sensor in a row, or nil if it is not a number.
  private mutating func sensorValue(
    _ columns: CSVLayout.SensorColumns, _ records: borrowing CSVRecords
  ) -> (name: ExtraValues.Name, value: Double)? {
    guard let value = numbers.read(records.bytes(of: columns.value)) else { return nil }
    let unit = records.text(of: columns.unit)
    return (ExtraValues.Name(records.text(of: columns.name), unit: unit.isEmpty ? nil : unit), value)
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
    if let latitudeColumn, let longitudeColumn {
      if records.isEmpty(latitudeColumn.index) || records.isEmpty(longitudeColumn.index) {
        try report(.invalidPosition, "row without a position, skipped", nil, nil)
        return false
      }
      guard
        let latitude = degrees(records, latitudeColumn, hemisphere: latitudeHemisphere, isLatitude: true)
      else {
        try reportPosition(latitudeColumn, records, report)
        return false
      }
      guard
        let longitude = degrees(records, longitudeColumn, hemisphere: longitudeHemisphere, isLatitude: false)
      else {
        try reportPosition(longitudeColumn, records, report)
        return false
      }
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    } else if let positionColumn {
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
    if coordinate.latitude == 0, coordinate.longitude == 0, isByLogger {
      try report(.invalidPosition, "position 0, 0, row skipped", nil, nil)
      return false
    }
    guard coordinate.isValid else {
      let isLatitude = !(abs(coordinate.latitude) <= 90)
      let column = positionColumn ?? (isLatitude ? latitudeColumn : longitudeColumn)
      try report(
        .invalidPosition, "position out of range, row skipped", column.flatMap { headings[$0.index] },
        column.map { records.text(of: $0.index) })
      return false
    }
    return true
  }

  private func reportPosition(
    _ column: Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) {
    if CSVNumbers.isAbsent(records.bytes(of: column.index)) {
      try report(.invalidPosition, "row without a position, skipped", nil, nil)
      return
    }
    try report(
      .invalidPosition, "invalid position, row skipped", headings[column.index],
      records.text(of: column.index))
  }

  private mutating func degrees(
    _ records: borrowing CSVRecords, _ column: Source, hemisphere: Int?, isLatitude: Bool
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
    _ channel: Channel, _ column: Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> Double {
    let bytes = records.bytes(of: column.index)
    var value: Double
    if let number = numbers.read(bytes) {
      value = column.isOwnUnit ? number : column.unit.converted(number)
    } else {
      if CSVNumbers.isAbsent(bytes) { return .nan }
      guard let (number, unit) = readWithUnit(channel, column, records) else {
        try report(
          .invalidValue, "invalid number, ignored", headings[column.index], records.text(of: column.index))
        return .nan
      }
      value = unit.converted(number)
    }
    switch channel {
    case .speed, .horizontalAccuracy, .verticalAccuracy:
      // Phones write -1 for unknown values.
      if value < 0 { return .nan }
    case .course, .bearing, .magneticVariation:
      if value < 0 || value > 360 { return .nan }
      if value == 360 { value = 0 }
    default: break
    }
    return value.isFinite ? value : .nan
  }

  /// Parses a number followed by its unit, such as `54 km/h`, or by a remark, such as `7/12` for seven of
  /// twelve visible satellites.
  private mutating func readWithUnit(
    _ channel: Channel, _ column: Source, _ records: borrowing CSVRecords
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
    of column: Source, _ records: borrowing CSVRecords, _ report: Report
  ) throws(TrackError) -> CSVTimeZone? {
    var name = ""
    let bytes = records.bytes(of: column.index)
    if let start = CSVTimeZone.nameStart(in: bytes) {
      name = bytes.extracting((start + 1)..<bytes.count).trimmedText
      if name.last == "]" { name.removeLast() }
    } else if let zoneColumn, !isUTC {
      name = records.text(of: zoneColumn)
    }
    guard !name.isEmpty else { return nil }
    let zone = zones[name] ?? CSVTimeZone(named: name)
    if zones.count < 1024 { zones[name] = .some(zone) }
    if zone == nil {
      try report(
        .unknownZone, "unknown time zone, time treated as UTC", headings[zoneColumn ?? column.index], name)
    }
    return zone
  }

  /// Appends the row to a batch.
  func append(to batch: inout PointBatch, _ records: borrowing CSVRecords) {
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude, time: time)
    for index in channels.indices where !readings[index].isNaN {
      batch.set(channels[index].channel, readings[index])
    }
    if texts.areAny(in: records) || !extraColumns.isEmpty || sensor != nil { batch.set(details(records)) }
  }

  private func details(_ records: borrowing CSVRecords) -> PointDetails {
    var details = texts.details(records)
    if !extraColumns.isEmpty, !extraValues.allSatisfy(\.isNaN) {
      details.extraValues = ExtraValues(extraNames, extraValues)
    }
    if let sensor { details.extraValues = sensor }
    return details
  }

  /// Converts the row to a waypoint.
  func waypoint(_ records: borrowing CSVRecords) -> Waypoint {
    var values: [Channel: Double] = [:]
    for index in channels.indices where !readings[index].isNaN {
      values[channels[index].channel] = readings[index]
    }
    return Waypoint(
      coordinate: coordinate, time: time == Instant.absent ? nil : Instant(microseconds: time),
      values: values,
      details: details(records))
  }

  /// Returns the row's metadata of its track or route.
  func trackInfo(_ records: borrowing CSVRecords) -> TrackInfo {
    var info = TrackInfo()
    if let trackNameColumn, !records.isEmpty(trackNameColumn) {
      info.name = records.text(of: trackNameColumn)
    }
    var drive = driveColumns.filter { !records.isEmpty($0.index) }.map {
      ExtensionElement.Attribute(name: $0.attribute, value: records.text(of: $0.index))
    }
    if let relativeTime, relativeTime.start == nil, !drive.contains(where: { $0.name == DriveElement.clock })
    {
      drive.append(ExtensionElement.Attribute(name: DriveElement.clock, value: DriveElement.artificialClock))
    }
    if !drive.isEmpty { info.extensions = [DriveElement.make(drive)] }
    guard let trackColumn, trackColumn != trackNameColumn, !records.isEmpty(trackColumn) else { return info }
    let text = records.text(of: trackColumn)
    if let number = Int(text) {
      info.number = number
    } else if info.name == nil {
      info.name = text
    } else {
      info.source = text
    }
    return info
  }
}
