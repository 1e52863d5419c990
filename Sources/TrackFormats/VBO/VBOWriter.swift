public import TrackModel

/// Writes the trackpoints of all tracks as the rows of a VBO file.
///
/// The columns are those of every VBOX log, without satellites and height if the first points have none, and
/// those of other channels. A missing speed or course is computed from the step to the point, and at the
/// first point from the step that follows it, because programs for VBO files show speeds. A point without
/// satellites has those of the point before, because readers skip rows without them. Other missing values are
/// `nan`. The date in the first line is that of the first point; a time is read back only if it is less than
/// 12 hours before and after its neighbours. If the first point has no time, the file has neither a date nor
/// times. Otherwise, points without times are omitted.
public struct VBOWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  public private(set) var losses = LossReport()

  private var hasHead = false
  /// Whether the rows begin with the number of satellites.
  private var hasSatellites = false
  /// The last known number of satellites.
  private var satellites = 0
  /// Whether the rows have a height.
  private var hasHeight = false
  private var last: (coordinate: Coordinate, time: Int64)?
  private var speed = 0.0
  private var course = 0.0
  /// The clock of a reader of the file, or `nil` for a file without a date.
  private var clock: TimeOfDayCheck?
  private var tracks = FlatTracks()
  /// The other channels of the first points.
  private var extraNames: [ExtraValues.Name] = []

  /// Creates a writer. Nothing is written before the first event.
  public init(_ sink: consuming ByteSink) { self.sink = sink }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    if tracks.take(event, &losses) { append(batch) }
    try sink.flush()
  }

  /// Completes the file.
  ///
  /// - Throws: `noTracks` if there was no point.
  public mutating func finish() throws(TrackError) {
    guard hasHead else { throw TrackError(.noTracks, "there is no trackpoint to write") }
    tracks.finish(&losses)
    try sink.finish()
  }

  // MARK: Rows

  private static let written: ChannelSet = [
    ChannelSet(.elevation), ChannelSet(.speed), ChannelSet(.course), ChannelSet(.satellites),
  ]

  private mutating func append(_ batch: borrowing PointBatch) {
    var detail = 0
    for row in 0..<batch.count {
      let time = batch.times[row]
      if !hasHead {
        for row in batch.details {
          for name in row.details.extraValues?.names ?? [] where !extraNames.contains(name) {
            extraNames.append(name)
          }
        }
        let numbers = (0..<batch.count).compactMap { batch.value(.satellites, at: $0) }
        hasSatellites = !numbers.isEmpty
        satellites = numbers.lazy.compactMap { VBOWriter.satellites($0) }.first ?? 4
        hasHeight = (0..<batch.count).contains { batch.value(.elevation, at: $0) != nil }
        writeHead(time)
      }
      while detail < batch.details.count, batch.details[detail].row < row { detail += 1 }
      let extra =
        detail < batch.details.count && batch.details[detail].row == row
        ? batch.details[detail].details.extraValues : nil
      tracks.addPoint()
      let coordinate = batch.coordinate(at: row)
      // In a file, this is a row without a fix.
      if VBOWriter.steps(coordinate.latitude) == 0, VBOWriter.steps(coordinate.longitude) == 0 {
        losses.add("points at latitude 0, longitude 0")
        continue
      }
      var timeOfDay: Int64 = 0
      if clock == nil {
        if time != Instant.absent { losses.add("times") }
      } else if time == Instant.absent {
        losses.add("points without times")
        continue
      } else {
        let remainder = time % CivilCalendar.dayLength
        timeOfDay = remainder < 0 ? remainder + CivilCalendar.dayLength : remainder
        if let loss = clock?.loss(of: timeOfDay, at: time) { losses.add(loss) }
      }
      append(satellites: batch.value(.satellites, at: row))
      if clock != nil { append(timeOfDay: timeOfDay) }
      append(minutes: coordinate.latitude)
      append(minutes: -coordinate.longitude)
      let isLast = row + 1 == batch.count
      estimateMotion(
        to: coordinate, time, next: isLast ? nil : (batch.coordinate(at: row + 1), batch.times[row + 1]))
      let speed = SpeedUnits.kilometresPerHour * (batch.value(.speed, at: row) ?? speed)
      append(speed < 1e9 ? (speed * 1e5).rounded() / 1e5 : speed)
      append(batch.value(.course, at: row) ?? course)
      let elevation = batch.value(.elevation, at: row)
      if hasHeight {
        append(elevation)
      } else if elevation != nil {
        losses.add("elevations that the first points lack")
      }
      append(extra)
      sink.buffer.append("\r\n")
    }
    losses.add(valuesOf: batch, except: VBOWriter.written, keepsExtraValues: true)
  }

  /// Computes the speed and the course from the previous point, or those of the first point to the next.
  private mutating func estimateMotion(
    to coordinate: Coordinate, _ time: Int64, next: (coordinate: Coordinate, time: Int64)?
  ) {
    let here = (coordinate: coordinate, time: time)
    if let (start, end) = last.map({ ($0, here) }) ?? next.map({ (here, $0) }) {
      let metres = Geodesy.sphericalDistance(from: start.coordinate, to: end.coordinate)
      let seconds = Double(end.time &- start.time) / 1e6
      speed = start.time != Instant.absent && end.time != Instant.absent && seconds > 0 ? metres / seconds : 0
      if metres > 0 { course = Geodesy.initialBearing(from: start.coordinate, to: end.coordinate) }
    }
    last = here
  }

  /// Appends a value for each column of other channels.
  private mutating func append(_ extra: ExtraValues?) {
    let isSame = extra?.names == extraNames
    for (column, name) in extraNames.enumerated() {
      let index = isSame ? column : extra?.names.firstIndex(of: name)
      append(index.flatMap { extra?.values[$0] })
    }
    guard let extra, !isSame else { return }
    let lost = zip(extra.names, extra.values).count { !extraNames.contains($0) && !$1.isNaN }
    losses.add("values of channels that the first points lack", lost)
  }

  private mutating func writeHead(_ time: Int64) {
    hasHead = true
    if time != Instant.absent {
      let day = Int((Double(time) / Double(CivilCalendar.dayLength)).rounded(.down))
      let date = CivilCalendar.date(days: day)
      let seconds = Int((time - Int64(day) * CivilCalendar.dayLength) / 1_000_000)
      clock = TimeOfDayCheck(days: day)
      sink.buffer.append("File created on ")
      sink.buffer.append(date.day, width: 2)
      sink.buffer.append("/")
      sink.buffer.append(date.month, width: 2)
      sink.buffer.append("/")
      sink.buffer.append(date.year, width: 4)
      sink.buffer.append(" at ")
      sink.buffer.append(timeOfDay: seconds)
      sink.buffer.append("\r\n\r\n")
    }
    sink.buffer.append(
      "[header]\r\n\(hasSatellites ? "satellites\r\n" : "")\(clock == nil ? "" : "time\r\n")latitude\r\n")
    sink.buffer.append("longitude\r\nvelocity kmh\r\nheading\r\n\(hasHeight ? "height\r\n" : "")")
    for name in extraNames { sink.buffer.append("\(VBOWriter.title(name.name))\r\n") }
    if !extraNames.isEmpty { sink.buffer.append("\r\n[channel units]\r\n") }
    for name in extraNames { sink.buffer.append("\(VBOWriter.line(name.unit ?? "-"))\r\n") }
    sink.buffer.append("\r\n[comments]\r\n\r\n[column names]\r\n")
    sink.buffer.append(
      "\(hasSatellites ? "sats " : "")\(clock == nil ? "" : "time ")lat long velocity heading\(hasHeight ? " height" : "")"
    )
    // Names are separated by spaces or commas.
    for name in extraNames {
      let title = VBOWriter.title(name.name)
      sink.buffer.append(" \(String(title.map { $0 == "," || $0.isWhitespace ? "_" : $0 }))")
    }
    sink.buffer.append("\r\n\r\n[data]\r\n")
  }

  /// Returns the name of a channel. The names of the usual columns are taken.
  private static func title(_ name: String) -> String {
    let name = line(name)
    return VBOColumns.Role(name, isLoose: true) == nil ? name : VBOColumns.channelPrefix + name
  }

  /// Returns a text in one line that is neither empty nor the heading of a section.
  private static func line(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? "-" : words.first == "[" ? "-\(words)" : words
  }

  private mutating func append(satellites value: Double?) {
    guard hasSatellites else {
      if value != nil { losses.add("numbers of satellites that the first points lack") }
      return
    }
    if let value {
      if let number = VBOWriter.satellites(value) {
        satellites = number
      } else {
        losses.add("numbers of satellites outside 1 to 63")
      }
    }
    sink.buffer.append(satellites, width: 3)
    sink.buffer.append(" ")
  }

  /// Returns a number of satellites that a file can store. 0 means that there is no fix.
  private static func satellites(_ value: Double) -> Int? {
    Int(exactly: value).flatMap { (1...63).contains($0) ? $0 : nil }
  }

  /// Writes `HHMMSS.ss`, with six decimals if two are not enough.
  private mutating func append(timeOfDay time: Int64) {
    let seconds = Int(time / 1_000_000)
    let micros = Int(time % 1_000_000)
    sink.buffer.append(seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60, width: 6)
    sink.buffer.append(".")
    if micros % 10_000 == 0 {
      sink.buffer.append(micros / 10_000, width: 2)
    } else if micros % 1000 == 0 {
      sink.buffer.append(micros / 1000, width: 3)
    } else {
      sink.buffer.append(micros, width: 6)
    }
  }

  /// Returns an angle in hundred-millionths of minutes. Positions are in range, so the number is small.
  private static func steps(_ degrees: Double) -> Int { Int(exactly: (degrees * 6e9).rounded()) ?? 0 }

  /// Writes an angle as ` +MMMMM.mmmmmmmm`.
  private mutating func append(minutes degrees: Double) {
    let steps = VBOWriter.steps(degrees)
    sink.buffer.append(steps < 0 ? " -" : " +")
    sink.buffer.append(abs(steps) / 100_000_000, width: 5)
    sink.buffer.append(".")
    sink.buffer.append(abs(steps) % 100_000_000, width: 8)
  }

  /// Appends a value, or `nan` if it is missing.
  private mutating func append(_ value: Double?) {
    sink.buffer.append(" ")
    if let value, !value.isNaN { sink.buffer.append(decimal: value) } else { sink.buffer.append("nan") }
  }
}
