import Testing
import TrackModel

@testable import TrackFormats

@Suite("Huawei Health reader")
struct HuaweiReaderTests {
  private static let lines = [
    "tp=lbs;k=0;lat=46.9;lon=7.4;alt=540.0;t=1785949076000.0", "tp=lbs;k=1;lat=90.0;lon=-80.0;alt=0.0;t=0.0",
    "tp=lbs;k=2;lat=46.91;lon=7.4;alt=0.0;t=1.785949077E12", "tp=lbs;k=3;lat=x;lon=7.4",
    "tp=h-r;k=1785949076000;v=120",
    "tp=alti;k=1785949077000;v=541.5", "tp=p-m;k=1;v=300",
  ]
  private static let points = [
    "track", "segment", "point 46.9 7.4 2026-08-05T16:57:56Z elevation 540 heartRate 120", "end of segment",
    "segment", "point 46.91 7.4 2026-08-05T16:57:57Z elevation 541.5 heartRate 120", "end of segment",
    "end of track",
  ]

  private static let cycling: [String] = points.prefix(1) + ["  type \"Cycling\""] + points.dropFirst()

  @Test("The lines of an activity are a track with a segment after each pause")
  func lines() throws {
    let text = Self.lines.joined(separator: "\n")
    #expect(detected(Array(text.utf8)) == "huawei")
    let transcript = try Transcript(.huawei, text)
    #expect(transcript.lines == ["header"] + Self.points)
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
    #expect(transcript.violations == [])
  }

  @Test("Pauses beyond the limit are ignored with a counted warning")
  func pauseLimit() throws {
    let pauses = (2..<10_004).map { "tp=lbs;k=\($0);lat=90.0;lon=-80.0;alt=0.0;t=0.0" }
    let text = (Self.lines.prefix(1) + pauses).joined(separator: "\n")
    let warnings = try Transcript(once: .huawei, text).warnings
    #expect(warnings.map(\.code) == [.limitExceeded])
    #expect(warnings.first?.count == 2)
    #expect(warnings.first?.message.contains("10000 pauses") == true)
  }

