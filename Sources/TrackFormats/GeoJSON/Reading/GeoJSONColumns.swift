import TrackModel

/// The arrays in a Feature's properties with one element per position: times and sensors.
struct GeoJSONColumns {
  /// One array, either flat or with an entry per line.
  private struct Column<Value: PackableValue> {
    /// The entry of a line.
    struct Line {
      /// The index of its first value.
      var first: Int
      /// Whether the entry is null, so that the line has no values.
      var isNull = false
    }

    var values = ColumnSpool<Value>()
    /// One entry per line, or `nil` for a flat array.
    var lines: [Line]?
    /// Whether the array contains any value other than null.
    var isTold = false
    // The values of the current line.
    var first = 0
    var end = 0

    mutating func beginLine(_ line: Int, position: Int) {
      guard let lines else {
        first = position
        end = values.count
        return
      }
      first = line < lines.count ? lines[line].first : values.count
      end = line + 1 < lines.count ? lines[line + 1].first : values.count
    }

    /// The number of missing values of the current line, negative if there are too many.
    func lacking(_ line: Int, positions: Int) -> Int {
      guard let lines, line < lines.count else { return positions }
      return lines[line].isNull ? 0 : positions - (end - first)
    }

    /// Reinterprets single values as entries of one line each.
    mutating func nest() {
      guard lines == nil else { return }
      lines = (0..<values.count).map { Line(first: $0, isNull: !isTold) }
    }

    @inline(__always)
    mutating func value(at index: Int) throws(TrackError) -> Value? {
      let index = first &+ index
      return index < end ? try values.value(at: index) : nil
    }
  }

  private var times: Column<Int64>?
  private var sensors: [(channel: Channel, column: Column<Double>)] = []
  private var extras: [Column<Double>] = []
  private var extraNames: [ExtraValues.Name] = []
  private var knownExtras: Set<ExtraValues.Name> = []

  // The missing values of the preceding lines.
  private var passedLines = 0
  private var hasFewer = false
  private var hasMore = false

  var hasTimes: Bool { times?.isTold == true }

  /// Records the number of positions of a line, after ``beginLine(_:position:)``.
  mutating func endLine(_ line: Int, positions: Int) {
    guard let times, times.lines != nil else { return }
    let lacking = times.lacking(line, positions: positions)
    hasFewer = hasFewer || lacking > 0
    hasMore = hasMore || lacking < 0
    passedLines = line + 1
  }

  /// Whether all lines together have fewer or more times than positions. Both are false without times.
  ///
  /// - Parameter positions: the total number of positions.
  func mismatch(positions: Int) -> (isFewer: Bool, isMore: Bool) {
    guard let times, times.isTold else { return (false, false) }
    guard let lines = times.lines else {
      return (times.values.count < positions, times.values.count > positions)
    }
    return (hasFewer, hasMore || lines.count > passedLines)
  }

  // MARK: Reading

  /// Reads an array of times. The first array of a Feature with any times is used.
  mutating func readTimes(_ lexer: inout JSONLexer) throws(TrackError) {
    var column = Column<Int64>()
    defer { if !hasTimes { times = column } }
    try GeoJSONColumns.read(&column, &lexer) { (lexer: inout JSONLexer) throws(TrackError) -> Int64 in
      try JSONTime.read(&lexer)?.microseconds ?? Instant.absent
    } run: { (values, bytes, index) throws(TrackError) in
      var clock = ISO8601Scanner()
      while let time = JSONFastPath.time(bytes, at: &index, &clock) { try values.append(time) }
    }
  }

  /// Reads an array of sensor values.
  mutating func readSensor(_ channel: Channel, _ lexer: inout JSONLexer) throws(TrackError) {
    var column = Column<Double>()
    defer {
      if !sensors.contains(where: { $0.channel == channel }) { sensors.append((channel, column)) }
    }
    try GeoJSONColumns.read(&column, &lexer) { channel.known($0) ?? .nan }
  }

  /// Reads an array of values of a channel that is not in ``Channel``.
  ///
  /// - Returns: false without reading it if there are ``ExtraValues/maximumCount`` others.
  mutating func readExtra(_ name: ExtraValues.Name, _ lexer: inout JSONLexer) throws(TrackError) -> Bool {
    guard extraNames.count < ExtraValues.maximumCount else { return false }
    var column = Column<Double>()
    defer {
      if knownExtras.insert(name).inserted {
        extraNames.append(name)
        extras.append(column)
      }
    }
    try GeoJSONColumns.read(&column, &lexer) { $0 }
    return true
  }

