import Foundation
import GhostModel
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Single inputs")
struct OpenInputTests {
  private static let gpx = """
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>A</name><trkseg>
    <trkpt lat="0" lon="0"><time>2024-05-17T06:00:00Z</time></trkpt>
    <trkpt lat="0" lon="0.003"><time>2024-05-17T06:00:30Z</time></trkpt>
    </trkseg></trk><trk><name>B</name><trkseg><trkpt lat="0" lon="0"/></trkseg></trk></gpx>
    """

  @Test("The tracks that are drives are returned with the error of the others")
  func drives() throws {
    try withFolder { folder in
      let path = try folder.write(Self.gpx, to: "a.gpx")
      let input = try InputDrives(path, InputTrack.Options()) { _ in NoProgress(1) }
      #expect(input.tracks.map(\.name) == ["A", "B"])
      #expect(input.drives.map(\.trace.duration) == [30])
      #expect(input.fault != nil)
      let longest = try InputTrack(path, InputTrack.Options()) { _ in NoProgress(1) }
      #expect(longest.name == "A")
      #expect(longest.isLongestOfSeveral)
    }
  }

  @Test("A folder of several files is not one input")
  func several() throws {
    try withFolder { folder in
      try folder.write(Self.gpx, to: "a.gpx")
      try folder.write(Self.gpx, to: "b.gpx")
      let error = #expect(throws: TrackError.self) {
        _ = try InputTrack(folder.path, InputTrack.Options()) { _ in NoProgress(1) }
      }
      #expect(error?.suggestion == .importEachFile)
    }
  }

  @Test("Consecutive files are one part, and a mark without a library belongs to the name")
  func parts() {
    #expect(InputPart.parts(["a.gpx", "b#1.gpx"]).count == 1)
    #expect(LibraryReference("missing.gpkg#5C2A") == nil)
    #expect(InputPath.baseName("x/a.gpx.gz") == "a")
  }
}
