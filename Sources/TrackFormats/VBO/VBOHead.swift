import TrackModel

/// The sections before the data of a VBO file.
struct VBOHead {
  enum Section: String {
    case header, comments, lapTiming = "laptiming", columnNames = "column names", data
    case channelUnits = "channel units"
    case other

    /// Returns the section whose heading is in a line, or `nil` for other lines.
    init?(_ line: Span<UInt8>) {
      let start = line.indexAfterBlanks(from: 0)
      guard start < line.count, line[start] == UInt8(ascii: "[") else { return nil }
      let text = line.extracting(start..<line.count).trimmedText
      guard text.hasSuffix("]") else { return nil }
      self = Section(rawValue: text.dropFirst().dropLast().lowercased()) ?? .other
    }
  }

  /// The section of the next lines, or `nil` before the first heading.
  private(set) var section: Section?
  /// The day of the first line, in days since 1970.
  private(set) var day: Int?
  /// The time of day of the first line in microseconds, if it has one.
  private(set) var timeOfDay: Int64?
  private(set) var names: [String] = []
  /// Whether commas separate the names, and the values of the rows.
  private(set) var hasCommas = false
  private(set) var longNames: [String] = []
  private(set) var comments: [String] = []
  /// The units of the columns that not every log has.
  private(set) var units: [String] = []
  private(set) var gates: [VBOGate] = []
  /// The warnings about the sections, also those after the data.
  private(set) var log = WarningLog()
  private let isStrict: Bool

  /// The maximum number of lines kept of a section.
  private static let maximumLines = 1024

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Processes the current line.
  ///
  /// - Returns: whether the data follow.
  mutating func take(_ lines: borrowing TextLines) throws(TrackError) -> Bool {
    if let flaw = lines.flaw {
      try log.report(flaw.code, flaw.message, line: lines, isStrict: isStrict)
      return false
    }
    let line = lines.line
    if let section = Section(line) {
      self.section = section
      return section == .data
    }
    let start = line.indexAfterBlanks(from: 0)
    guard start < line.count else { return false }
    switch section {
    case nil: takeCreation(line.extracting(start..<line.count))
    case .header:
      let text = line.extracting(start..<line.count)
      if text.starts(with: "File created") {
        takeCreation(text)
      } else {
        try append(lines, to: \.longNames)
      }
    case .comments: try append(lines, to: \.comments)
    case .lapTiming:
      guard let gate = VBOGate(line), try hasRoom(gates.count, lines) else { return false }
      gates.append(gate)
    case .columnNames:
      guard names.isEmpty else { return false }
      let text = line.trimmedText
      hasCommas = text.contains(",")
      names = text.split { " \t,".contains($0) }.map(String.init)
    case .channelUnits: try append(lines, to: \.units)
    case .data, .other: break
    }
    return false
  }

  private mutating func append(
    _ lines: borrowing TextLines, to texts: WritableKeyPath<VBOHead, [String]>
  ) throws(TrackError) {
    if try hasRoom(self[keyPath: texts].count, lines) { self[keyPath: texts].append(lines.line.trimmedText) }
  }

  /// - Returns: false, with a warning, if a section already has ``maximumLines``.
  private mutating func hasRoom(_ count: Int, _ lines: borrowing TextLines) throws(TrackError) -> Bool {
    guard count >= VBOHead.maximumLines else { return true }
    try log.report(
      .limitExceeded,
      "more than \(VBOHead.maximumLines) lines in [\(section?.rawValue ?? "")], the rest skipped",
      line: lines,
      isStrict: isStrict)
    return false
  }

