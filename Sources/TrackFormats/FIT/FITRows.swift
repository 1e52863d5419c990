import TrackModel

/// The points of a FIT file, buffered until later descriptions are read, in the units of the file.
struct FITRows {
  /// Microseconds since FIT's epoch or the start of the device, or ``Instant/absent``.
  private(set) var times: [Int64] = []
  /// Semicircles.
  private(set) var latitudes: [Int32] = []
  private(set) var longitudes: [Int32] = []
  private var channels: ChannelSet = []
  // Indexed by the raw value of the channel. Rows after the end of a column have no value.
  private var columns: [[Double]] = Array(repeating: [], count: Channel.allCases.count)

  /// The expected number of rows. Memory is reserved for them at once.
  var expected = 0

  var count: Int { times.count }
  var isEmpty: Bool { times.isEmpty }

  mutating func append(latitude: Int32, longitude: Int32, time: Int64) {
    if times.isEmpty, expected > 0 {
      times.reserveCapacity(expected)
      latitudes.reserveCapacity(expected)
      longitudes.reserveCapacity(expected)
    }
    latitudes.append(latitude)
    longitudes.append(longitude)
    times.append(time)
  }

  /// Adds the values of a record to the last row.
  mutating func add(_ record: FITRecord) {
    let row = count - 1
    set(.elevation, record.elevation, at: row)
    set(.speed, record.speed, at: row)
    set(.distance, record.distance, at: row)
    set(.heartRate, record.heartRate, at: row)
    set(.cadence, record.cadence, at: row)
    set(.power, record.power, at: row)
    set(.temperature, record.temperature, at: row)
    set(.horizontalAccuracy, record.accuracy, at: row)
    set(.depth, record.depth, at: row)
    set(.course, record.course, at: row)
  }

  /// Adds missing values of the last row from another record of the same second.
  mutating func fill(_ record: FITRecord) {
    let row = count - 1
    let known = channels.channels.compactMap { channel in
      let column = columns[Int(channel.rawValue)]
      return row < column.count && !column[row].isNaN ? (channel, column[row]) : nil
    }
    add(record)
    for (channel, value) in known { set(channel, value, at: row) }
  }

  /// Sets a value. NaN keeps the current value.
  @inline(__always)
  mutating func set(_ channel: Channel, _ value: Double, at row: Int) {
    guard !value.isNaN, row < count else { return }
    let column = Int(channel.rawValue)
    // Nearly every row follows one with a value.
    if row > 0, columns[column].count == row {
      columns[column].append(value)
    } else {
      setFirst(channel, column, value, at: row)
    }
  }

  /// Sets a value whose row is the first of the channel, follows one without a value, or has one.
  private mutating func setFirst(_ channel: Channel, _ column: Int, _ value: Double, at row: Int) {
    if !channels.contains(channel) {
      channels.insert(ChannelSet(channel))
      columns[column].reserveCapacity(expected)
    }
    while columns[column].count < row { columns[column].append(.nan) }
    if columns[column].count == row {
      columns[column].append(value)
    } else {
      columns[column][row] = value
    }
  }

  /// Appends rows to a batch until it is full.
  ///
  /// - Returns: the number of appended rows.
  func append(_ rows: Range<Int>, _ clock: FITClock, to batch: inout PointBatch) -> Int {
    let start = batch.count
    let end = min(rows.upperBound, rows.lowerBound + batch.capacity - batch.count)
    for row in rows.lowerBound..<end {
      batch.append(
        latitude: FITRows.degrees(latitudes[row]), longitude: FITRows.degrees(longitudes[row]),
        time: clock.time(times[row]))
    }
    for channel in channels.channels {
      let values = columns[Int(channel.rawValue)]
      guard rows.lowerBound < values.count else { continue }
      batch.set(channel, values.span.extracting(rows.lowerBound..<min(end, values.count)), at: start)
    }
    return end - rows.lowerBound
  }

  /// Converts semicircles to degrees with nine decimals. A semicircle is 84 units of the last decimal, so
  /// distinct semicircles stay distinct, and text formats need no more digits.
  static func degrees(_ semicircles: Int32) -> Double {
    (Double(semicircles) * (180e9 / 0x1p31)).rounded() / 1e9
  }

  /// Whether a position is on Earth.
  static func isValid(latitude: Int32) -> Bool { latitude.magnitude <= 1 << 30 }
}
