import Foundation
import Testing
import TrackModel

@Suite("CSV fixtures")
struct CSVFixtureTests {
  /// Set `UPDATE_GOLDEN=1` to update the golden transcripts; review the difference before committing.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  @Test("CSV fixtures exist")
  func fixturesExist() { #expect(Fixture.all(of: "csv").count >= 6) }

  @Test(
    "A fixture matches its golden transcript in chunks of any size", arguments: Fixture.all(of: "csv"))
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let transcript = Transcript(csv: bytes)
    #expect(transcript.violations == [])
    #expect(transcript.error == nil)
    let events = fixture.sibling("events")
    if CSVFixtureTests.updates { try Data(transcript.text.utf8).write(to: events) }
    #expect(transcript.text == String(decoding: try Data(contentsOf: events), as: UTF8.self))
    for chunk in [1, 2, 3, 7, 61, 4096] {
      #expect(
        Transcript(csv: bytes, chunk: chunk, capacity: chunk).text == transcript.text, "chunks of \(chunk)")
    }
  }
}
