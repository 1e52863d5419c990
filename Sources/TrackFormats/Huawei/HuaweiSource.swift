import TrackModel

/// Reads the tracks of Huawei Health: `motion path detail data.json` of its export, an array of activities
/// whose lines are in a text, or the lines of one activity (`HiTrack_…`). The array can be in a member
/// `motionPathData` or `data` of an object or of the elements of another array.
///
/// The text is in `attribute`, in newer exports in `detailData`. Names of members can be numbers without
/// quotation marks.
///
/// Each activity is a track. A position at 90° north marks a pause: the next one starts a segment.
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
    lines = TextLines(ByteInput(bytes: []))
    track = HuaweiTrack(limit: options.limits.waitingSize)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

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
        while try lines.advance() { track.take(lines.line.trimmedText[...]) }
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
      lines = TextLines(opened)
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
    case "sportType": info.type = try readKind()
    case "summaryData":
      guard try lexer.enterObject() else { return }
      while try lexer.nextMember() {
        if lexer.text == "sportType" { info.type = try readKind() } else { try lexer.skip() }
      }
    case "attribute", "detailData":
      let isDetail = lexer.text == "detailData"
      let text = try lexer.stringOrNothing() ?? ""
      guard let start = text.endOfFirst("HW_EXT_TRACK_DETAIL@is") ?? (isDetail ? text.startIndex : nil)
      else { return }
      for line in text[start...].split(whereSeparator: \.isNewline) {
        // The summary follows the last line.
        let end = line.endOfFirst("&&")
        track.take(end.map { line[..<line.index($0, offsetBy: -2)] } ?? line)
        if end != nil { break }
      }
    default: try lexer.skip()
    }
  }

  private mutating func readKind() throws(TrackError) -> String? {
    try lexer.numberOrNothing().flatMap { HuaweiSource.kinds[$0] }
  }

  private mutating func finish() throws(TrackError) {
    track.finish()
    if track.invalid > 0 {
      try lexer.warn(.invalidPosition, "line without a valid position, skipped", count: track.invalid)
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
