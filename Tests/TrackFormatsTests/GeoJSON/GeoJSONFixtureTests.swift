import Foundation
import Testing
import TrackFormats
import TrackModel

@Suite("GeoJSON fixtures")
struct GeoJSONFixtureTests {
  /// Set `UPDATE_GOLDEN=1` to update the golden transcripts; review the difference before committing.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  static let fixtures = ["geojson", "geojsons", "geojsonl"].flatMap {
    Fixture.files(in: Fixture.packageRoot.appending(path: "Fixtures/geojson"), ending: "." + $0)
  }

  @Test("GeoJSON fixtures exist")
  func fixturesExist() { #expect(Self.fixtures.count >= 8) }

  @Test("A fixture matches its golden transcript in chunks of any size", arguments: fixtures)
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let transcript = Transcript(geojson: bytes)
    #expect(transcript.violations == [])
    let events = fixture.sibling("events")
    if Self.updates { try Data(transcript.text.utf8).write(to: events) }
    #expect(transcript.text == String(decoding: try Data(contentsOf: events), as: UTF8.self))
    for isStrict in [false, true] {
      Transcript.expectInvariance(bytes.count) { chunk, capacity in
        Transcript(geojson: bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
      }
    }
  }

  @Test("A fixture is detected by its content", arguments: fixtures)
  func recognition(_ fixture: Fixture) throws {
    var input = ByteInput(bytes: try fixture.bytes())
    let expected: TrackFormat = fixture.path.hasSuffix(".geojson") ? .geojson : .geojsonseq
    #expect(try FormatRegistry.standard.detect(&input) == expected)
  }
}
