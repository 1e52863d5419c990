import TrackModel

/// Chooses the columns that are read by their headings and their first values.
extension CSVHeadingRow {
  /// The chosen columns by meaning, with their preference among those of the same meaning.
  private typealias Choice = [CSVColumnRole: (index: Int, unit: CSVUnit, rank: Int)]

  /// Returns the columns with a meaning, those of other numbers, and the headings of the rest.
  func columns(
    _ said: CSVColumns, values: [CSVLayout.Row]
  ) -> (
    read: [CSVLayout.Column], extras: [(index: Int, name: ExtraValues.Name)], unsupportedContent: [String]
  ) {
    var (chosen, saidIndices) = assigned(said)
    chooseByHeading(&chosen, except: saidIndices, values)
    settleTimes(&chosen, values)
    if hasEngine, saidIndices.isDisjoint(with: [chosen[.channel(.waterTemperature)]?.index ?? -1]) {
      chosen[.channel(.waterTemperature)] = nil
    }
    // The precision in tables of GoPro's telemetry, which have the camera's time `cts`, is a hundredfold DOP.
    if headings.contains("cts") { chosen[.channel(.horizontalAccuracy)] = nil }
    if chosen[.kind] == nil, let type = chosen[.type], isKind(type.index, values) {
      chosen[.kind] = type
      chosen[.type] = nil
    }
    if chosen[.track] != nil { chosen[.object] = nil }
    settlePositions(&chosen, values)
    settleDistances(&chosen, saidIndices, values)
    let read = chosen.filter { $0.key != .ordinal }
      .map {
        CSVLayout.Column(
          index: $0.value.index, meaning: $0.key, unit: $0.value.unit, heading: headings[$0.value.index])
      }
      .sorted { $0.index < $1.index }
    // The number of a fragment is a channel, too, because only pauses between fragments start segments.
    let used = Set(chosen.filter { $0.key != .fragment }.values.map(\.index))
    let rest = headings.indices.filter {
      !used.contains($0) && !headings[$0].isEmpty && parsed[$0]?.meaning != .ordinal
    }
    let others = read.filter { $0.meaning != .fragment }.map { unitHeadings[$0.index] }
    let extras = isMissing ? [] : extras(among: rest, beside: others, values)
    let unsupportedContent = rest.filter { index in !extras.contains { $0.index == index } }
    return (read, extras, unsupportedContent.map { headings[$0] })
  }

  /// Returns the columns that the user specifies.
  private func assigned(_ said: CSVColumns) -> (chosen: Choice, indices: Set<Int>) {
    var chosen: Choice = [:]
    var indices: Set<Int> = []
    for assignment in said.assignments {
      let index: Int? =
        switch assignment.reference {
        case .number(let number): number - 1
        case .heading(let name): headings.firstIndex { $0.lowercased() == name }
        }
      guard let index, index < headings.count else { continue }
      let unit = assignment.unit ?? (parsed[index]?.meaning == assignment.meaning ? parsed[index]?.unit : nil)
      chosen[assignment.meaning] = (index, unit ?? .own, .max)
      indices.insert(index)
    }
    return (chosen, indices)
  }

  /// Chooses the best column for each meaning of a heading.
  private func chooseByHeading(
    _ chosen: inout Choice, except saidIndices: Set<Int>, _ values: [CSVLayout.Row]
  ) {
    let logger = logger
    let areWhole = arePositionsWhole(values)
    let fixes = Array(values.lazy.filter(hasPosition).prefix(20))
    let sample = fixes.isEmpty ? Array(values.prefix(20)) : fixes
    for (index, heading) in parsed.enumerated() where !saidIndices.contains(index) {
      guard let heading else { continue }
      let rank = rank(of: heading, at: index, sample, haveFixes: !fixes.isEmpty)
      if let other = chosen[heading.meaning], other.rank >= rank { continue }
      let unit = heading.unit.isOwn ? logger?.unit(of: heading.meaning, areWhole: areWhole) : nil
      chosen[heading.meaning] = (index, unit ?? heading.unit, rank)
    }
  }

