import TrackModel

/// What the properties of a Feature say about each of its positions, in arrays that run beside the
/// coordinates: times and sensors.
struct GeoJSONColumns {
  /// One array; flat, or with an entry for each line.
  private struct Column<Value: PackableValue> {
    /// What stands for one line among others.
    struct Line {
      /// Where its values begin.
      var first: Int
      /// Whether it is null: the line has none, and nothing is missing.
      var isNull = false
    }

    var values = ColumnSpool<Value>()
    /// Each line's entry; nil for a flat array.
    var lines: [Line]?
    /// Whether anything in it is more than null.
    var isTold = false
    // The values of the line at hand.
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

    /// How many values the line at hand lacks; negative for those that are too many.
    func lacking(_ line: Int, positions: Int) -> Int {
      guard let lines, line < lines.count else { return positions }
      return lines[line].isNull ? 0 : positions - (end - first)
    }

    /// Takes what was read as single values for the entries of as many lines.
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

  // What the lines lacked that are passed, each with an entry of its own.
  private var passedLines = 0
  private var hasFewer = false
  private var hasMore = false

  var hasTimes: Bool { times?.isTold == true }

  /// Takes note of how many positions a line had, behind ``beginLine(_:position:)``.
  mutating func endLine(_ line: Int, positions: Int) {
    guard let times, times.lines != nil else { return }
    let lacking = times.lacking(line, positions: positions)
    hasFewer = hasFewer || lacking > 0
    hasMore = hasMore || lacking < 0
    passedLines = line + 1
  }

  /// Whether there were fewer times than positions, and more, once every line is passed; neither without
  /// times.
  ///
  /// - Parameter positions: how many the lines have together.
  func mismatch(positions: Int) -> (isFewer: Bool, isMore: Bool) {
    guard let times, times.isTold else { return (false, false) }
    guard let lines = times.lines else {
      return (times.values.count < positions, times.values.count > positions)
    }
    return (hasFewer, hasMore || lines.count > passedLines)
  }

  // MARK: Reading

  /// Takes an array of times; the first of a Feature's arrays that has any counts, with what was whole of it.
  mutating func readTimes(_ lexer: inout JSONLexer) throws(TrackError) {
    var column = Column<Int64>()
    defer { if !hasTimes { times = column } }
    try GeoJSONColumns.read(&column, &lexer) { (lexer: inout JSONLexer) throws(TrackError) -> Int64 in
      try JSONTime.read(&lexer)?.microseconds ?? Instant.absent
    } run: { (values, bytes, index) throws(TrackError) in
      while let time = JSONRuns.time(bytes, at: &index) { try values.append(time) }
    }
  }

  /// Takes an array of a sensor's values.
  mutating func readSensor(_ channel: Channel, _ lexer: inout JSONLexer) throws(TrackError) {
    var column = Column<Double>()
    defer {
      if !sensors.contains(where: { $0.channel == channel }) { sensors.append((channel, column)) }
    }
    try GeoJSONColumns.read(&column, &lexer) { (lexer: inout JSONLexer) throws(TrackError) -> Double in
      switch try lexer.kind() {
      case .number:
        if let value = try lexer.number() { return GeoJSONSensor.checked(channel, value) ?? .nan }
        try lexer.warnOfText(.invalidValue, "number too large, left out")
      case .null: try lexer.literal()
      case .string:
        try lexer.takeString()
        if let value = DecimalReading.read(lexer.rawText) {
          return GeoJSONSensor.checked(channel, value) ?? .nan
        }
        try lexer.warnOfText(.invalidValue, "invalid number, ignored")
      case .array, .object, .true, .false:
        try lexer.warn(.invalidValue, "invalid number, ignored")
        try lexer.skip()
      }
      return .nan
    } run: { (values, bytes, index) throws(TrackError) in
      while let value = JSONRuns.value(bytes, at: &index) {
        try values.append(GeoJSONSensor.checked(channel, value) ?? .nan)
      }
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
      // Where each stands for a line there is no run of them.
      if isLine { continue }
      try lexer.takeRun { (bytes, index) throws(TrackError) in
        let count = column.values.count
        try run(&column.values, bytes, &index)
        column.isTold = column.isTold || column.values.count > count
      }
    }
  }

  // MARK: Giving to points

  /// Goes to a line.
  ///
  /// - Parameters:
  ///   - line: its index among the lines of the Feature.
  ///   - position: the index of its first position among those of all lines.
  mutating func beginLine(_ line: Int, position: Int) {
    times?.beginLine(line, position: position)
    for index in sensors.indices { sensors[index].column.beginLine(line, position: position) }
  }

  /// The time of a position of the line; ``Instant/absent`` where it has none.
  @inline(__always)
  mutating func time(at index: Int) throws(TrackError) -> Int64 {
    try times?.value(at: index) ?? Instant.absent
  }

  /// Gives the last row of a batch the values of a position of the line.
  @inline(__always)
  mutating func setSensors(at index: Int, of batch: inout PointBatch) throws(TrackError) {
    for sensor in sensors.indices {
      if let value = try sensors[sensor].column.value(at: index), !value.isNaN {
        batch.set(sensors[sensor].channel, value)
      }
    }
  }

  /// The values of a position of the line.
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
