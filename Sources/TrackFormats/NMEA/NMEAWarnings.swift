import TrackModel

/// The warnings of a log, each with a count and the line of the first occurrence.
struct NMEAWarnings {
  private(set) var log = WarningLog()
  private let isStrict: Bool

  init(isStrict: Bool) { self.isStrict = isStrict }

  mutating func warn(
    _ code: TrackWarning.Code, _ message: String, count: Int = 1, line: Int? = nil,
    quoting text: @autoclosure () -> String? = nil
  ) throws(TrackError) {
    try log.report(
      code, message, count: count, isStrict: isStrict && code != .noFix, at: InputLocation(line: line),
      offendingText: text())
  }
}

extension TrackWarning.Code {
  static let cutSentence = TrackWarning.Code("cut-sentence")
}