  private static func read(
    _ column: inout Column<Double>, _ lexer: inout JSONLexer, checked: (Double) -> Double
  ) throws(TrackError) {
    try read(&column, &lexer) { (lexer: inout JSONLexer) throws(TrackError) -> Double in
      switch try lexer.kind() {
      case .number:
        if let value = try lexer.number() { return checked(value) }
        try lexer.warnOfText(.invalidValue, "number too large, ignored")
      case .null: try lexer.literal()
      case .string:
        try lexer.takeString()
        if let value = DecimalReading.read(lexer.rawText) { return checked(value) }
        try lexer.warnOfText(.invalidValue, "invalid number, ignored")
      case .array, .object, .true, .false:
        try lexer.warn(.invalidValue, "invalid number, ignored")
        try lexer.skip()
      }
      return .nan
    } run: { (values, bytes, index) throws(TrackError) in
      while let value = JSONFastPath.value(bytes, at: &index) { try values.append(checked(value)) }
    }
  }

  private static func read<Value: PackableValue>(
    _ column: inout Column<Value>, _ lexer: inout JSONLexer,
    element: (inout JSONLexer) throws(TrackError) -> Value,
    run: (inout ColumnSpool<Value>, Span<UInt8>, inout Int) throws(TrackError) -> Void
  ) throws(TrackError) {
    var depth = 1
    try lexer.beginArray()
    while depth > 0 {
      guard try lexer.nextElement() else {
        depth -= 1
        continue
      }
      let kind = try lexer.kind()
      if depth == 1, kind == .array {
        try lexer.beginArray()
        depth = 2
        column.nest()
        column.lines?.append(Column.Line(first: column.values.count))
        continue
      }
      let isLine = depth == 1 && column.lines != nil
      if isLine { column.lines?.append(Column.Line(first: column.values.count, isNull: kind == .null)) }
      column.isTold = column.isTold || kind != .null
      try column.values.append(try element(&lexer))
      // Entries of lines are not runs of values.
      if isLine { continue }
      try lexer.takeRun { (bytes, index) throws(TrackError) in
        let count = column.values.count
        try run(&column.values, bytes, &index)
        column.isTold = column.isTold || column.values.count > count
      }
    }
  }

  // MARK: Giving to points

  /// Starts a line.
  ///
  /// - Parameters:
  ///   - line: the index of the line in the Feature.
  ///   - position: the index of its first position among those of all lines.
  mutating func beginLine(_ line: Int, position: Int) {
    times?.beginLine(line, position: position)
    for index in sensors.indices { sensors[index].column.beginLine(line, position: position) }
    for index in extras.indices { extras[index].beginLine(line, position: position) }
  }

  /// Returns the time of a position of the line, or ``Instant/absent``.
  @inline(__always)
  mutating func time(at index: Int) throws(TrackError) -> Int64 {
    try times?.value(at: index) ?? Instant.absent
  }

  /// Sets the sensor values of the last row of a batch from a position of the line.
  @inline(__always)
  mutating func setSensors(at index: Int, of batch: inout PointBatch) throws(TrackError) {
    for sensor in sensors.indices {
      if let value = try sensors[sensor].column.value(at: index), !value.isNaN {
        batch.set(sensors[sensor].channel, value)
      }
    }
    guard !extras.isEmpty else { return }
    var values = ExtraValues(extraNames, Array(repeating: .nan, count: extras.count))
    for extra in extras.indices { values.values[extra] = try extras[extra].value(at: index) ?? .nan }
    guard !values.isEmpty else { return }
    var details = PointDetails()
    details.extraValues = values
    batch.set(details)
  }

  /// Returns the sensor values of a position of the line.
  mutating func values(at index: Int) throws(TrackError) -> [Channel: Double] {
    var values: [Channel: Double] = [:]
    for sensor in sensors.indices {
      if let value = try sensors[sensor].column.value(at: index), !value.isNaN {
        values[sensors[sensor].channel] = value
      }
    }
    return values
  }
}
