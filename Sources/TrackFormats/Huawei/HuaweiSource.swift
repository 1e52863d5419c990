import TrackModel

/// Reads the tracks of Huawei Health: `motion path detail data.json` of its export, an array of activities
/// whose lines are in a text, or the lines of one activity (`HiTrack_…`). The array can be in a member
/// `motionPathData` or `data` of an object or of the elements of another array.
///
/// The text is in `attribute`, in newer exports in `detailData`. Names of members can be numbers without
/// quotation marks.
///
/// Each activity is a track. A position at 90° north marks a pause: the next one starts a segment. Positions
/// are sorted by time. Times of day are dated by the start of the activity.
struct HuaweiSource: LogSource, ~Copyable {
  private enum Step { case opening, json, lines, end }
  /// An open array of activities, or the members of an activity or of an object with such an array.
  private enum Level { case activities, members }

  private var lexer = JSONLexer(ByteInput(bytes: []))
  private var lines: TextLines
  private let options: ReadingOptions
  private var step = Step.opening
  private var levels: [Level] = []
  private var track: HuaweiTrack
  private var info = TrackInfo()
  private var input: ByteInput

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    self.input = input
    self.options = options
    lines = TextLines(ByteInput(bytes: []), options)
    track = HuaweiTrack(limit: options.limits.waitingSize)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

  private static let invalidPosition = "line without a valid position, skipped"

  /// The kinds of activity by their numbers.
  private static let kinds: [Double: String] = [
    3: "Cycling", 4: "Running", 5: "Walking", 257: "Walking", 258: "Running", 259: "Cycling",
  ]

  mutating func next() throws(TrackError) -> LogEntry? {
    while true {
      if let entry = track.next() { return entry }
      switch step {
      case .opening: try open()
      case .json:
        switch levels.last {
        case .activities:
          begin()
          if try !lexer.nextElement() {
            levels.removeLast()
          } else if try lexer.enterObject() {
            levels.append(.members)
          }
        case .members:
          // The lines are complete at the end of the activity.
          while levels.last == .members {
            guard try lexer.nextMember() else {
              levels.removeLast()
              try finish()
              if !track.series.fixes.isEmpty { return .track(info) }
              break
            }
            try readMember()
          }
        case nil: step = .end
        }
      case .lines:
        while try lines.advance() {
          switch lines.flaw == nil ? track.take(lines.line, isOpen: !lines.isClosed) : .invalidPosition {
          case .usable: break
          case .invalidPosition:
            try lexer.log.report(
              .invalidPosition, HuaweiSource.invalidPosition, line: lines, isStrict: options.isStrict)
          case .cut:
            try lexer.log.report(
              .truncated, "the file ends inside a line, skipped", line: lines, isStrict: options.isStrict)
          }
        }
        step = .end
        try finish()
      case .end: return nil
      }
    }
  }

  private mutating func open() throws(TrackError) {
    var opened = ByteInput(bytes: [])
    let isJSON = input.opening.isJSON
    swap(&opened, &input)
    if isJSON {
      lexer = JSONLexer(opened, options: options)
      lexer.allowsNumericNames = true
      if try lexer.isAtObject() {
        try lexer.beginObject()
        levels = [.members]
      } else {
        try lexer.beginArray()
        levels = [.activities]
      }
      step = .json
    } else {
      // `HiTrack_` and the start in milliseconds.
      if let name = opened.name, let start = name.endOfFirst("HiTrack_").map({ name[$0...].prefix(13) }),
        start.utf8.count == 13, let milliseconds = Double(start)
      {
        track.start = JSONTime.sinceEpoch(milliseconds)?.microseconds
      }
      lines = TextLines(opened, options)
      step = .lines
    }
  }

  /// Begins an activity.
  private mutating func begin() {
    track = HuaweiTrack(limit: options.limits.waitingSize)
    info = TrackInfo()
  }

  private mutating func readMember() throws(TrackError) {
    switch lexer.text {
    // An activity with lines has no activities in it.
    case "motionPathData" where track.series.fixes.isEmpty, "data" where track.series.fixes.isEmpty:
      if try lexer.enterArray() { levels.append(.activities) }
    case "sportType", "startTime", "recordDay", "timeZone": try readSummary()
    case "summaryData":
      guard try lexer.enterObject() else { return }
      while try lexer.nextMember() { try readSummary() }
    case "attribute", "detailData":
      let isDetail = lexer.text == "detailData"
      let text = try lexer.stringOrNothing() ?? ""
      guard let start = text.endOfFirst("HW_EXT_TRACK_DETAIL@is") ?? (isDetail ? text.startIndex : nil)
      else { return }
      let invalid = track.take(linesOf: Array(text.utf8[start...]).span)
      if invalid > 0 {
        try lexer.warn(.invalidPosition, HuaweiSource.invalidPosition, count: invalid)
      }
    default: try lexer.skip()
    }
  }

  /// Reads the kind, start, day or zone of an activity.
  private mutating func readSummary() throws(TrackError) {
    switch (lexer.text, try lexer.kind()) {
    case ("sportType", _): info.type = try lexer.numberOrNothing().flatMap { HuaweiSource.kinds[$0] }
    case ("startTime", .number): track.start = try lexer.number().flatMap(JSONTime.sinceEpoch)?.microseconds
    case ("recordDay", .number): track.day = try lexer.number().flatMap { Int(exactly: $0) }
    case ("timeZone", .string): track.zone = HuaweiSource.zone(try lexer.string())
    default: try lexer.skip()
    }
  }

  /// Returns the seconds of a zone such as `+0100`, or 0 for other texts.
  private static func zone(_ text: String) -> Int {
    guard text.utf8.count == 5, let number = Int(text), abs(number) <= 1400 else { return 0 }
    return (number / 100 * 60 + number % 100) * 60
  }

  private mutating func finish() throws(TrackError) {
    track.finish()
    if track.isUndated {
      try lexer.warn(.missingDate, "times of day without a date, ignored")
    }
    if track.skippedPauses > 0 {
      try lexer.warn(
        .limitExceeded, "more than \(HuaweiTrack.maximumPauses) pauses, the rest ignored",
        count: track.skippedPauses)
    }
    if track.series.isTooLong { try lexer.warn(.limitExceeded, KeptBudget(options.limits).waitingMessage) }
  }
}

extension StringProtocol {
  /// Returns the index after the first occurrence of a text, or nil.
  fileprivate func endOfFirst(_ text: String) -> Index? {
    utf8.firstRange(of: Array(text.utf8))?.upperBound
  }
}
