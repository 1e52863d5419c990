public import TrackModel

/// Writes the trackpoints of all tracks as the fixes of an IGC flight log (FAI, "Technical Specification for
/// GNSS Flight Recorders", appendix A).
///
/// Further digits of positions and seconds are in extensions (LAD, LOD, TDS), so that billionths of degrees
/// and milliseconds are kept. Elevations are whole metres. Points without times are omitted. A time is read
/// back only if it is less than 12 hours before and after its neighbours. The log has no signature and is no
/// evidence of a flight.
public struct IGCWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  public private(set) var losses = LossReport()

  private var tracks = FlatTracks()
  /// The clock of a reader of the file, or nil before the first point.
  private var clock: TimeOfDayCheck?

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
  /// - Throws: `noTracks` if there was no point with a time.
  public mutating func finish() throws(TrackError) {
    guard clock != nil else {
      if losses.text.isEmpty { throw TrackError(.noTracks, "there is no trackpoint to write") }
      throw TrackError(
        .noTracks, "there is no trackpoint with a time from 1980 to 2079 to write",
        suggestion: losses.losses.contains { $0.what == Self.untimed } ? .provideDurationOrSpeed : nil)
    }
    tracks.finish(&losses)
    try sink.finish()
  }

  private static let written: ChannelSet = [ChannelSet(.elevation)]
  private static let untimed = "points without times"
  /// The years that two digits denote.
  private static let years = 1980...2079

  private mutating func append(_ batch: borrowing PointBatch) {
    for row in 0..<batch.count {
      let time = batch.times[row]
      guard time != Instant.absent else {
        losses.add(Self.untimed)
        continue
      }
      let day = Int((Double(time) / Double(CivilCalendar.dayLength)).rounded(.down))
      guard clock != nil || writeHead(day) else {
        losses.add("points before 1980 or after 2079")
        continue
      }
      tracks.addPoint()
      let elevation = batch.value(.elevation, at: row)
      let fix = Fix(
        batch.coordinate(at: row), elevation: elevation,
        millisecondOfDay: Int((Double(time - Int64(day) * CivilCalendar.dayLength) / 1000).rounded(.down)))
      // In a file, this is a record without a fix.
      guard fix.hasPosition else {
        losses.add("points at latitude 0, longitude 0")
        continue
      }
      if let elevation, let metres = fix.metres, Double(metres) != elevation {
        losses.add(
          Double(metres) == elevation.rounded() ? "fractions of metres" : "elevations out of range")
      }
      if time % 1000 != 0 { losses.add("fractions of milliseconds") }
      let milliseconds = Int64((Double(time) / 1000).rounded(.down))
      if let loss = clock?.loss(of: Int64(fix.millisecondOfDay) * 1000, at: milliseconds * 1000) {
        losses.add(loss)
      }
      append(fix)
    }
    losses.add(valuesOf: batch, except: IGCWriter.written)
  }

  /// Writes the records before the fixes.
  ///
  /// - Returns: false if the year of the day cannot be written.
  private mutating func writeHead(_ day: Int) -> Bool {
    let date = CivilCalendar.date(days: day)
    guard IGCWriter.years.contains(date.year) else { return false }
    clock = TimeOfDayCheck(days: day)
    sink.buffer.append("AXXX001 ghost-convert\r\nHFDTEDATE:")
    sink.buffer.append(date.day, width: 2)
    sink.buffer.append(date.month, width: 2)
    sink.buffer.append(date.year % 100, width: 2)
    sink.buffer.append(",01\r\nHFDTMGPSDATUM:WGS84\r\nI033640LAD4145LOD4648TDS\r\n")
    return true
  }

  /// The digits of a fix.
  private struct Fix {
    /// Hundred-millionths of minutes.
    let latitude: Int
    let longitude: Int
    let metres: Int?
    let millisecondOfDay: Int

    /// Whether the columns of the position have another digit than 0.
    var hasPosition: Bool { abs(latitude) >= 100_000 || abs(longitude) >= 100_000 }

    init(_ coordinate: Coordinate, elevation: Double?, millisecondOfDay: Int) {
      latitude = Int(exactly: (coordinate.latitude * 6e9).rounded()) ?? 0
      longitude = Int(exactly: (coordinate.longitude * 6e9).rounded()) ?? 0
      metres = elevation.map { Int(min(max($0.rounded(), -9999), 99_999)) }
      self.millisecondOfDay = millisecondOfDay
    }
  }

  private mutating func append(_ fix: Fix) {
    let second = fix.millisecondOfDay / 1000
    sink.buffer.append("B")
    sink.buffer.append(second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60, width: 6)
    append(angle: fix.latitude, degreeDigits: 2)
    sink.buffer.append(fix.latitude < 0 ? "S" : "N")
    append(angle: fix.longitude, degreeDigits: 3)
    sink.buffer.append(fix.longitude < 0 ? "W" : "E")
    // A fix without an elevation is two-dimensional. The pressure altitude is unknown.
    sink.buffer.append(fix.metres == nil ? "V00000" : "A00000")
    let metres = fix.metres ?? 0
    if metres < 0 { sink.buffer.append("-") }
    sink.buffer.append(abs(metres), width: metres < 0 ? 4 : 5)
    sink.buffer.append(abs(fix.latitude) % 100_000, width: 5)
    sink.buffer.append(abs(fix.longitude) % 100_000, width: 5)
    sink.buffer.append(fix.millisecondOfDay % 1000, width: 3)
    sink.buffer.append("\r\n")
  }

  /// Writes degrees, and thousandths of minutes without a point.
  private mutating func append(angle: Int, degreeDigits: Int) {
    let thousandths = abs(angle) / 100_000
    sink.buffer.append(thousandths / 60_000, width: degreeDigits)
    sink.buffer.append(thousandths % 60_000, width: 5)
  }
}
