import Testing
import TrackModel

@Suite("Track error")
struct TrackErrorTests {
  private let full = InputLocation(line: 12, column: 7, byteOffset: 345, path: "gpx/trk/trkseg/trkpt")

  // MARK: Printed lines

  @Test("An error's description is one line: file, line, column, message, text, path and suggestion")
  func fullLine() {
    let error = TrackError(
      .invalidValue, "latitude must be a number", file: "drive.gpx", place: full, offendingText: "north",
      suggestion: .text("check the program that wrote the file"))
    #expect(
      "\(error)" == #"drive.gpx:12:7: latitude must be a number: "north" (gpx/trk/trkseg/trkpt); "#
        + "check the program that wrote the file")
  }

  @Test(
    "Missing parts are omitted from the description",
    arguments: [
      (nil, InputLocation(), "broken"), ("a.gpx", InputLocation(), "a.gpx: broken"),
      (nil, InputLocation(line: 3), "line 3: broken"),
      (nil, InputLocation(line: 3, column: 9), "line 3:9: broken"),
      ("a.gpx", InputLocation(line: 3), "a.gpx:3: broken"),
      (nil, InputLocation(byteOffset: 0), "byte 0: broken"),
      ("a.fit", InputLocation(byteOffset: 90), "a.fit: byte 90: broken"),
      ("a.gpx", InputLocation(line: 3, byteOffset: 90), "a.gpx:3: broken"),
      (nil, InputLocation(path: "gpx/wpt"), "broken (gpx/wpt)"),
      ("a.gpx", InputLocation(path: "gpx"), "a.gpx: broken (gpx)"),
    ] as [(String?, InputLocation, String)])
  func partsOfLine(file: String?, place: InputLocation, expected: String) {
    #expect(TrackError(.malformed, "broken", file: file, place: place).description == expected)
  }

  @Test("A suggestion follows a semicolon, an offending text a comma")
  func suggestionAndText() {
    #expect(
      TrackError(.noTracks, "no tracks", suggestion: .text("use another file")).description
        == "no tracks; use another file")
    #expect(
      TrackError(.noTracks, "must be a time", offendingText: "").description == #"must be a time: """#)
  }

  @Test("A line break in the offending text is replaced")
  func oneLine() {
    let error = TrackError(.malformed, "must be a number", offendingText: "1\r\n2\u{2028}3\u{85}4\u{B}5")
    #expect(error.description == #"must be a number: "1  2 3 4 5""#)
  }

  // MARK: Equality and parts

  private static let codes: [(TrackError.Code, String)] = [
    (.notFound, "not-found"), (.unreadable, "unreadable"), (.notCreatable, "not-creatable"),
    (.unwritable, "unwritable"), (.usage, "usage"),
    (.unknownFormat, "unknown-format"), (.malformed, "malformed"), (.truncated, "truncated"),
    (.limitExceeded, "limit-exceeded"), (.unsupported, "unsupported"), (.invalidValue, "invalid-value"),
    (.noTracks, "no-tracks"), (.noTimes, "no-times"), (.outOfOrder, "out-of-order"),
    (.tooFewPoints, "too-few-points"),
    (.warning, "warning"),
  ]

  @Test("Every code has a unique name, which is its description")
  func codes() {
    #expect(Self.codes.map { "\($0.0)" } == Self.codes.map(\.1))
    #expect(Set(Self.codes.map(\.0)).count == Self.codes.count)
  }

  @Test("Errors are equal if all their values are")
  func equality() {
    func error(
      _ code: TrackError.Code = .malformed, _ message: String = "one", file: String? = "a",
      place: InputLocation = full, text: String? = "x", suggestion: Suggestion? = .text("y")
    ) -> TrackError {
      TrackError(code, message, file: file, place: place, offendingText: text, suggestion: suggestion)
    }
    #expect(error() == error())
    let others = [
      error(.truncated), error(.malformed, "two"), error(file: nil), error(place: InputLocation(line: 1)),
      error(text: "z"), error(suggestion: .provideDuration),
    ]
    for other in others { #expect(error() != other) }
    #expect(Set(others + [error(), error()]).count == 7)
  }

  @Test("A catch clause can match a code")
  func catching() {
    func fail() throws(TrackError) { throw TrackError(.noTimes, "no times") }
    do {
      try fail()
    } catch  where error.code == .noTimes {
      return
    } catch {
      Issue.record("\(error) went past the pattern")
    }
    Issue.record("nothing was thrown")
  }

  @Test("An error returns the values it was created with")
  func parts() {
    let error = TrackError(
      .truncated, "ends", file: "a.kml", place: full, offendingText: "<trk", suggestion: .text("h"))
    #expect(error.code == .truncated)
    #expect(error.message == "ends")
    #expect(error.file == "a.kml")
    #expect(error.place == full)
    #expect(error.offendingText == "<trk")
    #expect(error.suggestion == .text("h"))
    let bare = TrackError(.truncated, "ends")
    #expect(bare.file == nil)
    #expect(bare.place == InputLocation())
    #expect(bare.offendingText == nil)
    #expect(bare.suggestion == nil)
  }

  @Test("An error has the size of one word")
  func width() {
    #expect(MemoryLayout<TrackError>.size == MemoryLayout<Int>.size)
  }

  @Test("Adding a file sets it unless the error already has one")
  func inFile() {
    let error = TrackError(.malformed, "m", place: full, offendingText: "t", suggestion: .text("h"))
    let named = error.inFile("b.gpx")
    #expect(named.description == #"b.gpx:12:7: m: "t" (gpx/trk/trkseg/trkpt); h"#)
    #expect(named.inFile("c.gpx").file == "b.gpx")
    #expect(named.code == .malformed)
  }

  @Test("Adding a file leaves a shortened text unchanged", arguments: 34...50)
  func inFileKeepsCut(length: Int) {
    for wide in ["é", "€", "🛣"] {
      let error = TrackError(
        .malformed, "m", offendingText: String(repeating: "a", count: length) + wide + "bbbbbb")
      #expect(error.inFile("x").offendingText == error.offendingText)
    }
  }

  // MARK: Printable

  @Test(
    "A text is limited to forty bytes without splitting a character",
    arguments: [
      (String(repeating: "a", count: 40), String(repeating: "a", count: 40)),
      (String(repeating: "a", count: 41), String(repeating: "a", count: 40) + "…"),
      (String(repeating: "é", count: 20), String(repeating: "é", count: 20)),
      (String(repeating: "é", count: 21), String(repeating: "é", count: 20) + "…"),
      (String(repeating: "€", count: 14), String(repeating: "€", count: 13) + "…"),
      ("a" + String(repeating: "🛣", count: 10), "a" + String(repeating: "🛣", count: 9) + "…"),
      (String(repeating: "a", count: 1_000_000), String(repeating: "a", count: 40) + "…"),
      ("", ""), (" 47.3 ", " 47.3 "), ("Zürich 東京", "Zürich 東京"),
    ])
  func printable(text: String, expected: String) {
    #expect(TrackError.printable(text) == expected)
  }

  @Test(
    "Invisible characters and those that change lines or direction become spaces",
    arguments: [
      "\u{0}", "\t", "\n", "\r", "\u{1B}", "\u{7F}", "\u{9B}", "\u{200B}", "\u{202E}", "\u{2028}", "\u{2029}",
      "\u{FEFF}", "\u{E000}", "\u{FFFF}",
    ])
  func unprintable(text: String) {
    #expect(TrackError.printable("a\(text)b") == "a b")
  }

  @Test("The text of an error or warning is already printable")
  func printableParts() {
    let text = String(repeating: "x\u{1B}", count: 30)
    let cut = String(repeating: "x ", count: 20) + "…"
    #expect(TrackError(.malformed, "m", offendingText: text).offendingText == cut)
    #expect(TrackWarning(.invalidValue, "m", offendingText: text).offendingText == cut)
  }

  @Test("Terminal and direction control characters become spaces, emoji joiners are kept")
  func steering() {
    for scalar in ["\u{1B}", "\u{9B}", "\n", "\u{202E}", "\u{2066}", "\u{200F}", "\u{2028}"] {
      #expect(Diagnostic.singleLine("a\(scalar)b") == "a b")
      let error = TrackError(.malformed, "x\(scalar)y", file: "a\(scalar)b", suggestion: .text("p\(scalar)q"))
      #expect(error.description == "a b: x y; p q")
    }
    #expect(Diagnostic.singleLine("👩\u{200D}🚒 é ü 東京") == "👩\u{200D}🚒 é ü 東京")
  }
}
