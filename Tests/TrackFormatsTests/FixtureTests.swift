import Foundation
import Testing
import TrackFormats
import TrackModel

@Suite("Fixtures and samples")
struct FixtureTests {
  static let chunks = [1, 2, 3, 7, 61, 4096]

  /// Set `UPDATE_GOLDEN=1` to update the golden transcripts; review the difference before committing.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  @Test("GPX fixtures exist")
  func fixturesExist() {
    #expect(Fixture.all(of: "gpx").count >= 10)
  }

  @Test("A fixture matches its golden transcript", arguments: Fixture.all(of: "gpx"))
  func golden(_ fixture: Fixture) throws {
    let transcript = Transcript(gpx: try fixture.bytes())
    #expect(transcript.violations == [])
    let events = fixture.sibling("events")
    let error = fixture.sibling("error")
    let (file, text) =
      transcript.error.map { (error, "\($0.code): \($0)\n") } ?? (events, transcript.text)
    if FixtureTests.updates {
      try? FileManager.default.removeItem(at: events)
      try? FileManager.default.removeItem(at: error)
      try Data(text.utf8).write(to: file)
      return
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  @Test("The chunk size does not affect the transcript of a fixture", arguments: Fixture.all(of: "gpx"))
  func chunksOfFixture(_ fixture: Fixture) throws {
    expectInvariance(try fixture.bytes())
  }

  @Test("The chunk size does not affect the transcript of a sample", arguments: Sample.all)
  func chunksOfSample(_ sample: Sample) {
    expectInvariance(sample.bytes)
  }

  private func expectInvariance(_ bytes: [UInt8]) {
    let whole = Transcript(gpx: bytes, chunk: max(bytes.count, 1))
    #expect(whole.violations == [])
    for chunk in FixtureTests.chunks {
      let part = Transcript(gpx: bytes, chunk: chunk)
      #expect(part.text == whole.text, "chunks of \(chunk)")
      #expect(part.violations == [])
    }
    for capacity in [1, 3, 4096] {
      let part = Transcript(gpx: bytes, chunk: 61, capacity: capacity)
      #expect(part.text == whole.text, "batches of \(capacity)")
      #expect(part.violations == [])
    }
  }

  @Test("The chunk size does not affect strict reading", arguments: Sample.all)
  func chunksOfStrictReading(_ sample: Sample) {
    let whole = Transcript(gpx: sample.bytes, chunk: max(sample.bytes.count, 1), isStrict: true)
    #expect(whole.violations == [])
    for chunk in FixtureTests.chunks {
      #expect(
        Transcript(gpx: sample.bytes, chunk: chunk, isStrict: true).text == whole.text, "chunks of \(chunk)")
    }
  }
}
