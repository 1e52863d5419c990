public import TrackModel

/// Reads CSV and similar tables, with columns identified by their headings.
///
/// Rows are trackpoints of one track with one segment; rows with a start and an end are two trackpoints.
/// Changes in a track or segment column start new ones. If tracks alternate in the first rows, such as those
/// of several vehicles, the rows are sorted by track in memory. A kind column selects trackpoints, waypoints
/// and routepoints. In tables with names but without times and tracks, rows with a name are waypoints.
/// Waypoints between trackpoints are delivered after the track. Changes in a lap column are laps, which are
/// delivered at the end of the track. Values are converted from the unit in their heading or after the
/// number to those of `Channel`. Rows without a valid point are skipped and counted.
///
/// Supported encodings are UTF-8, UTF-16, UTF-32 and Windows-1252, which includes Latin-1. See
/// ``CSVColumns`` for tables without headings.
public struct CSVReader: FaultDeferringReader, ~Copyable {
  private var input: ByteInput
  private let options: ReadingOptions
  private let said: CSVColumns
  private var records: CSVRecords
  private var log = WarningLog()
  /// The number of times without a zone after the first one, counted here for speed.
  private var moreWithoutZone = 0
  private var values = CSVRow()
  private var fixRecords: CSVFixRecords?

  private enum Step { case opening, rows, end }
  private var step = Step.opening
  /// The remaining tracks, if their rows alternate.
  private var sortedTracks = CSVSortedTracks()
  /// Pending events in order.
  private var queue: [TrackEvent] = []
  var fault = ReadingFault.none
  /// Whether the current row has not been processed yet.
  private var hasRow = false
  private var hasPoint = false
  private var truncation = CSVTruncation()

  /// The open container: a segment of a track, a route, or none.
  private var open: CSVKind?
  private var trackKey: [UInt8] = []
  private var segmentKey: [UInt8] = []
  private var fragmentKey: [UInt8]?
  /// Whether the current row begins a fragment after a pause.
  private var startsFragment = false
  /// The seconds between rows from which a change of the fragment is a pause, in microseconds.
  private static let pause: Int64 = 2_000_000
  private var laps = CSVLaps()
  /// The number of rows inside the table that were examined as a heading with other columns.
  private var headings = 0

  static let unknownColumns = "unknown columns, ignored"

  /// The maximum of ``headings``, and the bytes that are examined for each.
  private static let maximumHeadings = 64
  private static let headingSample = 1 << 13
  /// Waypoints that were read while a track or route was open.
  private var heldWaypoints: [Waypoint] = []

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  ///   - columns: the user's specification of columns.
  public init(
    _ input: consuming ByteInput, options: ReadingOptions = ReadingOptions(),
    columns: CSVColumns = CSVColumns()
  ) {
    self.input = input
    self.options = options
    said = columns
    records = CSVRecords(ByteInput(bytes: []), separator: 0)
  }

  /// Creates a reader for the first rows of a table, up to another heading.
  init(_ sample: [UInt8], _ layout: CSVLayout) throws(TrackError) {
    self.init(ByteInput(bytes: sample))
    headings = CSVReader.maximumHeadings
    _ = try begin(layout)
    step = .rows
  }

