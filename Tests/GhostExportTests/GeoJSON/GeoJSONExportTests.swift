import Foundation
import GhostExport
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostModel
@testable import TestSupport

struct GeoJSONExportTests {
  /// Returns the features as read by Foundation.
  private func features(
    _ document: ComparisonDocument, full: Bool = false
  ) throws -> [(geometry: [String: Any], properties: [String: Any])] {
    let bytes = try ComparisonOutput.geojson.bytes(document, options: ExportOptions(full: full))
    let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(root["type"] as? String == "FeatureCollection")
    let features = try #require(root["features"] as? [[String: Any]])
    return try features.map {
      (
        try #require($0["geometry"] as? [String: Any]), try #require($0["properties"] as? [String: Any])
      )
    }
  }

  @Test("The layers are ordered from bottom to top: gap, detours, drives, anchors, stops")
  func layers() throws {
    let layers = try features(try Race.document()).compactMap { $0.properties["layer"] as? String }
    #expect(
      layers == [
        "gap", "gap", "gap", "gap", "gap", "detours", "detours", "drives", "drives", "drives", "anchors",
        "anchors", "anchors", "anchors", "stops",
      ])
  }

  @Test("A drive is a line in its colour with one time per position")
  func drives() throws {
    let drives = try features(try Race.document()).filter { $0.properties["kind"] as? String == "drive" }
    #expect(drives.map { $0.properties["name"] as? String } == Race.labels)
    #expect(drives.map { $0.properties["stroke"] as? String } == ["#0072b2", "#d55e00"])
    let line = try #require(drives[1].geometry["coordinates"] as? [[Double]])
    let times = try #require(drives[1].properties["coordTimes"] as? [String])
    #expect(line.count == 21 && times.count == 21)
    #expect(line[10] == [8.01, 50])
    #expect(times[0] == "2000-01-01T12:00:00Z" && times[10] == "2000-01-01T12:02:00Z")
  }

  @Test("If a line is cut at the antimeridian, the times are nested like the positions")
  func antimeridian() throws {
    var document = try Race.document()
    let coordinates = [178.0, 179, -179, -178].map { Coordinate(latitude: 0, longitude: $0) }
    document.traces[0] = try TimedDrive(label: "a", coordinates: coordinates, elapsed: [0, 10, 20, 30])
    document.comparison.drives[0].endIndex = 3
    let drive = try #require(
      try features(document).first { $0.properties["kind"] as? String == "drive" })
    #expect(drive.geometry["type"] as? String == "MultiLineString")
    #expect(
      drive.geometry["coordinates"] as? [[[Double]]] == [
        [[178, 0], [179, 0], [180, 0]], [[-180, 0], [-179, 0], [-178, 0]],
      ])
    #expect(
      drive.properties["coordTimes"] as? [[String]] == [
        ["2000-01-01T12:00:00Z", "2000-01-01T12:00:10Z", "2000-01-01T12:00:15Z"],
        ["2000-01-01T12:00:15Z", "2000-01-01T12:00:20Z", "2000-01-01T12:00:30Z"],
      ])
  }

  @Test("Quantities are numbers, and texts keep every character")
  func properties() throws {
    let features = try features(try Race.document())
    let meeting = try #require(features.first { $0.properties["kind"] as? String == "convergence" })
    #expect(meeting.properties["gap_s"] as? Double == 20)
    #expect(meeting.properties["ahead"] as? String == "\(Race.labels[0]) is ahead by 0:20")
    #expect(meeting.properties["time"] as? String == "2000-01-01T12:01:40Z")
    #expect(meeting.properties["marker-color"] as? String == "#404040")
  }

  @Test("The project's reader and GDAL read the file", .enabled(if: OtherProgram.ogrinfo.isInstalled))
  func gdal() throws {
    let bytes = try ComparisonOutput.geojson.bytes(try Race.document())
    let document = try Reading.geojson(bytes)
    #expect(document.tracks.count == 10)
    #expect(document.waypoints.count == 5)
    let folder = try TemporaryFolder()
    let file = try folder.write(bytes, to: "race.geojson")
    let report = try OtherProgram.ogrinfo.printed(["-ro", "-al", "-so", file])
    #expect(Array(GDAL.counts(report).values) == [15])
  }

  @Test("Long drives are simplified, unless the full option is set")
  func thinning() throws {
    let document = try LongDrive.document(points: 15_000)
    func count(_ full: Bool) throws -> Int {
      try features(document, full: full).filter { $0.properties["kind"] as? String == "drive" }
        .reduce(0) { $0 + (($1.geometry["coordinates"] as? [Any])?.count ?? 0) }
    }
    #expect(try count(true) == 30_000)
    #expect(try count(false) < 20_000)
  }
}
