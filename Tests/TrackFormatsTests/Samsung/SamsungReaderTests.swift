import Testing
import TrackModel

@testable import TrackFormats

@Suite("Samsung Health reader")
struct SamsungReaderTests {
  @Test("Positions are one track, and a change of segment starts a segment")
  func locations() throws {
    let text = """
      [{"start_time":1785949076000,"latitude":46.9,"longitude":7.4,"altitude":540.5,"accuracy":4.0,"segment":1},
      {"latitude":46.91,"longitude":7.4,"start_time":1785949077500,"segment":2},
      {"start_time":1785949078000,"latitude":null,"longitude":7.4}]
      """
    #expect(detected(Array(text.utf8)) == "samsung")
    let transcript = try Transcript(.samsung, text)
    #expect(
      transcript.lines == [
        "header", "track", "segment",
        "point 46.9 7.4 2026-08-05T16:57:56Z elevation 540.5 horizontalAccuracy 4",
        "end of segment", "segment", "point 46.91 7.4 2026-08-05T16:57:57.500Z", "end of segment",
        "end of track",
      ])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
    #expect(transcript.violations == [])
  }

  @Test("Unknown members and values are skipped, and a start time of 0 is missing")
  func values() throws {
    let text = """
      [7,{"start_time":0,"latitude":46.9,"longitude":7.4,"heart_rate":120,"speed":{"a":[1]}},
      {"start_time":1785949077000,"latitude":46.91,"longitude":7.4,"heart_rate":0,"accuracy":-1}]
      """
    let transcript = try Transcript(.samsung, text)
    #expect(
      transcript.points == ["point 46.9 7.4 heartRate 120", "point 46.91 7.4 2026-08-05T16:57:57Z"])
    #expect(transcript.violations == [])
  }
}
