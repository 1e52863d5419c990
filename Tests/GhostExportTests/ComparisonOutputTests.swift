import Foundation
import GhostExport
import Testing
import TrackModel

@testable import TestSupport

struct ComparisonOutputTests {
  @Test(
    "The extension of a name determines the output",
    arguments: [
      ("race.kml", "kml"), ("a.b/RACE.KMZ", "kmz"), ("x.gpx", "gpx"), ("x.geojson", "geojson"),
      ("x.csv", "csv"),
      ("a/race.html", "html"), ("race.HTM", "html"), ("gap.svg", "gap"), ("map.svg", "map"),
      ("maps/x.svg", "gap"),
      ("week-map.svg", "map"),
    ])
  func kinds(path: String, name: String) throws {
    #expect(try ComparisonOutput.forFile(path, among: ComparisonOutput.all).name == name)
  }

  @Test(
    "A name without a known extension throws an error that lists the extensions",
    arguments: ["race", "race.doc", "a.kml/race", "-", ""])
  func refused(path: String) {
    #expect {
      try ComparisonOutput.forFile(path, among: ComparisonOutput.all)
    } throws: {
      guard let error = $0 as? TrackError else { return false }
      return error.code == .unsupported && error.suggestion?.description.contains(".kmz") == true
    }
  }

  @Test("A complete file is written, with the same bytes as in memory", arguments: ComparisonOutput.all)
  func files(output: ComparisonOutput) throws {
    let folder = try TemporaryFolder()
    let document = try Race.document()
    try output.write(document, to: folder.file("race"))
    #expect(try folder.names() == ["race"])
    let content = try Data(contentsOf: URL(filePath: folder.file("race")))
    #expect(Array(content) == (try output.bytes(document)))
    #expect(!content.isEmpty)
  }

  @Test("A failed write leaves no file", arguments: ComparisonOutput.all)
  func unwritable(output: ComparisonOutput) throws {
    let folder = try TemporaryFolder()
    let document = try Race.document()
    #expect(throws: TrackError.self) {
      try output.write(document, to: folder.file("missing/race.\(output.name)"))
    }
    #expect(try folder.names().isEmpty)
  }
}
