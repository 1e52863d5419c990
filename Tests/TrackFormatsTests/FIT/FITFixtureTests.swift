import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite("FIT fixtures")
struct FITFixtureTests {
  @Test("FIT fixtures exist")
  func fixturesExist() { #expect(Fixture.all(of: "fit").count >= 3) }

  @Test(
    "A fixture matches its golden transcript in chunks of any size", arguments: Fixture.all(of: "fit"))
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let transcript = Transcript(fit: bytes)
    try Golden.expect(transcript, of: fixture)
    for chunk in [1, 7, 61] {
      #expect(Transcript(fit: bytes, chunk: chunk, capacity: chunk).text == transcript.text)
    }
  }
}
