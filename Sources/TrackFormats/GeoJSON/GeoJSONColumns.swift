import TrackModel

/// What the properties of a Feature say about each of its positions, in arrays that run beside the coordinates:
/// times and sensors.
struct GeoJSONColumns {
  /// One array; flat, or an array for each line.
  private struct Column<Value: PackableValue> {
    var values = ColumnSpool<Value>()
    /// Where the values of each line begin; nil for a flat array.
    var lines: [Int]?
    // The values of the line at hand.
    var first = 0
    var end = 0

    mutating func beginLine(_ line: Int, position: Int) {
      guard let lines else {
        first = position
        end = values.count
        return
      }
      first = line < lines.count ? lines[line] : values.count
      end = line + 1 < lines.count ? lines[line + 1] : values.count
    }

    @inline(__always)
    mutating func value(at index: Int) throws(TrackError) -> Value? {
      let index = first &+ index
      return index < end ? try values.value(at: index) : nil
    }
  }

  private var times: Column<Int64>?
  private var sensors: [(channel: Channel, column: Column<Double>)] = []

  var hasTimes: Bool { times != nil }

  /// How many times there are; nil without any.
  var timeCount: Int? { times?.values.count }

  // MARK: Reading

  /// Takes an array of times; the first of a Feature's arrays counts.
  mutating func readTimes(_ lexer: inout JSONLexer) throws(TrackError) {
    let column = try GeoJSONColumns.read(&lexer) { (lexer: inout JSONLexer) throws(TrackError) -> Int64 in
      try JSONTime.read(&lexer)?.microseconds ?? Instant.absent
    } run: { (values, bytes, index) throws(TrackError) in
      while let time = JSONRuns.time(bytes, at: &index) { try values.append(time) }
    }
    if times == nil { times = column }
  }

  /// Takes an array of a sensor's values.
  mutating func readSensor(_ channel: Channel, _ lexer: inout JSONLexer) throws(TrackError) {
    let column = try GeoJSONColumns.read(&lexer) { (lexer: inout JSONLexer) throws(TrackError) -> Double in
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
        try lexer.warnOfText(.invalidValue, "number expected, left out")
      case .array, .object, .true, .false:
        try lexer.warn(.invalidValue, "number expected, left out")
        try lexer.skip()
      }
      return .nan
    } run: { (values, bytes, index) throws(TrackError) in
      while let value = JSONRuns.value(bytes, at: &index) {
        try values.append(GeoJSONSensor.checked(channel, value) ?? .nan)
      }
    }
    if !sensors.contains(where: { $0.channel == channel }) { sensors.append((channel, column)) }
  }

  private static func read<Value: PackableValue>(
    _ lexer: inout JSONLexer, element: (inout JSONLexer) throws(TrackError) -> Value,
    run: (inout ColumnSpool<Value>, Span<UInt8>, inout Int) throws(TrackError) -> Void
  ) throws(TrackError) -> Column<Value> {
    var column = Column<Value>()
    var depth = 1
    try lexer.beginArray()
    while depth > 0 {
      guard try lexer.nextElement() else {
        depth -= 1
        continue
      }
      if depth == 1, try lexer.kind() == .array {
        try lexer.beginArray()
        depth = 2
        if column.lines == nil { column.lines = [] }
        column.lines?.append(column.values.count)
      } else {
        try column.values.append(try element(&lexer))
        try lexer.takeRun { (bytes, index) throws(TrackError) in try run(&column.values, bytes, &index) }
      }
    }
    return column
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
