import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests with errors in a file: the content is omitted and counted, or delivered up to a thrown error.
@Suite("TCX reader: flaws and faults")
struct TCXReaderFaultTests {
  struct Flaw: Sendable, CustomTestStringConvertible {
    let xml: String
    let code: TrackWarning.Code
    let point: String?
    let offending: String?
    var testDescription: String { xml }

    /// - Parameters:
    ///   - xml: the content of a trackpoint.
    ///   - point: the expected point; nil for none.
    init(_ xml: String, _ code: TrackWarning.Code, _ point: String? = nil, offending: String? = nil) {
      self.xml = xml
      self.code = code
      self.point = point
      self.offending = offending
    }
  }

  private static func flawed(latitude: String) -> Flaw {
    Flaw(
      TCXSample.position(latitude, "1") + "<Cadence>5</Cadence>", .invalidPosition, offending: latitude)
  }

  private static let position = TCXSample.position("1", "2")

  static let flaws: [Flaw] =
    ["91", "-90.0000001", "no", "47,5", "0x10", "NaN", "INF", "1e400", "47 8"].map(flawed(latitude:))
    + [
      Flaw(TCXSample.position("1", "180.5"), .invalidPosition, offending: "180.5"),
      Flaw("<Time>yesterday</Time>" + position, .invalidTime, "point 1 2", offending: "yesterday"),
      Flaw(
        "<Time>2024-05-01T10:00:00</Time>" + position, .timeWithoutZone, "point 1 2 2024-05-01T10:00:00Z",
        offending: "2024-05-01T10:00:00"),
      Flaw(position + "<AltitudeMeters>high</AltitudeMeters>", .invalidValue, "point 1 2", offending: "high"),
      Flaw(
        position + "<HeartRateBpm><Value>--</Value></HeartRateBpm>", .invalidValue, "point 1 2",
        offending: "--"),
      Flaw(
        position + "<HeartRateBpm> undefined</HeartRateBpm>", .invalidValue, "point 1 2",
        offending: " undefined"),
      Flaw(
        position + "<Value>7</Value>", .misplacedElement,
        "point 1 2\n  extension {\(TCXSample.namespace)}Value\n    text \"7\""),
    ]

