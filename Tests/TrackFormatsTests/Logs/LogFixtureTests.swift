import Foundation
import Testing
import TrackFormats

@Suite("Fixtures of logs")
struct LogFixtureTests {
  private static let formats: [(format: TrackFormat, ending: String)] = [
    (.plt, ".plt"), (.wpt, ".wpt"), (.owntracks, ".rec"), (.owntracks, ".json"), (.dashcam70mai, ".txt"),
    (.sml, ".sml"), (.sml, ".json"), (.polar, ".json"), (.samsung, ".json"), (.huawei, ".json"),
    (.huawei, ".txt"),
  ]

  @Test("A fixture is recognized and matches its golden transcript", arguments: formats)
  func golden(_ format: TrackFormat, _ ending: String) throws {
    let folder = Fixture.packageRoot.appending(path: "Fixtures/\(format.name)")
    let fixtures = Fixture.files(in: folder, ending: ending)
    #expect(!fixtures.isEmpty)
    for fixture in fixtures {
      let bytes = try fixture.bytes()
      #expect(detected(bytes) == format.name)
      try Golden.expect(try Transcript(format, bytes), of: fixture)
    }
  }
}
