import Foundation
import Testing
import TrackFormats
import TrackModel

@Suite("GeoJSON as fixtures")
struct GeoJSONFixtureTests {
  /// `UPDATE_GOLDEN=1` writes what is read as what is expected; look at the difference before you keep it.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  static let fixtures = ["geojson", "geojsons", "geojsonl"].flatMap {
    Fixture.files(in: Fixture.packageRoot.appending(path: "Fixtures/geojson"), ending: "." + $0)
  }

  @Test("There are fixtures")
  func fixturesExist() { #expect(Self.fixtures.count >= 8) }

  @Test("A fixture reads as its golden transcript says, in chunks of any size", arguments: fixtures)
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let transcript = Transcript(geojson: bytes)
    #expect(transcript.violations == [])
    let events = fixture.sibling("events")
    if Self.updates { try Data(transcript.text.utf8).write(to: events) }
    #expect(transcript.text == String(decoding: try Data(contentsOf: events), as: UTF8.self))
    for chunk in [1, 2, 3, 7, 61, 4096] {
      for capacity in [1, 3, 64] {
        let part = Transcript(geojson: bytes, chunk: chunk, capacity: capacity)
        #expect(part.text == transcript.text, "chunks of \(chunk), batches of \(capacity)")
        #expect(part.violations == [])
      }
    }
    let strict = Transcript(geojson: bytes, isStrict: true)
    for chunk in [1, 7, 61] {
      #expect(Transcript(geojson: bytes, chunk: chunk, isStrict: true).text == strict.text)
    }
  }

  @Test("A fixture is recognized by its content", arguments: fixtures)
  func recognition(_ fixture: Fixture) throws {
    var input = ByteInput(bytes: try fixture.bytes())
    let expected: TrackFormat = fixture.path.hasSuffix(".geojson") ? .geojson : .geojsonseq
    #expect(try FormatRegistry.standard.detect(&input) == expected)
  }
}
