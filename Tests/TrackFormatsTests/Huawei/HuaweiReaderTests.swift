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

  private static let cycling = points.prefix(1) + ["  type \"Cycling\""] + points.dropFirst()

  @Test("The lines of an activity are a track with a segment after each pause")
  func lines() throws {
    let text = Self.lines.joined(separator: "\n")
    #expect(detected(Array(text.utf8)) == "huawei")
    let transcript = try Transcript(.huawei, text)
    #expect(transcript.lines == ["header"] + Self.points)
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
    #expect(transcript.violations == [])
  }

  @Test("Each activity of an export is a track")
  func export() throws {
    let activity =
      #"{"sportType":3,"startTime":1785949076000,"attribute":"HW_EXT_TRACK_DETAIL@is"#
      + Self.lines.joined(separator: #"\n"#) + #"\n&&HW_EXT_TRACK_SIMPLIFY@is{\"tp=lbs\":1}"}"#
    let text = #"[\#(activity),{"sportType":101,"attribute":""},\#(activity)]"#
    #expect(detected(Array(text.utf8)) == "huawei")
    let transcript = try Transcript(.huawei, text)
    #expect(transcript.lines == ["header"] + Self.cycling + Self.cycling)
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
    #expect(transcript.lines == ["header"] + Self.cycling + Self.cycling)
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
}
