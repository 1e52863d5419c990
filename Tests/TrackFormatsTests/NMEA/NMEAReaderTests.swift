import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

/// NMEA 0183 sentences and the resulting points.
@Suite("NMEA reader")
struct NMEAReaderTests {
  private static let position = "4730.0000,N,00830.0000,E"

  // MARK: Sentences

  private func speed(knots: Double) -> Double { knots * 1852 / 3600 }

  @Test("A log with all sentence types gives one point per time of day with a fix")
  func drive() {
    let transcript = Transcript(nmea: NMEASample.drive)
    #expect(transcript.violations == [] && transcript.error == nil)
    #expect(transcript.warnings.map(\.code) == [.noFix])
    #expect(
      transcript.lines == [
        "header", "track", "segment",
        // A knot is 1852 m per hour; 0.06 minutes are 0.001 degrees.
        "point 47.5 8.5 2023-12-31T23:59:57Z elevation 540.5 speed \(speed(knots: 10)) course 90 hdop 0.9 vdop 1.3"
          + " pdop 1.6 satellites 9 geoidHeight 48",
        "  fix \"3d\"",
        "point 47.501 8.501 2023-12-31T23:59:58Z elevation 541.5 speed \(speed(knots: 20)) course 91.5 hdop 0.8"
          + " satellites 11 geoidHeight 48 magneticVariation 358 differentialAge 1.5",
        "  fix \"dgps\"", "  differential station 120",
        "point 47.502 8.502 2024-01-01T00:00:00Z elevation 542.5 speed 0 hdop 0.8 satellites 10 geoidHeight 48",
        "point 47.503 8.503 2024-01-01T00:00:01Z", "end of segment", "end of track", "waypoint 47 8",
        "  name \"HOME\"",
      ])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let sentence: String
    let points: [String]
    var testDescription: String { sentence }
    init(_ sentence: String, _ points: String...) {
      self.sentence = sentence
      self.points = points
    }
  }

  static let sentences = [
    Case("GPRMC,101112,A,\(position),,,150624,,", "point 47.5 8.5 2024-06-15T10:11:12Z"),
    Case("GNRMC,101112.5,A,\(position),,,150624,,", "point 47.5 8.5 2024-06-15T10:11:12.500Z"),
    Case("GLRMC,101112.,A,\(position),,,150624,,", "point 47.5 8.5 2024-06-15T10:11:12Z"),
    Case("GARMC,101112.000001,A,\(position),,,150624,,", "point 47.5 8.5 2024-06-15T10:11:12.000001Z"),
    Case("GBRMC,235960,A,\(position),,,150624,,", "point 47.5 8.5 2024-06-16T00:00:00Z"),
    Case("II RMC,101112,A,\(position),,,150624,,"),
    Case("PGRMC,101112,A,\(position),,,150624,,"),
    Case("GPRMC,101112,A,4730.0000,S,00830.0000,W,,,150624,,", "point -47.5 -8.5 2024-06-15T10:11:12Z"),
    Case("GPRMC,101112,A,0000.0000,N,00000.0000,E,,,150624,,", "point 0 0 2024-06-15T10:11:12Z"),
    Case("GPRMC,101112,A,9000.0000,N,18000.0000,W,,,150624,,", "point 90 -180 2024-06-15T10:11:12Z"),
    Case("GPRMC,101112,A,4730,N,830,E,,,150624,,", "point 47.5 8.5 2024-06-15T10:11:12Z"),
    Case("GPRMC,101112,D,\(position),,,150624,,", "point 47.5 8.5 2024-06-15T10:11:12Z"),
    Case("GPRMC,101112,V,\(position),,,150624,,"),
    Case("GPRMC,101112,,\(position),,,150624,,"),
    Case("GPRMC,101112,A,\(position),,,150624,,,N"),
    Case("GPRMC,101112,A,\(position),,360.0,150624,,", "point 47.5 8.5 2024-06-15T10:11:12Z course 0"),
    Case("GPRMC,101112,A,\(position),-1,-1,150624,,", "point 47.5 8.5 2024-06-15T10:11:12Z"),
    Case(
      "GPRMC,101112,A,\(position),,,150624,3.5,E",
      "point 47.5 8.5 2024-06-15T10:11:12Z magneticVariation 3.5"),
    // The time since 1980, as sent by the satellites.
    Case("GPRMC,101112,A,\(position),,,290200,,", "point 47.5 8.5 2000-02-29T10:11:12Z"),
    Case("GPRMC,101112,A,\(position),,,311279,,", "point 47.5 8.5 2079-12-31T10:11:12Z"),
    Case("GPGGA,101112,\(position),0,04,1.0,1.0,M,,,,"),
    Case("GPGGA,101112,\(position),,04,1.0,1.0,M,,,,"),
    Case("GPGGA,101112,\(position),1,,,,,,,,", "point 47.5 8.5"),
    Case("GPGGA,101112,\(position),3,,,,,,,,", "point 47.5 8.5\n  fix \"pps\""),
    Case("GPGGA,101112,\(position),5,,,,,,,,", "point 47.5 8.5\n  fix \"dgps\""),
    Case(
      "GPGGA,101112,\(position),6,,,-3.5,M,-34.0,M,,0000", "point 47.5 8.5 elevation -3.5 geoidHeight -34"),
    Case(
      "GNGNS,101112,\(position),AAN,14,0.8,540.5,48.0,1.5,0120",
      "point 47.5 8.5 elevation 540.5 hdop 0.8 satellites 14 geoidHeight 48 differentialAge 1.5"
        + "\n  differential station 120"),
    Case("GNGNS,101112,\(position),NRD,,,,,,", "point 47.5 8.5\n  fix \"dgps\""),
    Case("GNGNS,101112,\(position),P,,,,,,,V", "point 47.5 8.5\n  fix \"pps\""),
    Case("GNGNS,101112,\(position),E,,,,,,", "point 47.5 8.5"),
    Case("GNGNS,101112,\(position),NN,00,,,,,"),
    Case("GNGNS,101112,,,,,NN,00,99.99,,,,"),
    Case("GPGLL,\(position),101112,A", "point 47.5 8.5"),
    Case("GPGLL,\(position),101112,V"),
    Case("GPGLL,\(position),101112,A,N"),
    Case("GPGLL,\(position)", "point 47.5 8.5"),
    Case("GPWPL,4730.0000,N,00830.0000,E,Göschenen", "waypoint 47.5 8.5\n  name \"Göschenen\""),
    Case("GPWPL,4730.0000,N,00830.0000,E,", "waypoint 47.5 8.5"),
    Case("GPGSV,3,1,12,32,71,259,32"),
  ]

  @Test("A single sentence is read", arguments: sentences)
  func sentence(_ sentence: Case) {
    let transcript = Transcript(nmea: NMEASample.log(sentence.sentence, "GPGSA,A,1,,,,,,,,,,,,,,,"))
    #expect(transcript.points == sentence.points)
    #expect(transcript.violations == [] && transcript.error == nil)
    #expect(transcript.warnings.allSatisfy { ["missing-date", "no-fix"].contains($0.code.description) })
  }

  @Test("GNS of single systems belong to that of all systems, and add no satellites")
  func systems() {
    let transcript = Transcript(
      nmea: NMEASample.log(
        "GNGNS,101112,\(Self.position),AA,14,0.8,540.5,48,,", "GPGNS,101112,,,,,A,8,,,,,",
        "GLGNS,101112,,,,,A,6,,,,,",
        "GNRMC,101112,A,\(Self.position),,,150624,,",
        "GNGNS,101113,4730.0600,N,00830.0000,E,AA,13,0.8,541.5,48,,"))
    #expect(
      transcript.points == [
        "point 47.5 8.5 2024-06-15T10:11:12Z elevation 540.5 hdop 0.8 satellites 14 geoidHeight 48",
        "point 47.501 8.5 2024-06-15T10:11:13Z elevation 541.5 hdop 0.8 satellites 13 geoidHeight 48",
      ])
    #expect(transcript.warnings.isEmpty)
  }

  @Test("VTG gives speed and course if RMC does not, in knots or km/h")
  func motion() {
    func points(_ vtg: String) -> [String] {
      Transcript(
        nmea: NMEASample.log(
          "GPGGA,101112,\(NMEAReaderTests.position),1,,,,,,,,", vtg,
          "GPGGA,101113,\(NMEAReaderTests.position),1,,,,,,,,")
      ).points
    }
    #expect(
      points("GPVTG,45.5,T,,M,36.0,N,66.7,K") == [
        "point 47.5 8.5 speed \(speed(knots: 36)) course 45.5", "point 47.5 8.5",
      ])
    #expect(points("GPVTG,,T,,M,,N,72.0,K") == ["point 47.5 8.5 speed 20", "point 47.5 8.5"])
    // Version 1.5, without letters.
    #expect(
      points("GPVTG,45.5,44.0,36.0,66.7") == [
        "point 47.5 8.5 speed \(speed(knots: 36)) course 45.5", "point 47.5 8.5",
      ])
    #expect(points("GPVTG,,,,,,,,,N") == ["point 47.5 8.5", "point 47.5 8.5"])
  }

  @Test("Only the first GSA of an epoch is used; one before any epoch belongs to the first")
  func precision() {
    func gsa(_ value: String) -> String { "GNGSA,A,2,03,,,,,,,,,,,,\(value),1.0,1.0" }
    func gll(_ second: Int) -> String { "GNGLL,\(NMEAReaderTests.position),10111\(second),A,A" }
    let transcript = Transcript(
      nmea: NMEASample.log(gsa("1.5"), gll(0), gsa("2.5"), gll(1), gsa("3.5"), gsa("4.5"), gll(2)))
    #expect(
      transcript.points == [
        "point 47.5 8.5 hdop 1 vdop 1 pdop 1.5\n  fix \"2d\"",
        "point 47.5 8.5 hdop 1 vdop 1 pdop 3.5\n  fix \"2d\"",
        "point 47.5 8.5",
      ])
  }

  // MARK: Lines

  @Test(
    "Lines end with a line feed, a carriage return, both or the end of the file; empty lines are counted",
    arguments: ["\n", "\r", "\r\n", "\n\n", "\r\r", "\n\r\n"])
  func lineEnds(_ end: String) throws {
    let log =
      (NMEASample.log("GPGLL,4730.0,N,00830.0,E,101112,A", "GPGLL,9930.0,N,00830.0,E,101113,A", end: end))
    for chunk in [1, 2, 7, 1000] {
      let transcript = Transcript(nmea: end + log.dropLast(end.count), chunk: chunk)
      #expect(transcript.points == ["point 47.5 8.5"])
      let ends = end.replacing("\r\n", with: "\n").count
      let warning = try #require(transcript.warnings.first)
      #expect(warning.code == .invalidPosition)
      #expect(warning.place.line == 1 + 2 * ends)
    }
  }

  @Test(
    "A sentence is found anywhere in its line",
    arguments: [
      "2024-06-15T10:11:12.345Z ", "[12:00:01] RX: ", "\\s:station,c:1718446272*5F\\", "\u{0}\u{1}\u{FF}",
      "$",
      "$GPRMC", "$GPRMC,1011", "$PGRMF,1*00", "$GPGSV,1,1,01,70,40,083,46*55",
    ])
  func prefixes(_ prefix: String) {
    let sentence = NMEASample.sentence("GPGLL,4730.0,N,00830.0,E,101112,A")
    #expect(Transcript(nmea: prefix + sentence + " \u{7} rest\n").points == ["point 47.5 8.5"])
  }

  @Test("Several sentences on one line are all read, for any batch size")
  func oneLine() {
    let sentences = (0..<50).map {
      NMEASample.sentence(
        "GPRMC,1011\($0 + 10),A,4730.0,N,00830.0,E,,,150624,,", delimiter: $0 % 2 == 0 ? "$" : "!")
    }
    for capacity in [1, 7, 4096] {
      let transcript = Transcript(nmea: sentences.joined(separator: " "), capacity: capacity)
      #expect(transcript.points.count == 50)
      #expect(transcript.points.last == "point 47.5 8.5 2024-06-15T10:11:59Z")
      #expect(transcript.violations == [])
    }
  }

  @Test(
    "A line of more than 4 KiB is skipped and counted, and the next one is read", arguments: [1, 100, 65_536])
  func longLine(_ chunk: Int) {
    let sentence = NMEASample.log("GPGLL,4730.0,N,00830.0,E,101112,A", end: "\n")
    let long = "$GPRMC," + String(repeating: "0", count: 100_000)
    let transcript = Transcript(nmea: sentence + long + "\n" + sentence, chunk: chunk)
    #expect(transcript.points == ["point 47.5 8.5"])
    #expect(transcript.error == nil && transcript.violations == [])
    let warning = transcript.warnings.first { $0.code.description == "too-long-line" }
    #expect(warning?.count == 1 && warning?.place.line == 2)
  }

  @Test("A line of exactly 4 KiB is read, whatever the pieces of the input", arguments: [1, 1000, 65_536])
  func lineLimit(_ chunk: Int) {
    let sentence = NMEASample.log("GPGLL,4730.0,N,00830.0,E,101112,A", end: "\n")
    for excess in [0, 1] {
      let blanks = String(repeating: " ", count: 4096 + excess - (sentence.utf8.count - 1))
      let transcript = Transcript(nmea: blanks + sentence, chunk: chunk)
      #expect(transcript.points.count == 1 - excess)
      #expect(
        transcript.warnings.contains { $0.message == "line of more than 4 KiB, skipped" } == (excess > 0))
    }
  }

  // MARK: Days

  private func times(_ transcript: Transcript) -> [String] {
    transcript.points.map { $0.split(separator: " ").dropFirst(3).first.map(String.init) ?? "none" }
  }

  private static func gga(_ times: String...) -> [String] {
    times.map { NMEASample.sentence("GPGGA,\($0),\(position),1,,,,,,,,") }
  }

  @Test("The date advances when the time of day goes back, and a date also applies to earlier points")
  func days() {
    // 10:59:59 is more than an hour before noon, so it is on the next day; half a second back is a late
    // sentence.
    let lines =
      NMEAReaderTests.gga("220000", "235959.5", "000000", "120000", "105959", "105958.5")
      + [NMEASample.sentence("GPZDA,113000,29,02,2024,00,00")] + NMEAReaderTests.gga("120000", "010000")
    for capacity in [1, 3, 4096] {
      #expect(
        times(Transcript(nmea: lines.joined(separator: "\n"), capacity: capacity)) == [
          "2024-02-27T22:00:00Z", "2024-02-27T23:59:59.500Z", "2024-02-28T00:00:00Z", "2024-02-28T12:00:00Z",
          "2024-02-29T10:59:59Z", "2024-02-29T10:59:58.500Z", "2024-02-29T12:00:00Z", "2024-03-01T01:00:00Z",
        ])
    }
  }

  @Test("A late sentence after midnight belongs to the day before")
  func lateSentence() {
    let lines =
      [NMEASample.sentence("GPZDA,235958,31,12,2024,00,00")]
      + NMEAReaderTests.gga("235959", "000000", "235959.5", "000001")
    #expect(
      times(Transcript(nmea: lines.joined(separator: "\n"))) == [
        "2024-12-31T23:59:59Z", "2025-01-01T00:00:00Z", "2024-12-31T23:59:59.500Z", "2025-01-01T00:00:01Z",
      ])
  }

  @Test("ZDA sets the date before, within or after its second")
  func zda() {
    let zda = [NMEASample.sentence("GPZDA,000000,01,03,2024,,")]
    let before = NMEAReaderTests.gga("235959")
    let after = NMEAReaderTests.gga("000000.5")
    let expected = ["2024-02-29T23:59:59Z", "2024-03-01T00:00:00.500Z"]
    for lines in [zda + before + after, before + zda + after, before + after + zda] {
      let transcript = Transcript(nmea: lines.joined(separator: "\n"))
      #expect(times(transcript) == expected, "\(lines)")
      #expect(transcript.warnings == [])
    }
  }

  @Test("The date of an RMC without a fix applies only if its epoch has a fix")
  func dateWithoutFix() {
    let cold = NMEASample.sentence("GPRMC,000001,V,,,,,,,060180,,")
    #expect(
      times(Transcript(nmea: [cold, NMEAReaderTests.gga("101112")[0]].joined(separator: "\n"))) == ["none"])
    let mixed = NMEASample.sentence("GPRMC,101112,V,,,,,,,150624,,")
    #expect(
      times(Transcript(nmea: [mixed, NMEAReaderTests.gga("101112")[0]].joined(separator: "\n"))) == [
        "2024-06-15T10:11:12Z"
      ])
  }

  @Test("Without any date the points have no time, which is counted once")
  func noDate() throws {
    for capacity in [1, 2, 4096] {
      let transcript = Transcript(
        nmea: NMEAReaderTests.gga("101112", "101113", "101114").joined(separator: "\n"), capacity: capacity)
      #expect(times(transcript) == ["none", "none", "none"])
      #expect(transcript.warnings.map(\.code.description) == ["missing-date"])
      #expect(transcript.warnings.map(\.count) == [3])
    }
  }

  @Test("Points up to the limit are held until a date is known; with more, they are delivered without a time")
  func waiting() {
    #expect(ReadingLimits().undatedPointCount == 65_536)
    var options = ReadingOptions()
    options.limits.undatedPointCount = 1000
    func transcript(_ points: Int) -> Transcript {
      var reader = NMEAReader(ByteInput(bytes: Array(log(points).utf8), chunk: 512), options: options)
      // Held points are counted after each batch.
      return Transcript(reading: &reader, capacity: 1)
    }
    func log(_ points: Int) -> String {
      var text = ""
      for index in 0..<points {
        let time = [index / 3600, index / 60 % 60, index % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        text += NMEAReaderTests.gga(time)[0] + "\n"
      }
      return text + NMEASample.log("GPRMC,230000,A,\(NMEAReaderTests.position),,,150624,,")
    }
    // All on one day, one second apart.
    let most = transcript(990)
    #expect(most.points.count == 991)
    #expect(most.points.first == "point 47.5 8.5 2024-06-15T00:00:00Z" && most.warnings == [])
    let more = transcript(1010)
    #expect(more.points.count == 1011)
    #expect(more.points.first == "point 47.5 8.5" && more.points[1009] == "point 47.5 8.5")
    #expect(more.points.last == "point 47.5 8.5 2024-06-15T23:00:00Z")
    #expect(more.warnings.map(\.count) == [1010])
    #expect(more.violations == [])
  }

  @Test("A date before the first rollover of the week counter is used unchanged, with a warning")
  func weekRollover() throws {
    func transcript(_ date: String) -> Transcript {
      Transcript(nmea: NMEASample.log("GPRMC,101112,A,\(NMEAReaderTests.position),,,\(date),,"))
    }
    #expect(transcript("220899").warnings == [])
    let old = transcript("210899")
    #expect(old.points == ["point 47.5 8.5 1999-08-21T10:11:12Z"])
    #expect(old.warnings.map(\.code.description) == ["doubtful-date"])
  }

  @Test("A date before the first rollover is replaced by a later one, for the points before it as well")
  func replacedDate() {
    func fix(_ time: String, _ date: String) -> String {
      "GPRMC,\(time),A,\(NMEAReaderTests.position),,,\(date),,"
    }
    let coldStart = Transcript(
      nmea: NMEASample.log(
        fix("235958", "060180"), fix("235959", "060180"), fix("000000", "150624"), fix("000001", "070180"),
        fix("000002", "150624")))
    #expect(
      coldStart.points == [
        "point 47.5 8.5 2024-06-14T23:59:58Z", "point 47.5 8.5 2024-06-14T23:59:59Z",
        "point 47.5 8.5 2024-06-15T00:00:00Z", "point 47.5 8.5 2024-06-15T00:00:01Z",
        "point 47.5 8.5 2024-06-15T00:00:02Z",
      ])
    #expect(coldStart.warnings.map(\.count) == [3])
    #expect(coldStart.violations == [])
  }

  // MARK: Pipes

  @Test("From a pipe, a point is delivered before the next but one sentence is written")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    // Opened for reading as well, so that neither end waits for the other.
    let writing = try #require(FileHandle(forUpdatingAtPath: path))
    func send(_ second: Int) throws {
      let sentence = "GPRMC,10111\(second),A,\(NMEAReaderTests.position),,,150624,,"
      try writing.write(contentsOf: Data(NMEASample.log(sentence).utf8))
    }
    try send(0)
    var reader = NMEAReader(try ByteInput(path: path))
    var batch = PointBatch()
    #expect(try reader.next(into: &batch) == .header(FileInfo()))
    #expect(try reader.next(into: &batch) == .beginTrack(TrackInfo()))
    #expect(try reader.next(into: &batch) == .beginSegment)
    for second in 1...5 {
      // The sentence that completes the previous epoch.
      try send(second)
      #expect(try reader.next(into: &batch) == .points)
      #expect(batch.count == 1)
      #expect(batch.time(at: 0)?.description == "2024-06-15T10:11:1\(second - 1)Z")
    }
  }

  // MARK: Real files

  @Test("A fixture matches its golden transcript", arguments: Fixture.all(of: "nmea"))
  func golden(_ fixture: Fixture) throws {
    try Golden.expect(Transcript(nmea: try fixture.bytes()), of: fixture)
  }

  @Test("NMEA fixtures exist")
  func fixturesExist() { #expect(Fixture.all(of: "nmea").count >= 5) }

  @Test("Corpus files have the content that other readers find", arguments: CorpusFigures.all(in: "nmea"))
  func corpus(_ figures: CorpusFigures) throws {
    var reader = NMEAReader(ByteInput(bytes: try figures.bytes()))
    #expect(figures.differences(from: try TrackDocument(reading: &reader)) == [])
  }

  @Test("The corpus exists", .enabled(if: Fixture.hasShared, "needs the conformance corpus in ../shared"))
  func corpusIsThere() { #expect(CorpusFigures.all(in: "nmea").count >= 9) }

  @Test(
    "A log is detected by a sentence in its first 16 KiB",
    arguments: [
      (NMEASample.drive, true), ("# log\n" + NMEASample.log("GPWPL,4700.0,N,00800.0,E,A"), true),
      ("$GPGLL,4730.0,N,00830.0,E,101112,A", true), ("$GPRMC,0000000000", false),
      ("$GPGLL,4730.0,N*7F", false),
      ("<gpx><name>\(NMEASample.drive)</name></gpx>", false), ("GPRMC,101112,A", false),
      (String(repeating: "\n", count: 17_000) + NMEASample.drive, false),
    ])
  func recognition(_ text: String, _ isNMEA: Bool) throws {
    #expect(FileOpening(Array(text.utf8).span).holdsNMEA == isNMEA)
  }
}
