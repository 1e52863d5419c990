import Testing
import TrackFormats
import TrackModel

/// Accuracies from GST sentences.
@Suite("NMEA deviation")
struct NMEADeviationTests {
  private static let position = "4730.0000,N,00830.0000,E"

  private static func rmc(_ time: String) -> String { "GPRMC,\(time),A,\(position),,,010524,,,A" }

  @Test("The deviations of latitude and longitude make one horizontal accuracy; altitude has its own")
  func values() {
    let transcript = Transcript(
      nmea: NMEASample.log(Self.rmc("101112"), "GPGST,101112,5.0,9.9,8.8,0.0,3.0,4.0,7.5"))
    // √(3² + 4²)
    #expect(
      transcript.points == ["point 47.5 8.5 2024-05-01T10:11:12Z horizontalAccuracy 5 verticalAccuracy 7.5"])
    #expect(transcript.warnings.isEmpty && transcript.error == nil)
  }

  @Test(
    "Missing or invalid GST values are nil",
    arguments: ["GPGST,101112,,,,,,,", "GPGST,101112,1,,,,3.0,,", "GPGST,101112,1,,,,-3.0,4.0,-1"])
  func unknown(gst: String) {
    let transcript = Transcript(nmea: NMEASample.log(Self.rmc("101112"), gst))
    #expect(transcript.points == ["point 47.5 8.5 2024-05-01T10:11:12Z"])
  }

  @Test("GST applies to its time of day, before or after the fix, and never creates a point")
  func times() {
    let transcript = Transcript(
      nmea: NMEASample.log(
        "GPGST,101112,1,,,,0.6,0.8,2", Self.rmc("101112"), Self.rmc("101113"),
        // A GST of the previous epoch between sentences of the current one.
        "GPGST,101112,1,,,,30,40,50", "GPGGA,101113,\(Self.position),1,09,,540.5,M,48.0,M,,",
        Self.rmc("101114"), "GPGST,101114,1,,,,6,8,1"))
    #expect(
      transcript.points == [
        "point 47.5 8.5 2024-05-01T10:11:12Z horizontalAccuracy 1 verticalAccuracy 2",
        "point 47.5 8.5 2024-05-01T10:11:13Z elevation 540.5 satellites 9 geoidHeight 48",
        "point 47.5 8.5 2024-05-01T10:11:14Z horizontalAccuracy 10 verticalAccuracy 1",
      ])
  }
}