  @Test("Each activity of an export is a track")
  func export() throws {
    let activity =
      #"{"sportType":3,"startTime":1785949076000,"attribute":"HW_EXT_TRACK_DETAIL@is"#
      + Self.lines.joined(separator: #"\n"#) + #"\n&&HW_EXT_TRACK_SIMPLIFY@is{\"tp=lbs\":1}"}"#
    let text = #"[\#(activity),{"sportType":101,"attribute":""},\#(activity)]"#
    #expect(detected(Array(text.utf8)) == "huawei")
    let transcript = try Transcript(.huawei, text)
    let activities = Self.cycling + Self.cycling
    #expect(transcript.lines == ["header"] + activities)
    #expect(transcript.violations == [])
  }

  @Test(
    "The activities can be in a member of an object or of the elements of an array",
    arguments: [
      #"[{"motionPathData":[A,A]}]"#, #"{"data":[A,A]}"#, #"[{"motionPathData":[A]},{"x":1},{"data":[A]}]"#,
    ])
  func nested(_ layout: String) throws {
    let activity =
      #"{"sportType":3,"attribute":"HW_EXT_TRACK_DETAIL@is"# + Self.lines.joined(separator: #"\n"#)
      + #"","data":[{"x":1}]}"#
    let text = layout.replacing("A", with: activity)
    #expect(detected(Array(text.utf8)) == "huawei")
    let transcript = try Transcript(.huawei, text)
    let activities = Self.cycling + Self.cycling
    #expect(transcript.lines == ["header"] + activities)
    #expect(transcript.violations == [])
  }

  @Test("Names of an export can be numbers, and its first activity can lack positions")
  func numericNames() throws {
    let activity =
      #"{"partTimeMap":{1.0:406.0,-2:802},"attribute":"HW_EXT_TRACK_DETAIL@is"#
      + Self.lines.joined(separator: #"\n"#) + #"\n&&","paceMap":{},"sportType":3}"#
    let text = #"[{"partTimeMap":{3:1},"attribute":""},\#(activity)]"#
    #expect(detected(Array(text.utf8)) == "huawei")
    var track = Self.points
    track.insert("  type \"Cycling\"", at: 1)
    #expect(try Transcript(.huawei, text).lines == ["header"] + track)
    #expect(try Transcript(.huawei, #"[{x:1}]"#).error?.code == .malformed)
  }

  @Test("Newer exports have the kind in a summary and the lines alone")
  func newerExport() throws {
    let text =
      #"[{"summaryData":{"sportType":3,"coordinate":"WGS84"},"detailData":""#
      + Self.lines.joined(separator: #"\n"#) + #"\n","version":1}]"#
    #expect(detected(Array(text.utf8)) == "huawei")
    var track = Self.points
    track.insert("  type \"Cycling\"", at: 1)
    #expect(try Transcript(.huawei, text).lines == ["header"] + track)
  }

  /// Returns a position at a thousandth of a degree for each second.
  private static func line(_ second: Int, time: String? = nil, number: Int? = nil) -> String {
    "tp=lbs;k=\(number ?? second);lat=46.\(900 + second);lon=7.4;alt=0.0;t=\(time ?? "\(1_785_949_076 + second)000.0")"
  }

  private static func latitudes(_ transcript: Transcript) -> [Substring] {
    transcript.lines.compactMap { line in
      line == "segment" ? "|" : line.hasPrefix("point") ? line.split(separator: " ")[1] : nil
    }
  }

  @Test("Positions are sorted by time, and a pause stays after the position before it")
  func order() throws {
    let pause = "tp=lbs;k=3;lat=90.0;lon=-80.0;alt=0.0;t=0.0"
    let expected: [Substring] = ["|", "46.900", "46.901", "46.902", "|", "46.904", "46.905"].map {
      $0.hasSuffix("00") ? "46.9" : $0
    }
    for order in [[0, 1, 2, 3, 4, 5], [4, 2, 0, 3, 5, 1], [3, 5, 4, 2, 1, 0]] {
      let lines = order.map { $0 == 3 ? pause : Self.line($0) }
      let transcript = try Transcript(.huawei, lines.joined(separator: "\n"))
      #expect(Self.latitudes(transcript) == expected)
      #expect(transcript.warnings == [])
    }
    // Without different numbers, the order in the file decides about the pause.
    let equal = [4, 5, 0, 1, 2].map { Self.line($0, number: 0) } + [pause]
    #expect(
      Self.latitudes(try Transcript(.huawei, equal.joined(separator: "\n")))
        == ["|", "46.9", "46.901", "46.902", "46.904", "46.905"])
  }

  @Test("The order stays if the clock was wrong at the start")
  func wrongClock() throws {
    let lines = (0..<6).map { Self.line($0, time: $0 < 2 ? "178595\(9076 + $0)000.0" : nil) }
    #expect(
      Self.latitudes(try Transcript(.huawei, lines.joined(separator: "\n")))
        == ["|", "46.9", "46.901", "46.902", "46.903", "46.904", "46.905"])
  }

  @Test("Zeros before the first fix are counted")
  func zeros() throws {
    let text = "tp=lbs;k=0;lat=0.0;lon=0.0;alt=0.0;t=0.0\n" + Self.line(1)
    let transcript = try Transcript(.huawei, text)
    #expect(transcript.points == ["point 46.901 7.4 2026-08-05T16:57:57Z"])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
  }

  @Test("Elevations can be below the sea and have two names", arguments: ["alt", "alti"])
  func elevations(name: String) throws {
    let lines = [Self.line(1), "tp=\(name);k=1785949077000;v=-6.5", "tp=\(name);k=1785949076000;v=-20000"]
    #expect(
      try Transcript(.huawei, lines.joined(separator: "\n")).points
        == ["point 46.901 7.4 2026-08-05T16:57:57Z elevation -6.5"])
  }

  @Test(
    "Seconds of the day count from the midnight that is closest to the start",
    arguments: [
      // 2026-08-05T16:57:56Z is second 61,076 of the day in UTC, and 68,276 two hours east.
      ("61077.0", #""startTime":1785949076000,"timeZone":"+0200","recordDay":20260805"#),
      ("68277.0", #""startTime":1785949076000,"timeZone":"+0200""#),
      ("68277.0", #""timeZone":"+0200","recordDay":20260805"#),
    ])
  func timesOfDay(time: String, members: String) throws {
    let text = #"[{"attribute":"HW_EXT_TRACK_DETAIL@is\#(Self.line(1, time: time))\n",\#(members)}]"#
    #expect(try Transcript(.huawei, text).points == ["point 46.901 7.4 2026-08-05T16:57:57Z"])
  }

  @Test("Seconds of an unknown day are not times")
  func unknownDay() throws {
    let transcript = try Transcript(.huawei, Self.line(1, time: "61077.0"))
    #expect(transcript.points == ["point 46.901 7.4"])
    #expect(transcript.warnings.map(\.code) == [.missingDate])
  }
}
