import Testing
import TrackModel

@testable import TrackFormats

@Suite("Reader of dashcam logs")
struct DashcamLogReaderTests {
  private static let rest = ",9000,1250,0,100,0,NO20260101-120000-000001F.MP4,0,0,0"

  @Test("Rows have hundredths of degrees and centimetres per second, 8 hours before UTC")
  func rows() throws {
    // 1700000000 is 2023-11-14 22:13:20; 8 hours later it is 06:13:20 on the next day.
    let transcript = try Transcript(
      .dashcam70mai,
      """
      $V02
      1700000000,V,0.000000,0.000000\(Self.rest)
      1700000000,A,50.5,-30.25\(Self.rest)
      1700000000,A,50.5,-30.25,36000,0,0,0,0,0,0,0,0
      $V02
      $V02
      -28801,A,50.75,30\(Self.rest)
      """)
    #expect(
      transcript.lines == [
        "header", "track", "segment", "point 50.5 -30.25 2023-11-15T06:13:20Z speed 12.5 course 90",
        "point 50.5 -30.25 2023-11-15T06:13:20Z speed 0 course 0", "end of segment", "end of track", "track",
        "segment", "point 50.75 30 speed 12.5 course 90", "end of segment", "end of track",
      ])
    #expect(transcript.warnings.map(\.code) == [.noFix])
    #expect(transcript.violations == [])
  }

  @Test("Other versions of the log are read, and a log without its oldest part")
  func otherStarts() throws {
    let row = "1700000000,A,50.5,-30.25\(Self.rest)\r\n"
    for text in ["$V01\r\n" + row, row + row.replacing("50.5", with: "50.6")] {
      #expect(detected(Array(text.utf8)) == "70mai")
      let point = try Transcript(.dashcam70mai, text).points.first
      #expect(point == "point 50.5 -30.25 2023-11-15T06:13:20Z speed 12.5 course 90")
    }
    #expect(detected(Array("1700000000,A,50.5,-30.25,1\n".utf8)) != "70mai")
  }

  @Test("Damaged rows are counted")
  func damaged() throws {
    let text = "$V02\n1700000000,A,50,30\n1700000001,A,50,30\(Self.rest)\n1700000001,A,95,30\(Self.rest)\nx\n"
    let transcript = try Transcript(.dashcam70mai, text)
    #expect(transcript.points.count == 1)
    #expect(
      transcript.warnings.map { "\($0.message) \($0.count)" } == [
        "damaged row, skipped 2", "position out of range, point skipped 1",
      ])
    #expect(try Transcript(.dashcam70mai, text, isStrict: true).error?.place.line == 2)
    #expect(try Transcript(.dashcam70mai, "$V02\n").lines == ["header"])
    #expect(detected(Array(text.utf8)) == "70mai")
  }
}
