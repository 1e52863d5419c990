import TrackModel

/// Reads the tracks of Huawei Health: `motion path detail data.json` of its export, an array of activities
/// whose lines are in a text, or the lines of one activity (`HiTrack_…`).
///
/// The text is in `attribute`, in newer exports in `detailData`. Names of members can be numbers without
/// quotation marks.
///
/// Each activity is a track. A position at 90° north marks a pause: the next one starts a segment.
struct HuaweiSource: LogSource, ~Copyable {
  private enum Step { case opening, json, lines, end }

  private var lexer = JSONLexer(ByteInput(bytes: []))
  private var lines: TextLines
  private let options: ReadingOptions
  private var step = Step.opening
  private var track: HuaweiTrack
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
        guard try lexer.nextElement() else {
          step = .end
          continue
        }
        guard try lexer.enterObject() else { continue }
        let info = try readActivity()
        if !track.series.fixes.isEmpty { return .track(info) }
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
      try lexer.beginArray()
      step = .json
    } else {
      lines = TextLines(opened)
      step = .lines
    }
  }

  private mutating func readActivity() throws(TrackError) -> TrackInfo {
    track = HuaweiTrack(limit: options.limits.waitingSize)
    var info = TrackInfo()
    while try lexer.nextMember() {
      switch lexer.text {
      case "sportType": info.type = try readKind()
      case "summaryData":
        guard try lexer.enterObject() else { continue }
        while try lexer.nextMember() {
          if lexer.text == "sportType" { info.type = try readKind() } else { try lexer.skip() }
        }
      case "attribute", "detailData":
        let isDetail = lexer.text == "detailData"
        let text = try lexer.stringOrNothing() ?? ""
        guard let start = text.endOfFirst("HW_EXT_TRACK_DETAIL@is") ?? (isDetail ? text.startIndex : nil)
        else {
          continue
        }
        for line in text[start...].split(whereSeparator: \.isNewline) {
          // The summary follows the last line.
          let end = line.endOfFirst("&&")
          track.take(end.map { line[..<line.index($0, offsetBy: -2)] } ?? line)
          if end != nil { break }
        }
      default: try lexer.skip()
      }
    }
    try finish()
    return info
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