  @Test("A defect is omitted, counted and reported with its line", arguments: flaws)
  func flaw(_ flaw: Flaw) throws {
    let text = TCXSample.track(
      "\n<Trackpoint>\(flaw.xml)</Trackpoint>\n<Trackpoint>\(TCXSample.position("3", "4"))</Trackpoint>")
    let transcript = Transcript(tcx: text)
    #expect(transcript.points == [flaw.point, "point 3 4"].compactMap { $0 })
    #expect(transcript.error == nil && transcript.violations == [])
    let warning = try #require(transcript.warnings.first)
    #expect(transcript.warnings.count == 1)
    #expect(warning.code == flaw.code && warning.count == 1 && warning.place.line == 3)
    #expect(
      warning.place.path?.hasPrefix("TrainingCenterDatabase/Activities/Activity/Lap/Track/Trackpoint") == true
    )
    #expect(warning.offendingText == flaw.offending)
  }

  @Test("Strict reading throws the first defect after the points before it", arguments: flaws)
  func strict(_ flaw: Flaw) throws {
    let text = TCXSample.track(TCXSample.point(1, 3, 4) + "<Trackpoint>\(flaw.xml)</Trackpoint>")
    let transcript = Transcript(tcx: text, isStrict: true)
    #expect(transcript.points == ["point 3 4 2024-05-01T10:00:01Z"])
    #expect(transcript.violations == [])
    let error = try #require(transcript.error)
    #expect(error.code == .warning && error.place.line == 3)
  }

  @Test("Invalid values of a lap are omitted and counted")
  func laps() {
    let transcript = Transcript(
      tcx: TCXSample.activity(
        "<Lap StartTime=\"+052870-03-11T09:39:10.000Z\"><TotalTimeSeconds>long</TotalTimeSeconds></Lap>"))
    #expect(transcript.lines.contains("  lap"))
    #expect(transcript.warnings.map(\.code) == [.invalidTime, .invalidValue])
    #expect(transcript.warnings.map(\.offendingText) == ["+052870-03-11T09:39:10.000Z", "long"])
  }

  @Test("A transition between two sports is omitted with a warning")
  func transition() {
    let transcript = Transcript(
      tcx: TCXSample.tcx(
        "<Activities><MultiSportSession><NextSport><Transition><Track>\(TCXSample.point(1, 1, 2))</Track></Transition>"
          + "<Activity/></NextSport></MultiSportSession></Activities>"))
    #expect(transcript.points == [])
    #expect(transcript.lines.suffix(2) == ["track", "end of track"])
    #expect(transcript.warnings.map(\.code) == [.misplacedElement])
  }

  @Test(
    "A different root element means a different format",
    arguments: ["<gpx><trk/></gpx>", "<gpx/>", "<Activities/>"])
  func otherRoot(_ text: String) {
    #expect(Transcript(tcx: text).error?.code == .unknownFormat)
  }

  @Test("A file that is not well-formed yields the points before the fault, then the error")
  func malformed() {
    let text = TCXSample.track(TCXSample.point(1, 1, 2) + TCXSample.point(2, 1, 2) + "<a></b>")
    for capacity in [1, 64] {
      let transcript = Transcript(tcx: text, capacity: capacity)
      #expect(transcript.points.count == 2)
      #expect(transcript.error?.code == .malformed && transcript.violations == [])
    }
  }

  @Test("A file truncated at any byte yields its complete points, and a warning or an error")
  func truncation() {
    let whole = Transcript(tcx: TCXSample.everything)
    let bytes = Array(TCXSample.everything.utf8)
    // The ends of points.
    let ends = ["</Trackpoint>", "</CoursePoint>"].flatMap { tag in
      TCXSample.everything.ranges(of: tag).map {
        TCXSample.everything.utf8.distance(from: TCXSample.everything.startIndex, to: $0.upperBound)
      }
    }
    for length in 0..<bytes.count {
      let part = Transcript(tcx: Array(bytes.prefix(length)), chunk: 100, capacity: [1, 2, 64][length % 3])
      #expect(part.violations == [], "cut at \(length)")
      #expect(part.points == Array(whole.points.prefix(part.points.count)), "cut at \(length)")
      let isTold = part.error != nil || part.warnings.contains { $0.code == .truncated }
      #expect(isTold, "cut at \(length)")
      #expect(part.points.count == ends.count { $0 <= length }, "cut at \(length)")
    }
  }

  @Test("The sizes of chunks and batches do not affect the result")
  func invariance() throws {
    var samples = [
      TCXSample.everything, TCXSample.everything.replacing("\n", with: "\r\n"),
      "\u{FEFF}" + TCXSample.everything,
      TCXSample.track(TCXReaderFaultTests.flaws.map { "<Trackpoint>\($0.xml)</Trackpoint>\n" }.joined()),
    ].map { Array($0.utf8) }
    samples.append(Sample.utf16(TCXSample.everything.replacing("UTF-8", with: "UTF-16"), isBig: false))
    samples += try Fixture.all(of: "tcx").map { try $0.bytes() }
    for bytes in samples {
      for isStrict in [false, true] {
        Transcript.expectInvariance(bytes.count) { chunk, capacity in
          Transcript(tcx: bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
        }
      }
    }
  }

  @Test("Random damage never crashes, reading always ends, and the stream is valid", arguments: 0..<4)
  func mutants(_ part: Int) {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let tokens = [
      "<Track>", "</Track>", "<Lap>", "</Lap>", "<Trackpoint>", "</Trackpoint>", "<Extensions>",
      "</Extensions>",
      "<Position>", "</Position>", "<Activity>", "</Activity>", "<CoursePoint>", "<a/>", "<", ">", "&",
      "<ns3:TPX>",
    ].map { Array($0.utf8) }
    for index in 0..<Effort.rounds(300) {
      var bytes = Array(TCXSample.everything.utf8)
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 1:
          bytes.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &generator)], at: place)
        default:
          bytes.removeSubrange(place..<min(place + Int.random(in: 1...30, using: &generator), bytes.count))
        }
      }
      let whole = Transcript(tcx: bytes)
      #expect(whole.violations == [], "seed \(seed), mutant \(index)")
      let other = Transcript(tcx: bytes, chunk: [1, 5, 64][index % 3], capacity: 2)
      #expect(other.lines == whole.lines, "seed \(seed), mutant \(index)")
      #expect(other.error?.code == whole.error?.code, "seed \(seed), mutant \(index)")
    }
  }
}