  /// Removes redundant columns for the position, and finds the unit of degrees with a hemisphere.
  private func settlePositions(_ chosen: inout Choice, _ values: [CSVLayout.Row]) {
    // Separate columns take precedence over a combined one and over the height of planar coordinates.
    if chosen[.latitude] != nil, chosen[.longitude] != nil { chosen[.position] = nil }
    if let height = chosen[.channel(.elevation)], headings[height.index].lowercased() == "z",
      let longitude = chosen[.longitude], headings[longitude.index].lowercased() != "x"
    {
      chosen[.channel(.elevation)] = nil
    }
    for (meaning, hemisphere) in [
      (CSVColumnRole.latitude, CSVColumnRole.latitudeHemisphere), (.longitude, .longitudeHemisphere),
    ] where chosen[hemisphere] != nil && chosen[meaning]?.unit.isOwn == true && areDegreesAndMinutes(values) {
      chosen[meaning]?.unit = .degreesAndMinutes
    }
  }

  /// Finds the meaning and the unit of the distances, unless the user specifies them.
  private func settleDistances(
    _ chosen: inout Choice, _ saidIndices: Set<Int>, _ values: [CSVLayout.Row]
  ) {
    // Tables of this program contain totals.
    guard var column = chosen[.channel(.distance)], chosen[.kind] == nil, !saidIndices.contains(column.index)
    else { return }
    switch distance(column.index, column.unit, chosen, values) {
    case .unknown: break
    case .total(let unit):
      column.unit = unit
      chosen[.channel(.distance)] = column
    case .perRow(let unit):
      column.unit = unit
      chosen[.channel(.distance)] = nil
      chosen[.step] = column
    case .other: chosen[.channel(.distance)] = nil
    }
  }

  /// Returns the meaning of a column of distances according to the positions.
  private func distance(
    _ index: Int, _ unit: CSVUnit, _ chosen: Choice, _ values: [CSVLayout.Row]
  ) -> CSVDistance.Meaning {
    var numbers = CSVNumbers(usesDecimalComma: false)
    func text(_ row: CSVLayout.Row, _ index: Int) -> [UInt8] {
      guard index < row.fields.count else { return [] }
      let text = row.fields[index]
      return Array((text.contains(".") ? text : text.replacing(",", with: ".")).utf8)
    }
    func coordinate(_ row: CSVLayout.Row) -> Coordinate? {
      guard let latitude = chosen[.latitude], let longitude = chosen[.longitude] else {
        return chosen[.position].flatMap { CSVNumbers.position(text(row, $0.index).span) }
      }
      guard let north = numbers.degrees(text(row, latitude.index).span, isLatitude: true),
        let east = numbers.degrees(text(row, longitude.index).span, isLatitude: false),
        case let coordinate = Coordinate(
          latitude: latitude.unit.converted(north), longitude: longitude.unit.converted(east)),
        coordinate.isValid, north != 0 || east != 0
      else { return nil }
      return coordinate
    }
    var rows: [(distance: Double, coordinate: Coordinate)] = []
    for row in values {
      // A unit can follow the number.
      let cell = text(row, index).drop { $0 == 0x20 }.prefix { $0 != 0x20 }
      guard let distance = numbers.read(Array(cell).span), distance.isFinite, let coordinate = coordinate(row)
      else { continue }
      rows.append((distance, coordinate))
    }
    return CSVDistance.meaning(of: rows, unit: unit)
  }

  /// Whether the latitudes are degrees × 100 + minutes: one is greater than 90, and all have fewer than 60
  /// minutes.
  private func areDegreesAndMinutes(_ values: [CSVLayout.Row]) -> Bool {
    guard let index = parsed.firstIndex(where: { $0?.meaning == .latitude }) else { return false }
    var reading = CSVNumbers(usesDecimalComma: false)
    let numbers = values.compactMap {
      index < $0.fields.count ? reading.read(Array($0.fields[index].utf8).span).map { abs($0) } : nil
    }
    return numbers.contains { $0 > 90 }
      && numbers.allSatisfy { $0 <= 9000 && $0.truncatingRemainder(dividingBy: 100) < 60 }
  }

  /// Whether the latitudes are whole numbers, and one is greater than 90.
  private func arePositionsWhole(_ values: [CSVLayout.Row]) -> Bool {
    guard let index = parsed.firstIndex(where: { $0?.meaning == .latitude }) else { return false }
    let numbers = values.compactMap { index < $0.fields.count ? Double($0.fields[index]) : nil }
    return numbers.allSatisfy { $0 == $0.rounded() } && numbers.contains { abs($0) > 90 }
  }

