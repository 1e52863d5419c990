import Testing
import TrackModel

@Suite("Warning log")
struct WarningLogTests {
  private typealias Code = TrackWarning.Code

  // MARK: Warnings

  @Test("A warning's description is one line, with the count if it is above one")
  func description() {
    var warning = TrackWarning(
      .invalidPosition, "position out of range, point skipped",
      place: InputLocation(line: 12, path: "gpx/wpt"),
      offendingText: "91")
    #expect(warning.description == #"line 12: position out of range, point skipped: "91" (gpx/wpt)"#)
    warning.count = 3
    #expect(
      warning.description
        == #"line 12: position out of range, point skipped: "91" (gpx/wpt) (first of 3)"#
    )
  }

  @Test("A warning's text is its description without the location but with the path")
  func text() {
    let warning = TrackWarning(
      .invalidTime, "no time", count: 2,
      place: InputLocation(line: 12, column: 3, byteOffset: 99, path: "gpx/trk"),
      offendingText: "noon")
    #expect(warning.text == #"no time: "noon" (gpx/trk) (first of 2)"#)
    #expect(warning.description == "line 12:3: " + warning.text)
    #expect(
      TrackWarning(.invalidTime, "no time", place: InputLocation(byteOffset: 5)).description
        == "byte 5: no time")
  }

  @Test("A warning as an error keeps its message, location and text")
  func asError() {
    let place = InputLocation(line: 12, column: 1, byteOffset: 300, path: "gpx/wpt")
    let error = TrackWarning(.invalidTime, "no time", count: 2, place: place, offendingText: "noon").asError
    #expect(error.code == .warning)
    #expect(error.message == "no time")
    #expect(error.place == place)
    #expect(error.offendingText == "noon")
  }

  @Test("Any text can be a code")
  func codes() {
    #expect(Code("invalid-position") == .invalidPosition)
    #expect(Code("of my own") != .invalidPosition)
    #expect("\(Code("of my own"))" == "of my own")
  }

  // MARK: Log

  @Test("Warnings are counted by kind, in the order of first occurrence, with the first location and text")
  func counts() throws {
    var log = WarningLog()
    #expect(log.warnings.isEmpty)
    try log.report(.invalidTime, "no time", at: InputLocation(line: 1), offendingText: "a")
    try log.report(.invalidValue, "no number", at: InputLocation(line: 2), offendingText: "b")
    try log.report(.invalidTime, "no time", count: 5, at: InputLocation(line: 3), offendingText: "c")
    try log.report(.invalidTime, "no time", at: InputLocation(line: 4))
    #expect(
      log.warnings == [
        TrackWarning(.invalidTime, "no time", count: 7, place: InputLocation(line: 1), offendingText: "a"),
        TrackWarning(.invalidValue, "no number", count: 1, place: InputLocation(line: 2), offendingText: "b"),
      ])
  }

  @Test("Warnings are of the same kind only if both code and message are equal")
  func kinds() throws {
    var log = WarningLog()
    try log.report(.invalidValue, "left out")
    try log.report(.invalidTime, "left out")
    try log.report(.invalidValue, "set to zero")
    try log.report(.invalidTime, "left out")
    #expect(log.warnings.map(\.code) == [.invalidValue, .invalidTime, .invalidValue])
    #expect(log.warnings.map(\.count) == [1, 2, 1])
    var joined = WarningLog()
    joined.add(log.warnings)
    joined.add(log.warnings)
    #expect(joined.warnings.map(\.count) == [2, 4, 2])
  }

  @Test("Location and text are evaluated only for the first warning of a kind")
  func lazy() throws {
    var log = WarningLog()
    var asked = 0
    func place() -> InputLocation {
      asked += 1
      return InputLocation(line: asked)
    }
    for _ in 0..<3 { try log.report(.invalidTime, "no time", at: place(), offendingText: "\(place())") }
    #expect(asked == 2)
    #expect(log.warnings.map(\.count) == [3])
  }

  @Test("In strict mode, a warning is thrown as an error and not logged")
  func strict() throws {
    var log = WarningLog()
    try log.report(.invalidTime, "known", at: InputLocation(line: 1))
    for message in ["known", "new"] {
      do {
        try log.report(.invalidTime, message, isStrict: true, at: InputLocation(line: 2), offendingText: "x")
        Issue.record("nothing was thrown")
      } catch {
        #expect(error.code == .warning)
        #expect(error.description == "line 2: \(message): \"x\"")
      }
    }
    #expect(log.warnings == [TrackWarning(.invalidTime, "known", place: InputLocation(line: 1))])
  }

  @Test("Warnings of another log are added; known kinds are added to their counts")
  func add() throws {
    var log = WarningLog()
    try log.report(.invalidTime, "no time", at: InputLocation(line: 1))
    log.add([
      TrackWarning(.invalidValue, "no number", count: 2, place: InputLocation(line: 8)),
      TrackWarning(.invalidTime, "no time", count: 3, place: InputLocation(line: 9)),
    ])
    try log.report(.invalidValue, "no number", at: InputLocation(line: 10))
    log.add([])
    #expect(
      log.warnings == [
        TrackWarning(.invalidTime, "no time", count: 4, place: InputLocation(line: 1)),
        TrackWarning(.invalidValue, "no number", count: 3, place: InputLocation(line: 8)),
      ])
  }
}
