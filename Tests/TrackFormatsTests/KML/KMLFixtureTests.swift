import Foundation
import Testing
import TrackFormats
import TrackModel

@Suite("KML fixtures")
struct KMLFixtureTests {
  /// `UPDATE_GOLDEN=1` updates the expected transcripts. Check the differences before you keep them.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  @Test("There are fixtures")
  func fixturesExist() { #expect(Fixture.all(of: "kml").count >= 4) }

  @Test("A fixture matches its golden transcript", arguments: Fixture.all(of: "kml"))
  func golden(_ fixture: Fixture) throws {
    let transcript = Transcript(kml: try fixture.bytes())
    #expect(transcript.violations == [])
    let golden = fixture.sibling("events")
    if KMLFixtureTests.updates {
      try Data(transcript.text.utf8).write(to: golden)
      return
    }
    #expect(transcript.text == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
  }

  @Test("The sizes of chunks and batches do not affect the result", arguments: Fixture.all(of: "kml"))
  func invariance(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    for isStrict in [false, true] {
      Transcript.expectInvariance(bytes.count) { chunk, capacity in
        Transcript(kml: bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
      }
    }
  }
}
