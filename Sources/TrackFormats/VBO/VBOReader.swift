public import TrackModel

/// Reads the logs of Racelogic VBOX devices, which RaceChrono, RaceBox and others write, too.
///
/// All rows with a fix are one track with one segment. Positions are minutes of arc, positive to the west.
/// Rows have only a time of day; the date is that of the first line, and of the next day after midnight.
/// Without a date, the times count from 1999-09-09T09:09:09Z. The gates in `[laptiming]` are
/// waypoints at their middles.
public struct VBOReader: FaultDeferringReader, ~Copyable {
  private var lines: TextLines
  private let options: ReadingOptions
  private var head: VBOHead
  private var rows: VBORows?
  var fault = ReadingFault.none
  private var step = Step.head
  /// The gates that have not been delivered, in reverse order.
  private var gates: [Waypoint] = []
  /// The number of gates before the first point.
  private var earlyGates = 0
  /// Whether the current line is the row of the first point, which follows the events before it.
  private var isRowWaiting = false
  /// The length of the shortest row so far.
  private var shortestRow = Int.max

  private enum Step { case head, events, segment, points, endOfTrack, end }

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the log from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    lines = TextLines(input, options)
    head = VBOHead(isStrict: options.isStrict)
    self.options = options
  }

  public var warnings: [TrackWarning] {
    var log = head.log
    log.add(rows?.log.warnings ?? [])
    return log.warnings
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func advance(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch step {
    case .head:
      try readHead()
      step = .events
      var info = FileInfo()
      if !head.comments.isEmpty { info.description = head.comments.joined(separator: "\n") }
      return .header(info)
    case .events:
      if !isRowWaiting {
        guard try findFirstPoint(&batch) else {
          step = .end
          return nil
        }
      }
      if let gate = gates.popLast() { return .waypoint(gate) }
      step = .segment
      var info = TrackInfo()
      if head.day == nil, rows?.hasTimes == true { info.extensions = [DriveElement.artificialClockMark] }
      return .beginTrack(info)
    case .segment:
      step = .points
      return .beginSegment
    case .points:
      while !batch.isFull, try nextRow() { try rows?.take(lines.line, at: lines.place, &batch) }
      if batch.count > 0 { return .points }
      step = .endOfTrack
      if let first = rows?.first, let unit = rows?.unit {
        gates = head.gates.dropFirst(earlyGates).reversed().compactMap { $0.waypoint(near: first, in: unit) }
      }
      return .endSegment
    case .endOfTrack:
      step = .end
      return .endTrack
    case .end: return gates.popLast().map { .waypoint($0) }
    }
  }

  /// Reads the sections before the data.
  private mutating func readHead() throws(TrackError) {
    while try lines.advance() {
      guard try head.take(lines) else { continue }
      let columns = VBOColumns(head)
      guard columns.hasPositions else {
        throw TrackError(.malformed, "no columns of latitude and longitude", place: lines.place)
      }
      rows = VBORows(columns, head, options)
      return
    }
    throw TrackError(
      lines.number == 0 ? .truncated : .malformed,
      lines.number == 0 ? "the file is empty" : "no section [data]", place: lines.place)
  }

  /// Reads rows up to the first one with a fix, which is read again after the events before it.
  private mutating func findFirstPoint(_ batch: inout PointBatch) throws(TrackError) -> Bool {
    while try nextRow() {
      let before = rows
      try rows?.take(lines.line, at: lines.place, &batch)
      guard batch.count > 0 else { continue }
      if let first = rows?.first, let unit = rows?.unit {
        gates = head.gates.reversed().compactMap { $0.waypoint(near: first, in: unit) }
        earlyGates = head.gates.count
      }
      batch.removeAll()
      rows = before
      isRowWaiting = true
      return true
    }
    return false
  }

  /// Advances to the next row.
  private mutating func nextRow() throws(TrackError) -> Bool {
    if isRowWaiting {
      isRowWaiting = false
      return true
    }
    while try lines.advance() {
      if let flaw = lines.flaw {
        try rows?.warn(flaw.code, flaw.message, at: lines.place)
      } else if head.section == .data, VBOHead.Section(lines.line) == nil {
        if !lines.isClosed, shortestRow < .max, lines.line.count < shortestRow {
          try rows?.warn(.truncated, "the file ends inside a row, skipped", at: lines.place)
          return false
        }
        if !lines.line.isEmpty { shortestRow = min(shortestRow, lines.line.count) }
        return true
      } else {
        // A few programs write the gates after the data.
        _ = try head.take(lines)
      }
    }
    return false
  }
}