  /// Reads `File created on DD/MM/YYYY at HH:MM:SS`. The time may follow an `@`, have no seconds, or be
  /// missing. A few programs write the year first, or the month if the day is above 12.
  private mutating func takeCreation(_ line: Span<UInt8>) {
    var numbers: [Int] = []
    var index = 0
    while index < line.count, numbers.count < 6 {
      var end = index
      while end < line.count, line[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
      if let number = line.digits(index..<end) { numbers.append(number) }
      index = max(end, index + 1)
    }
    guard self.day == nil, numbers.count >= 3 else { return }
    var (day, month, year) = (numbers[0], numbers[1], numbers[2])
    if day > 31 { (day, year) = (year, day) }
    if month > 12 { (day, month) = (month, day) }
    guard (1900...2200).contains(year),
      let days = CivilCalendar.days(validating: year, month: month, day: day)
    else { return }
    self.day = days
    guard numbers.count >= 5, numbers[3] < 24, numbers[4] < 60 else { return }
    let isAfternoon = numbers[3] < 12 && line.trimmedText.lowercased().hasSuffix("pm")
    timeOfDay = Int64((numbers[3] + (isAfternoon ? 12 : 0)) * 60 + numbers[4]) * 60_000_000
  }
}

/// A gate in `[laptiming]`: a line across the road by two positions.
struct VBOGate {
  /// `Start` or `Split`.
  let kind: String
  let name: String?
  /// The four numbers in minutes of arc. Either the latitude or the longitude of each position comes first.
  private let minutes: [4 of Double]

  /// Reads a line such as `Start +02743.96 -000784.39 +02743.95 -000784.40 ¬ Finish`. Commas can separate
  /// the values, or be their decimal marks.
  init?(_ line: Span<UInt8>) {
    let comma = UInt8(ascii: ",")
    guard line.indices.contains(where: { line[$0] == comma }) else {
      self.init(fields: line)
      return
    }
    // The name keeps its commas.
    func replacingCommas(of values: Int, with mark: UInt8) -> [UInt8] {
      var rest = values
      return line.array.map { byte in
        guard byte == comma, rest > 0 else { return byte }
        rest -= 1
        return mark
      }
    }
    if let gate = VBOGate(fields: line) {
      self = gate
    } else if let gate = VBOGate(fields: replacingCommas(of: 4, with: UInt8(ascii: ".")).span) {
      self = gate
    } else {
      // The kind and the four numbers.
      self.init(fields: replacingCommas(of: 5, with: 0x20).span)
    }
  }

  private init?(fields line: Span<UInt8>) {
    var start = line.indexAfterBlanks(from: 0)
    var end = line.indexOfBlank(from: start)
    kind = line.extracting(start..<end).trimmedText
    var minutes = [4 of Double](repeating: 0)
    for index in minutes.indices {
      start = line.indexAfterBlanks(from: end)
      end = line.indexOfBlank(from: start)
      guard let number = DecimalReading.read(line.extracting(start..<end)) else { return nil }
      minutes[index] = number
    }
    self.minutes = minutes
    let rest = line.extracting(end..<line.count).trimmedText
    let name = rest.drop { $0 == "¬" || $0 == " " }
    self.name = name.isEmpty ? nil : String(name)
  }

  /// Returns the middle of the gate as a waypoint, in the order of the numbers that is closer to a fix.
  func waypoint(near fix: Coordinate, in unit: VBOAngle) -> Waypoint? {
    let first = (minutes[0] + minutes[2]) / 2
    let second = (minutes[1] + minutes[3]) / 2
    let orders = [unit.coordinate(first, second), unit.coordinate(second, first)].filter(\.isValid)
    func distance(_ place: Coordinate) -> Double {
      abs(place.latitude - fix.latitude) + abs(place.longitude - fix.longitude)
    }
    guard let place = orders.min(by: { distance($0) < distance($1) }) else { return nil }
    var details = PointDetails(name: name ?? kind)
    details.type = kind
    return Waypoint(coordinate: place, details: details)
  }
}

/// The unit of the positions in a VBO file.
enum VBOAngle {
  /// Minutes of arc, with the longitude positive to the west.
  case minutes
  /// Degrees, with the longitude positive to the east, as a few programs write them.
  case degrees

  /// Returns a position, rounded to billionths of degrees (0.1 mm) in order to undo the division by 60.
  func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    switch self {
    case .minutes:
      Coordinate(
        latitude: (latitude / 60 * 1e9).rounded() / 1e9 + 0,
        longitude: 0 - (longitude / 60 * 1e9).rounded() / 1e9)
    case .degrees: Coordinate(latitude: latitude, longitude: longitude)
    }
  }
}
