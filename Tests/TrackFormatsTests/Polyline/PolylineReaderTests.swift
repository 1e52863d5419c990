import Testing
import TrackFormats
import TrackModel

extension Transcript {
  /// Reads encoded polylines.
  init(
    polyline text: String, precision: PolylinePrecision = .five, chunk: Int = ByteInput.defaultChunk,
    capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = PolylineReader(
      ByteInput(bytes: Array(text.utf8), chunk: chunk), precision: precision,
      options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }
}

@Suite("Polyline reader")
struct PolylineReaderTests {
  /// The example of Google's format description, and the same points with six decimals.
  private static let example = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
  private static let example6 = "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"
  private static let points = ["point 38.5 -120.2", "point 40.7 -120.95", "point 43.252 -126.453"]

  @Test("The specification's example is read with five and six decimals")
  func specification() {
    let transcript = Transcript(polyline: PolylineReaderTests.example)
    let start = ["header", "track", "segment"]
    let end = ["end of segment", "end of track"]
    let lines = transcript.lines.filter { !$0.hasPrefix("  ") }
    #expect(lines == start + PolylineReaderTests.points + end)
    #expect(transcript.violations == [])
    #expect(transcript.warnings == [])
    #expect(
      Transcript(polyline: PolylineReaderTests.example6, precision: .six).points == PolylineReaderTests.points
    )
  }

  @Test("Each line becomes a track; empty lines and spaces around lines are ignored")
  func lines() {
    let transcript = Transcript(polyline: "\u{FEFF}\n ?? \r\n\r\n\(PolylineReaderTests.example)\n")
    #expect(transcript.points == ["point 0 0"] + PolylineReaderTests.points)
    #expect(transcript.lines.filter { $0 == "track" }.count == 2)
    #expect(transcript.violations == [])
  }

  @Test("The extreme coordinates are read")
  func extremes() {
    // −90, 180, then 180 more and 360 less, in steps of 1e-5: −9000000, 18000000, 18000000, −36000000.
    let transcript = Transcript(polyline: "~bidP_gsia@_gsia@~ngtcA")
    #expect(transcript.points == ["point -90 180", "point 90 -180"])
  }

  @Test("The resolution of the source is set")
  func resolution() throws {
    var reader = PolylineReader(ByteInput(bytes: Array("??".utf8)), precision: .five)
    // One step of 1e-5 degrees of the equator, 2π · 6378137 m / 360 · 1e-5.
    let metres = try #require(TrackDocument(reading: &reader).tracks[0].info.resolution?.position)
    #expect(abs(metres - 1.11319) < 1e-4)
  }

  @Test(
    "The size of chunks and batches does not affect the result",
    arguments: [
      example, "??\n\(example)\n\(example)", "", " \n", "??\n_p~iF~ps|U_u", "??\n_p~iF\n??", "??\n_p!iF",
      "~~~~~~~~~~~~~~",
      "??_c`|@?", "\u{FEFF}??", "!!\n\(example)\n_p~iF", "??!?\n??!?\n??", "!!\n!!",
    ])
  func chunks(_ text: String) {
    for isStrict in [false, true] {
      let whole = Transcript(polyline: text, isStrict: isStrict)
      #expect(whole.violations == [])
      for chunk in [1, 2, 3, 7, 61] {
        for capacity in [1, 2, 64] {
          #expect(
            Transcript(polyline: text, chunk: chunk, capacity: capacity, isStrict: isStrict).text
              == whole.text)
        }
      }
    }
  }

  @Test("A broken line is counted, keeps its points before the fault and affects no other line")
  func brokenLines() throws {
    let example = PolylineReaderTests.example
    let transcript = Transcript(polyline: "??\n??!?\n\(example)\n_p~iF\n??")
    #expect(transcript.error == nil && transcript.violations == [])
    #expect(
      transcript.points == ["point 0 0", "point 0 0"] + PolylineReaderTests.points + ["point 0 0"])
    #expect(transcript.lines.filter { $0 == "end of track" }.count == 5)
    #expect(transcript.warnings.count == 1)
    let warning = try #require(transcript.warnings.first)
    #expect(warning.count == 2)
    #expect(warning.place == InputLocation(line: 2, byteOffset: 5))
    // The first line may be broken; if all are, or there is only one, it is an error.
    #expect(Transcript(polyline: "!!\n\(example)").points == PolylineReaderTests.points)
    #expect(Transcript(polyline: "!!\n!!\n").error?.code == .malformed)
    #expect(Transcript(polyline: "??!?\n").error?.code == .malformed)
  }

  @Test("A character outside the format is an error with its offset, after the points before it")
  func invalidCharacter() {
    let transcript = Transcript(polyline: "??\n??!?", isStrict: true)
    #expect(transcript.points == ["point 0 0", "point 0 0"])
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.error?.place == InputLocation(line: 2, byteOffset: 5))
    #expect(
      transcript.error?.description == "line 2: invalid character in a polyline at byte 5: \"!\"")
  }

  @Test("Zero bytes end a line with a warning, except at the end of the file")
  func zeros() {
    let example = PolylineReaderTests.example
    let zeros = String(repeating: "\0", count: 300)
    let points = PolylineReaderTests.points
    for text in [
      "\(example.prefix(10))\(zeros)\(example.suffix(9))\n\(example)",
      "\(example)\n\(zeros)\(example.suffix(9))\n\(example.prefix(10))",
    ] {
      let transcript = Transcript(polyline: text)
      #expect(transcript.points.sorted() == (points + points.prefix(1)).sorted())
      #expect(transcript.warnings.map(\.code) == [TrackWarning.Code("broken-record")])
      #expect(transcript.violations == [])
    }
    #expect(Transcript(polyline: example + zeros).points == points)
    #expect(Transcript(polyline: example + zeros).warnings.isEmpty)
  }

  @Test("A number that is too long is an error")
  func tooLong() {
    let transcript = Transcript(polyline: "??\n~~~~~~~~~~~~~~~~~~~~?", isStrict: true)
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.error?.place.line == 2)
  }

  @Test("A position outside the valid range is skipped and counted")
  func outOfRange() {
    // 9000001 steps of 1e-5 to the north, then two back, to 89.99999°.
    let transcript = Transcript(polyline: "acidP?B?")
    #expect(transcript.points == ["point 89.99999 0"])
    #expect(transcript.violations == [])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
  }

  @Test("A polyline that is cut off keeps its complete points", arguments: Array(1..<example.utf8.count))
  func cuts(_ length: Int) {
    let text = String(decoding: Array(PolylineReaderTests.example.utf8)[..<length], as: UTF8.self)
    // The points end after 10, 18 and 27 characters.
    let count = length < 10 ? 0 : length < 18 ? 1 : 2
    let transcript = Transcript(polyline: text)
    #expect(transcript.points == Array(PolylineReaderTests.points[..<count]))
    if length == 10 || length == 18 {
      #expect(transcript.warnings == [] && transcript.error == nil)
    } else if count == 0 {
      #expect(transcript.error?.code == .truncated)
    } else {
      #expect(transcript.warnings.map(\.code) == [.truncated])
    }
    // In the middle of a file it is a fault, not a cut.
    if length != 10, length != 18 {
      #expect(Transcript(polyline: text + "\n??", isStrict: true).error?.code == .malformed)
    }
  }
}