  public var warnings: [TrackWarning] {
    var all = log
    if moreWithoutZone > 0 {
      all.add([TrackWarning(.timeWithoutZone, CSVRow.timeWithoutZone, count: moreWithoutZone)])
    }
    return all.warnings
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func advance(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if !queue.isEmpty { return queue.removeFirst() }
    switch step {
    case .end: return nil
    case .opening:
      let header = try begin()
      step = .rows
      return .header(header)
    case .rows: return try rows(into: &batch)
    }
  }

  // MARK: Opening

  /// Detects encoding and layout, and skips to the first row of values.
  private mutating func begin() throws(TrackError) -> FileInfo {
    try input.openText()
    if options.isLive { try fillLive() } else { try input.fill(atLeast: CSVLayout.sampleLength) }
    guard !input.available.isEmpty else { throw TrackError(.truncated, "the file is empty") }
    return try begin(
      CSVLayout(sample(), columns: said, clockStart: options.clockStart, name: input.name))
  }

  private mutating func begin(_ layout: CSVLayout) throws(TrackError) -> FileInfo {
    var raw = ByteInput(bytes: [])
    swap(&raw, &input)
    records = CSVRecords(raw, separator: layout.separator, limits: options.limits)
    for _ in 0..<layout.rowsToSkip where try records.next() && records.hasLostData {
      try warn(.damaged, LineFlaw.zeros.message)
    }
    values = CSVRow(layout)
    fixRecords = layout.fixRecords
    laps = CSVLaps(areEmptyCellsOutside: layout.isByRaceChrono, markers: layout.lapMarkers)
    try report(layout)
    if let track = layout.trackColumn, layout.areTracksMixed, !options.isLive { try sortByTrack(track) }
    var info = FileInfo()
    if !layout.preamble.isEmpty { info.description = layout.preamble.joined(separator: "\n") }
    return info
  }

  /// Reads all rows into memory, and continues with those of the first track.
  private mutating func sortByTrack(_ column: Int) throws(TrackError) {
    while try records.next() {
      // Comments and blank rows follow the row above them.
      let isRow = !records.isComment && !records.isBlank || sortedTracks.isEmpty
      if isRow, try isCutOff(hasPoint: !sortedTracks.isEmpty) { break }
      let size = sortedTracks.append(records, track: isRow ? column : nil)
      guard size <= options.limits.alternatingTracksSize else {
        throw TrackError(
          .limitExceeded,
          "alternating tracks of more than \(ReadingLimits.text(size: options.limits.alternatingTracksSize))",
          place: InputLocation(line: records.line),
          suggestion: .text("sort the rows by \(values.columns.headings[column] ?? "track")"))
      }
    }
    _ = nextTrack()
  }

  /// Continues with the rows of the next track.
  ///
  /// - Returns: false after the last track.
  private mutating func nextTrack() -> Bool {
    guard let (rows, lines) = sortedTracks.removeFirst() else { return false }
    records = CSVRecords(
      ByteInput(bytes: rows), separator: records.separator, limits: options.limits, lines: lines)
    return true
  }

  /// Waits for a heading and a row if they are needed to determine the columns.
  private mutating func fillLive() throws(TrackError) {
    while input.available.count < CSVLayout.sampleLength {
      let sample = sample()
      if sample.count(where: { $0 == 0x0A }) > 1, CSVLayout.isTable(sample) { return }
      guard try input.fill() else { return }
    }
  }

  /// Returns the complete rows among the first bytes.
  private func sample() -> [UInt8] {
    let available = input.available
    var count = min(available.count, CSVLayout.sampleLength)
    if count == CSVLayout.sampleLength || options.isLive {
      var end = count
      while end > 0, available[end - 1] != 0x0A, available[end - 1] != 0x0D { end -= 1 }
      if end > 0 { count = end }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in 0..<count { bytes.append(available[index]) }
    return bytes
  }

  /// Reads the current row if it is a heading, which loggers write when they start again. Its columns can
  /// differ from those of the first one.
  ///
  /// - Returns: false if it is not a heading.
  private mutating func takeHeading() throws(TrackError) -> Bool {
    guard !values.repeatsHeading(records) else { return true }
    // A live input does not have the rows after the heading yet.
    guard !options.isLive, headings < CSVReader.maximumHeadings else { return false }
    headings += 1
    guard case let sample = try records.sample(CSVReader.headingSample),
      let layout = try? CSVLayout(sample, columns: said, clockStart: options.clockStart), !layout.isGuessed,
      layout.preamble.isEmpty,
      layout.separator == records.separator
    else { return false }
    for _ in 1..<layout.rowsToSkip { _ = try records.next() }
    values = CSVRow(layout)
    try report(layout)
    return true
  }

  private mutating func report(_ layout: CSVLayout) throws(TrackError) {
    if layout.isGuessed {
      let first = layout.columns.first { $0.meaning == .latitude || $0.meaning == .longitude }
      try log.report(
        .invalidValue,
        "no header, columns treated as \(layout.columns.map { "\($0.meaning)" }.joined(separator: ", "))",
        isStrict: options.isStrict, at: InputLocation(line: 1), offendingText: first.map(\.heading))
    }
    if let relative = layout.relativeTime,
      relative.start == nil ? options.reportsUnknownStart : options.clockStart == nil
    {
      try log.report(
        relative.start == nil ? .missingDate : .relativeTimes,
        relative.start == nil
          ? "times count from an unknown start, treated as \(DriveElement.unknownStart)"
          : "times count from the start in the \(relative.isFromName ? "name of the file" : "lines before the heading")"
            + (relative.isDateAssumed ? ", whose date is read as day, month and year" : "")
            + (relative.hasZone ? "" : ", which has no zone and is treated as UTC"),
        isStrict: options.isStrict && (relative.start == nil || !relative.hasZone),
        at: InputLocation(line: max(layout.rowsToSkip, 1)))
    }
    if layout.relativeTime?.isUnitAssumed == true {
      try log.report(
        .relativeTimes, "times without a unit, treated as milliseconds", isStrict: options.isStrict,
        at: InputLocation(line: max(layout.rowsToSkip, 1)))
    }
    if !layout.unsupportedContent.isEmpty {
      try log.report(
        .notRepresentable, Self.unknownColumns, count: layout.unsupportedContent.count,
        isStrict: options.isStrict, at: InputLocation(line: max(layout.rowsToSkip, 1)),
        offendingText: layout.unsupportedContent.joined(separator: ", "))
    }
  }

  // MARK: Rows

  private mutating func rows(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      if !hasRow {
        guard try records.next() else {
          if nextTrack() { continue }
          return finish(batch)
        }
        if records.isComment {
          if values.columns.lap != nil { laps.note(records.text(of: 0)) }
          continue
        }
        if records.isBlank { continue }
        if fixRecords != nil, try !isFix() { continue }
        if try isCutOff(hasPoint: hasPoint || batch.count > 0) { return finish(batch) }
        if records.hasLostData {
          try warn(.damaged, LineFlaw.zeros.message)
          continue
        }
        if values.mayBeHeading(records), try takeHeading() { continue }
        if records.hasTextBehindQuote {
          try warn(.invalidValue, "text after a closing quote, ignored")
        }
        if records.hasUnclosedQuote { try warn(.invalidValue, "a quote is not closed, taken as a character") }
        guard try read() else { continue }
        hasRow = true
      }
      if values.kind == .waypoint {
        hasRow = false
        let waypoint = values.waypoint(records)
        if open == nil { return .waypoint(waypoint) }
        heldWaypoints.append(waypoint)
        continue
      }
      if !isInContainer {
        if batch.count > 0 {
          hasPoint = true
          return .points
        }
        enqueueContainer()
        return queue.removeFirst()
      }
      hasRow = false
      if let index = values.columns.lap { laps.add(records.bytes(of: index), at: values.time) }
      laps.last = values.time
      values.append(to: &batch, records)
      hasRow = values.moveToEnd()
      if batch.isFull || (options.isLive && !records.hasNext) {
        hasPoint = true
        return .points
      }
    }
  }

  /// Whether the row of a log with records of several types is a fix that is read.
  private mutating func isFix() throws(TrackError) -> Bool {
    guard fixRecords?.contains(records) == true else { return false }
    guard let provider = fixRecords?.otherProvider(records) else { return true }
    try log.report(
      .otherProvider, "position of another provider, skipped", isStrict: false,
      at: InputLocation(line: records.line), offendingText: provider)
    return false
  }

  /// Reads the row's values. Returns false if it is not a point.
  private mutating func read() throws(TrackError) -> Bool {
    if let width = values.columns.width {
      if records.count > width, (width..<records.count).contains(where: { !records.isEmpty($0) }) {
        try warn(
          .invalidValue,
          width < CSVLayout.mostColumns
            ? "more values than columns, the rest ignored"
            : "more than \(CSVLayout.mostColumns) columns, the rest ignored")
      } else if records.count < width {
        try warn(.invalidValue, "fewer values than columns, the rest treated as empty")
      }
    }
    if open != nil, let index = values.columns.track, !CSVReader.isEqual(records.bytes(of: index), trackKey) {
      values.beginTrack()
    }
    let isPoint = try values.read(records) { code, message, column, text throws(TrackError) in
      if code == .timeWithoutZone, moreWithoutZone > 0 || log.warnings.contains(where: { $0.code == code }) {
        moreWithoutZone += 1
        return
      }
      try log.report(
        code, message, isStrict: options.isStrict && code != .noFix,
        at: InputLocation(line: records.line, path: column),
        offendingText: text)
    }
    if isPoint { noteFragment() }
    return isPoint
  }

  /// Finds out whether the row begins a fragment after a pause.
  private mutating func noteFragment() {
    guard let index = values.columns.fragment else { return }
    if let fragmentKey, CSVReader.isEqual(records.bytes(of: index), fragmentKey) { return }
    startsFragment =
      fragmentKey != nil && laps.last != Instant.absent && values.time &- laps.last > CSVReader.pause
    fragmentKey = records.bytes(of: index).array
  }

  /// Whether the row is the last one and truncated.
  ///
  /// - Parameter hasPoint: whether there is a point before the row.
  private mutating func isCutOff(hasPoint: Bool) throws(TrackError) -> Bool {
    guard truncation.isFound(in: records, width: values.columns.width, hasPoint: hasPoint) else {
      return false
    }
    let place = InputLocation(line: records.line)
    if !options.isStrict, hasPoint {
      try log.report(.truncated, "the file ends inside a row; complete rows are kept", at: place)
      return true
    }
    throw TrackError(
      .truncated, records.isCut ? "the file ends inside quotes" : "the file ends inside a row", place: place)
  }

  private mutating func warn(_ code: TrackWarning.Code, _ message: String) throws(TrackError) {
    try log.report(code, message, isStrict: options.isStrict, at: InputLocation(line: records.line))
  }

  // MARK: Containers

  /// Whether the row belongs to the open container.
  private var isInContainer: Bool {
    // The compiler copies the whole reader for a getter that does not mutate it.
    mutating get {
      guard let open, open == values.kind else { return false }
      if let index = values.columns.track, !CSVReader.isEqual(records.bytes(of: index), trackKey) {
        return false
      }
      if open == .trackpoint, let index = values.columns.segment,
        !CSVReader.isEqual(records.bytes(of: index), segmentKey)
      {
        return false
      }
      return !startsFragment
    }
  }

  /// Queues the events that close the open container and open that of the row.
  private mutating func enqueueContainer() {
    startsFragment = false
    let isSameTrack =
      open == .trackpoint && values.kind == .trackpoint
      && (values.columns.track.map { CSVReader.isEqual(records.bytes(of: $0), trackKey) } ?? true)
    if isSameTrack {
      queue = [.endSegment, .beginSegment]
    } else {
      close()
      let info = values.trackInfo(records)
      queue += values.kind == .routepoint ? [.beginRoute(info)] : [.beginTrack(info), .beginSegment]
      open = values.kind
    }
    trackKey = values.columns.track.map { records.bytes(of: $0).array } ?? []
    segmentKey = values.columns.segment.map { records.bytes(of: $0).array } ?? []
  }

  /// Queues the events that close the open container, and the pending waypoints.
  private mutating func close() {
    switch open {
    case .trackpoint:
      queue.append(.endSegment)
      var late = TrackInfo()
      late.laps = laps.finish()
      if !late.laps.isEmpty { queue.append(.annotation(.track(late))) }
      queue.append(.endTrack)
    case .routepoint: queue.append(.endRoute)
    case .waypoint, nil: break
    }
    open = nil
    queue += heldWaypoints.map { .waypoint($0) }
    heldWaypoints = []
  }

  /// Returns the remaining events after the last row.
  private mutating func finish(_ batch: borrowing PointBatch) -> TrackEvent? {
    step = .end
    if batch.count > 0 { queue.append(.points) }
    close()
    return queue.isEmpty ? nil : queue.removeFirst()
  }

  private static func isEqual(_ bytes: Span<UInt8>, _ other: [UInt8]) -> Bool {
    guard bytes.count == other.count else { return false }
    for index in bytes.indices where bytes[index] != other[index] { return false }
    return true
  }
}

extension TrackWarning.Code {
  /// The times of the table are relative to its start.
  static let relativeTimes = TrackWarning.Code("relative-times")
}
