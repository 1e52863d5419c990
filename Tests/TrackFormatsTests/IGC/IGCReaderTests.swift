import Testing
import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads an IGC file.
  init(
    igc bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = IGCReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }
}

@Suite("IGC reader")
struct IGCReaderTests {
  private func read(_ lines: String..., isStrict: Bool = false) -> Transcript {
    Transcript(igc: Array(lines.joined(separator: "\r\n").utf8), isStrict: isStrict)
  }

  @Test("Fixes have positions in thousandths of minutes and the GNSS altitude")
  func fixes() {
    let transcript = read(
      "AXXX001", "HFDTE310824", "B0856064630000N00715600WA0154501571", "B0856073330000S17030000EV-0123-0154")
    #expect(
      transcript.lines == [
        "header", "track", "segment", "point 46.5 -7.26 2024-08-31T08:56:06Z elevation 1571",
        "point -33.5 170.5 2024-08-31T08:56:07Z elevation -154", "end of segment", "end of track",
      ])
    #expect(transcript.violations == [])
    #expect(transcript.warnings == [])
  }

  @Test("Places of tasks beyond the limit are skipped with a counted warning")
  func placeLimit() {
    let place = "C4630000N00715000EPLACE"
    let task = "C310824085606310824000100 TASK"
    let lines = [task] + Array(repeating: place, count: 10_000) + [task]
    let transcript = Transcript(igc: Array(lines.joined(separator: "\r\n").utf8))
    // The declaration counts as a place.
    #expect(transcript.points.count == 9999)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded])
    #expect(transcript.warnings.first?.count == 2)
    #expect(transcript.warnings.first?.message.contains("10000 places") == true)
  }

  @Test("Dates have two forms, and years from 80 are in the last century")
  func dates() {
    for (line, date) in [
      ("HFDTE310880", "1980-08-31"), ("HFDTEDATE:150423,01", "2023-04-15"),
      ("HFDTEDATE: 010279", "2079-02-01"), ("HFDTEDATE:15042023", "2023-04-15"),
      ("HFDTE15042301", "2023-04-15"), ("HFDTE DATE: 15-04-23", "2023-04-15"),
      ("HFDTE15.04.2023", "2023-04-15"),
    ] {
      #expect(read(line, "B0000004630000N00715000EA0154501571").points.first?.contains(date) == true)
    }
    for line in ["HFDTE310224", "HFDTE", "HFDTE0102"] {
      let transcript = read(line, "B0000004630000N00715000EA0154501571")
      #expect(transcript.points == ["point 46.5 7.25 1999-09-09T09:09:09Z elevation 1571"])
      #expect(transcript.warnings.map(\.code) == [.missingDate])
    }
  }

  @Test("Without a date, times count from an unknown start, and a date after the first fix is ignored")
  func noDate() {
    let place = "4630000N00715000EA0000000001"
    let transcript = read("B235959\(place)", "HFDTE311223", "B000001\(place)", "B000005\(place)")
    let times = transcript.points.compactMap { $0.split(separator: " ").dropFirst(3).first }
    #expect(times == ["1999-09-09T09:09:09Z", "1999-09-09T09:09:11Z", "1999-09-09T09:09:15Z"])
    #expect(transcript.warnings.map(\.code) == [.missingDate])
    #expect(transcript.warnings.map(\.count) == [1])
    #expect(transcript.lines.contains { $0.contains("clock") })
  }

  @Test("A step back by more than 12 hours is midnight; one of seconds is not")
  func midnight() {
    let place = "4630000N00715000EA0000000001"
    let transcript = read("HFDTE311223", "B235959\(place)", "B235950\(place)", "B000000\(place)")
    let times = transcript.points.compactMap { $0.split(separator: " ").dropFirst(3).first }
    #expect(times == ["2023-12-31T23:59:59Z", "2023-12-31T23:59:50Z", "2024-01-01T00:00:00Z"])
  }

  @Test("The ground speed of an extension is in km/h if it has three digits")
  func speeds() {
    for (extensions, expected) in [("I013638GSP", " speed 10"), ("I013639GSP", "")] {
      let transcript = read("HFDTE010124", extensions, "B1200004630000N00715000EA00000000010360")
      #expect(transcript.points == ["point 46.5 7.25 2024-01-01T12:00:00Z elevation 1" + expected])
    }
  }

  @Test("The true track of an extension is the course, and records without a fix are counted")
  func courses() {
    for (digits, expected) in [("095", " course 95"), ("360", " course 0"), ("361", "")] {
      let transcript = read(
        "HFDTE010124", "I013638TRT", "B1159590000000N00000000EV0000000000000",
        "B1200004630000N00715000EA0000000001\(digits)")
      #expect(transcript.points == ["point 46.5 7.25 2024-01-01T12:00:00Z elevation 1" + expected])
      #expect(transcript.warnings.map(\.code) == [.noFix])
    }
  }

  @Test("Extensions add digits, accuracies and satellites")
  func extensions() {
    let transcript = read(
      "HFDTE010124", "I053636LAD3737LOD3838TDS3941FXA4243SIU", "B1200004630000N00715000EA000000000133500812")
    // 30.0003 minutes north, 15.0003 minutes east.
    #expect(
      transcript.points == [
        "point 46.500005 7.250005 2024-01-01T12:00:00.500Z elevation 1 horizontalAccuracy 8 satellites 12"
      ])
  }

  @Test("The date can be entered by the pilot or the observer, and a later one starts another day")
  func datesOfOthers() {
    let transcript = read(
      "HPDTE010124", "B1200014630000N00715000EA0000000001", "HODTE030124",
      "B1000014630000N00715000EA0000000001",
      "HFDTE010124", "B1000024630000N00715000EA0000000001")
    #expect(
      transcript.points == [
        "point 46.5 7.25 2024-01-01T12:00:01Z elevation 1",
        "point 46.5 7.25 2024-01-03T10:00:01Z elevation 1",
        "point 46.5 7.25 2024-01-03T10:00:02Z elevation 1",
      ])
  }

  @Test("A fix at 0, 0 has no position, and one without validity may have no altitude")
  func noFix() {
    let transcript = read(
      "HFDTE010124", "B1200000000000N00000000EV0000000000", "B1200014630000N00715000EV0012300000")
    #expect(transcript.points == ["point 46.5 7.25 2024-01-01T12:00:01Z"])
  }

  @Test("Declared tasks are routes without the places that are not declared")
  func tasks() {
    let transcript = read(
      "HFDTE010124", "C010124120000000000000002 Alps", "C0000000N00000000ETAKEOFF",
      "C4630000N00715000ETURN A",
      "C3330000S07030000W", "B1200014630000N00715000EA0000000001", "C010124120000000000000000")
    #expect(
      transcript.lines == [
        "header", "route", #"  name "Alps""#, "point 46.5 7.25", #"  name "TURN A""#, "point -33.5 -70.5",
        "end of route", "track", "segment", "point 46.5 7.25 2024-01-01T12:00:01Z elevation 1",
        "end of segment", "end of track", "route", "end of route",
      ])
    #expect(transcript.violations == [])
  }

  @Test("Broken fixes are skipped and counted with the location of the first")
  func brokenFixes() {
    let fix = "B1200014630000N00715000EA0000000001"
    let transcript = read("HFDTE010124", fix, "B12000", "B1200019130000N00715000EA0000000001", fix)
    #expect(transcript.points.count == 2)
    #expect(
      transcript.warnings.map { "\($0.code) \($0.place.line ?? 0)" } == [
        "broken-fix 3", "invalid-position 4",
      ])
    #expect(read("HFDTE010124", "B12", isStrict: true).error?.place.line == 2)
    #expect(Transcript(igc: []).error?.code == .truncated)
    #expect(read("nothing").error?.code == .malformed)
  }

  @Test("A file is recognized by its date or a fix, whatever its name")
  func recognition() throws {
    for text in ["AXXX\nHFDTE010524\n", "LXX\r\nB1101355206343N00006198WA0058700558\r\n"] {
      var input = ByteInput(bytes: Array(text.utf8), name: "a.txt")
      #expect(try FormatRegistry.standard.detect(&input) == .igc)
    }
    #expect(!FileOpening(Array("HFDTE is a record\nB1101\n".utf8).span).holdsIGC)
  }

  @Test(
    "A fixture matches its golden transcript, for chunks and batches of any size",
    arguments: Fixture.all(of: "igc"))
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    try Golden.expect(Transcript(igc: bytes), of: fixture)
    Transcript.expectInvariance(bytes.count) { Transcript(igc: bytes, chunk: $0, capacity: $1) }
  }

  @Test("IGC fixtures exist")
  func fixturesExist() { #expect(!Fixture.all(of: "igc").isEmpty) }

  @Test("Corpus files have the content that other readers find", arguments: CorpusFigures.all(in: "igc"))
  func corpus(_ figures: CorpusFigures) throws {
    var reader = IGCReader(ByteInput(bytes: try figures.bytes()))
    #expect(figures.differences(from: try TrackDocument(reading: &reader)) == [])
  }

  @Test("The pilot and the glider are the description of the track")
  func people() {
    let transcript = read(
      "AXXX001", "HFDTE310824", "HFPLTPILOTINCHARGE:Jane Doe", "HFCM2CREW2: ", "HFGTYGLIDERTYPE: Discus 2b",
      "HFGIDGLIDERID:D-1234", "B0856064630000N00715600WA0154501571", "HFPLTPILOT:late")
    #expect(
      transcript.lines.prefix(3) == [
        "header", "track", #"  description "Pilot: Jane Doe\nGlider: Discus 2b\nGlider ID: D-1234""#,
      ])
    #expect(transcript.violations == [])
  }
}