  /// Returns the columns in which `0`, `V` or `No fix` marks a row without a fix.
  func fixColumns(_ columns: [CSVLayout.Column], _ values: [CSVLayout.Row]) -> [Int] {
    // Tables of this program keep points without a fix.
    guard !columns.contains(where: { $0.meaning == .kind }) else { return [] }
    let isByPhone = columns.contains { $0.meaning == .channel(.horizontalAccuracy) }
    return headings.indices.filter { index in
      let cells = values.lazy.compactMap { index < $0.fields.count ? $0.fields[index] : nil }
      switch columns.first(where: { $0.index == index })?.meaning {
      case .fix, .validity: return true
      case .channel(.satellites):
        // Phones and loggers that do not know the number write 0.
        return !isByPhone && cells.contains { (Double($0) ?? 0) > 3 }
      case nil:
        return CSVHeading.words(of: headings[index]).outside.joined().hasSuffix("status")
          && cells.allSatisfy { ["", "A", "V"].contains($0) } && cells.contains { !$0.isEmpty }
      default: return false
      }
    }
  }

  /// Whether the fields for the position contain digits.
  private func hasPosition(_ row: CSVLayout.Row) -> Bool {
    [CSVColumnRole.latitude, .longitude].allSatisfy { role in
      let column =
        parsed.firstIndex { $0?.meaning == role } ?? parsed.firstIndex { $0?.meaning == .position }
      guard let column else { return true }
      return column < row.fields.count && row.fields[column].utf8.contains { (0x30...0x39).contains($0) }
    }
  }

  /// Returns the columns that contain no texts, times, positions or identifiers. Names that repeat are
  /// numbered.
  private func extras(
    among indices: [Int], beside headings: [String], _ values: [CSVLayout.Row]
  ) -> [(index: Int, name: ExtraValues.Name)] {
    var counts = Dictionary(headings.map { (CSVHeadingRow.name($0).heading, 1) }) { first, _ in first }
    return indices.filter { index in
      switch parsed[index]?.meaning {
      case .channel, .fragment, .object, nil: break
      default: return false
      }
      let cells = values.lazy.compactMap { index < $0.fields.count ? Array($0.fields[index].utf8) : nil }
        .filter { !CSVNumbers.isAbsent($0.span) }
      // A sensor can begin after the sample, so that empty columns are kept.
      var numbers = CSVNumbers(usesDecimalComma: false)
      return cells.prefix(200).allSatisfy { numbers.read($0.span)?.isFinite == true }
    }.map { index in
      var name = CSVHeadingRow.name(unitHeadings[index])
      let heading = name.heading
      let count = counts[heading, default: 0] + 1
      counts[heading] = count
      if count > 1 {
        let source = index < sources.count ? sources[index] : ""
        let isNew = !source.isEmpty && counts.updateValue(1, forKey: "\(heading) \(source)") == nil
        name.name += isNew ? " \(source)" : " \(count)"
      }
      return (index, name)
    }
  }

  /// Returns the name and unit of a channel. The device of `Engine Speed (RPM) *OBD` is part of the name.
  private static func name(_ heading: String) -> ExtraValues.Name {
    guard let match = heading.wholeMatch(of: /(.+ \(.+\)) (\*[A-Za-z0-9]+)/) else {
      return ExtraValues.Name(heading: heading)
    }
    var name = ExtraValues.Name(heading: String(match.1))
    name.name += " \(match.2)"
    return name
  }

  /// Whether the values of a column are numbers or elapsed times that ascend, also past midnight.
  private func isCount(_ index: Int, _ values: [CSVLayout.Row]) -> Bool {
    let texts = values.compactMap { index < $0.fields.count ? $0.fields[index] : nil }.filter { !$0.isEmpty }
    if CSVRelativeTime.elapsedTimes(texts) != nil { return true }
    let numbers = texts.compactMap { DecimalReading.read(Array($0.replacing(",", with: ".").utf8).span) }
    return texts.count == numbers.count
      && CSVRelativeTime.ascend(CSVRelativeTime.withDays(numbers, 1e6), scale: 1e6)
  }

  /// Whether a type column contains the kind of point for every row, as in GPS Visualizer.
  private func isKind(_ index: Int, _ values: [CSVLayout.Row]) -> Bool {
    let types = values.compactMap { index < $0.fields.count ? $0.fields[index] : nil }.filter { !$0.isEmpty }
    return !types.isEmpty && types.allSatisfy { CSVKind(Array($0.utf8).span) != nil }
  }

