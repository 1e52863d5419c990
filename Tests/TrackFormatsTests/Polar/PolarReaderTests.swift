import Testing
import TrackModel

@testable import TrackFormats

@Suite("Polar reader")
struct PolarReaderTests {
  @Test("Local times are converted with the offset, and sensor values are joined by time")
  func session() throws {
    // 43.2 km/h are 12 m/s.
    let text = """
      {"exportVersion":"1.6","name":"Ride","startTime":"2026-08-05T18:57:56.000","timezoneOffset":120,"exercises":[
      {"startTime":"2026-08-05T18:57:56.000","timezoneOffset":120,"sport":"CYCLING","samples":{
      "heartRate":[{"dateTime":"2026-08-05T18:57:57.000","value":121},{"dateTime":"2026-08-05T18:57:56.000","value":120}],
      "recordedRoute":[{"dateTime":"2026-08-05T18:57:56.000","longitude":7.4,"latitude":46.9,"altitude":540},
      {"dateTime":"2026-08-05T18:57:57.000","longitude":7.4,"latitude":46.91,"altitude":541},
      {"dateTime":"2026-08-05T18:57:59.500","longitude":7.4,"latitude":46.92},
      {"dateTime":"2026-08-05T18:58:00.000","longitude":7.4,"latitude":97}],
      "speed":[{"dateTime":"2026-08-05T18:57:56.000"},{"dateTime":"2026-08-05T18:57:57.000","value":43.2}]}},
      {"startTime":"2026-08-05T19:57:56.000","sport":"SWIMMING","samples":{"heartRate":[]}}]}
      """
    #expect(detected(Array(text.utf8)) == "polar")
    let transcript = try Transcript(.polar, text)
    #expect(
      transcript.lines == [
        "header", "track", "  name \"Ride\"", "  type \"CYCLING\"", "segment",
        "point 46.9 7.4 2026-08-05T16:57:56Z elevation 540 heartRate 120",
        "point 46.91 7.4 2026-08-05T16:57:57Z elevation 541 speed 12 heartRate 121",
        "point 46.92 7.4 2026-08-05T16:57:59.500Z", "end of segment", "end of track",
      ])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition])
    #expect(transcript.violations == [])
  }

  @Test("Newer exports have way points in milliseconds since the start and values at an interval")
  func wayPoints() throws {
    let text = """
      {"startTime":"2026-08-05T18:57:56","timezoneOffsetMinutes":120,"exercises":[{"startTime":"2026-08-05T18:57:56",
      "timezoneOffsetMinutes":120,"sport":{"id":"2"},"samples":{"samples":[
      {"type":"HEART_RATE","intervalMillis":1000,"values":[120,"NaN",122]}]},
      "routes":{"route":{"wayPoints":[{"longitude":7.4,"latitude":46.9,"altitude":540.5,"elapsedMillis":0},
      {"longitude":7.4,"latitude":46.91,"altitude":541,"elapsedMillis":2000}],"startTime":"2026-08-05T18:57:56"}}}]}
      """
    #expect(detected(Array(text.utf8)) == "polar")
    #expect(
      try Transcript(.polar, text).points == [
        "point 46.9 7.4 2026-08-05T16:57:56Z elevation 540.5 heartRate 120",
        "point 46.91 7.4 2026-08-05T16:57:58Z elevation 541 heartRate 122",
      ])
  }

  @Test("A session that is cut off has the complete samples, and the error is thrown in strict reading")
  func truncated() throws {
    let text = """
      {"exercises":[{"startTime":"2026-08-05T18:57:56.000","timezoneOffset":120,"sport":"CYCLING","samples":{
      "heartRate":[{"dateTime":"2026-08-05T18:57:56.000","value":120}],
      "recordedRoute":[{"dateTime":"2026-08-05T18:57:56.000","longitude":7.4,"latitude":46.9,"altitude":540},
      {"dateTime":"2026-08-05T18:57:57.000","longitude":7.4,"latitude":46.91,"altitude":541},
      {"dateTime":"2026-08-05T18:57:58.000","longitude":7.4,"lati
      """
    let lines = [
      "header", "track", "  type \"CYCLING\"", "segment",
      "point 46.9 7.4 2026-08-05T16:57:56Z elevation 540 heartRate 120",
      "point 46.91 7.4 2026-08-05T16:57:57Z elevation 541 heartRate 120",
    ]
    let transcript = try Transcript(.polar, text)
    #expect(transcript.lines == lines + ["end of segment", "end of track"])
    #expect(transcript.warnings.map(\.code) == [.truncated])
    #expect(transcript.violations == [])
    #expect(try Transcript(.polar, text, isStrict: true).error?.code == .truncated)
    // Without a position, there is nothing to keep.
    let early = try #require(text.firstRange(of: "\"longitude\"")?.lowerBound)
    #expect(try Transcript(.polar, String(text[..<early])).error?.code == .truncated)
  }

  @Test("JSON without exercises is refused")
  func otherJSON() throws {
    #expect(try Transcript(.polar, #"{"startTime":"2026-08-05T18:57:56"}"#).error?.code == .malformed)
    #expect(try Transcript(.polar, "[]").error?.code == .malformed)
  }
}