  /// The preference of a column among those of the same meaning. Ties go to the first column.
  ///
  /// - Parameters:
  ///   - rows: rows with a position, or the first rows if no row has one.
  ///   - haveFixes: whether the rows have positions.
  private func rank(
    of heading: CSVHeading, at index: Int, _ rows: [CSVLayout.Row], haveFixes: Bool
  ) -> Int {
    switch heading.meaning {
    case .time, .date, .timeOfDay:
      // Prefers columns whose values are times, then a known zone, then the receiver's own time.
      func isZoned(_ row: CSVLayout.Row) -> Bool {
        guard index < row.fields.count else { return false }
        let bytes = Array(row.fields[index].utf8)
        // Numbers count from a known epoch.
        let time =
          DecimalReading.read(bytes.span).map {
            CSVTime.read(number: $0, decimals: 0, allowsSerial: false, unit: heading.unit)
          } ?? CSVTime.read(bytes.span, order: .dmy)
        if case .moment(_, hasZone: true) = time { return true }
        return false
      }
      let isZoned = heading.isUTC || rows.contains(where: isZoned)
      let isOfReceiver = CSVHeading.words(of: headings[index]).outside.first == "gps"
      // Missing times do not count.
      let given = rows.compactMap { row -> [UInt8]? in
        let bytes = index < row.fields.count ? Array(row.fields[index].utf8) : []
        return CSVNumbers.isAbsent(bytes.span) ? nil : bytes
      }
      let readable = given.count { bytes in
        CSVTime.read(bytes.span, order: .dmy) != .none
          || CSVTime.read(bytes.span, order: .mdy) != .none
          || DecimalReading.read(bytes.span) != nil
      }
      // Loggers write the receiver's time only with a fix.
      let share = given.isEmpty && !haveFixes ? 80 : readable * 80 / max(given.count, 1)
      return share + (isZoned ? 2 : 0) + (isOfReceiver ? 1 : 0)
    case .channel(.speed):
      // Other speeds are those of wheels or of an engine's control unit.
      let isOfReceiver =
        CSVHeading.words(of: headings[index]).outside.first == "gps"
        || index < sources.count && sources[index].lowercased() == "gps"
      return isOfReceiver ? 2 : 1
    case .channel(.elevation) where CSVHeading.words(of: headings[index]).outside.last == "height":
      // Heights of drones count from the ground, altitudes from the sea.
      return 0
    default:
      // x, y and z are coordinates only if there are no others.
      return ["x", "y", "z"].contains(headings[index].lowercased()) ? 0 : 1
    }
  }

  /// Chooses the columns of the time: dates and times of day take precedence over elapsed times and starts.
  private func settleTimes(_ chosen: inout Choice, _ values: [CSVLayout.Row]) {
    if let elapsed = chosen.removeValue(forKey: .elapsed),
      [.time, .date, .timeOfDay].allSatisfy({ chosen[$0] == nil }), isCount(elapsed.index, values)
    {
      chosen[.time] = elapsed
    }
    let start = chosen.removeValue(forKey: .startTime)
    if let start, [.time, .date, .timeOfDay].allSatisfy({ chosen[$0] == nil }) {
      chosen[.time] = start
    } else {
      chosen[.endTime] = nil
    }
    combineDateAndClock(&chosen, values)
  }

  /// Combines a date column and a time-of-day column, regardless of their headings.
  private func combineDateAndClock(_ chosen: inout Choice, _ values: [CSVLayout.Row]) {
    /// Whether the column's first value is only a time of day.
    func isClock(_ index: Int) -> Bool {
      for row in values where index < row.fields.count && !row.fields[index].isEmpty {
        let bytes = Array(row.fields[index].utf8)
        if case .clock = CSVTime.read(bytes.span, order: nil) { return true }
        // The serial number of a time of day is a fraction of a day.
        return DecimalReading.read(bytes.span).map { (0..<1).contains($0) } ?? false
      }
      return false
    }
    if let date = chosen[.date] {
      if let time = chosen[.time], chosen[.timeOfDay] == nil, isClock(time.index) {
        chosen[.timeOfDay] = time
        chosen[.time] = nil
      } else if chosen[.time] != nil {
        // One column has the full time, so the date column is redundant.
        chosen[.date] = nil
        chosen[.timeOfDay] = nil
      } else if chosen[.timeOfDay] == nil {
        chosen[.time] = date
        chosen[.date] = nil
      }
    } else if let clock = chosen[.timeOfDay], chosen[.time] == nil {
      chosen[.time] = clock
      chosen[.timeOfDay] = nil
    } else if chosen[.time] != nil {
      chosen[.timeOfDay] = nil
    }
  }
}
