import GhostExport
import Testing
import TrackModel

@testable import TestSupport

struct GPXExportTests {
  @Test("Each drive is a track with all its points, on a clock on which both start at noon")
  func tracks() throws {
    let document = try Reading.gpx(try ComparisonOutput.gpx.bytes(try Race.document()))
    #expect(document.tracks.map(\.info.name) == Race.labels)
    #expect(document.tracks.map(\.info.source) == ["tue.gpx", "thu.fit"])
    #expect(document.tracks[0].segments.map(\.points.count) == [22])
    // Thursday's idle time before the start is a separate segment.
    #expect(document.tracks[1].segments.map(\.points.count) == [1, 21])
    func time(_ track: Int, _ segment: Int, _ row: Int) -> String? {
      document.tracks[track].segments[segment].points.time(at: row)?.description
    }
    #expect(time(0, 0, 0) == "2000-01-01T12:00:00Z")
    #expect(time(1, 1, 0) == "2000-01-01T12:00:00Z")
    #expect(time(1, 0, 0) == "2000-01-01T11:59:00Z")
    #expect(time(0, 0, 21) == "2000-01-01T12:03:40Z")
    #expect(time(1, 1, 20) == "2000-01-01T12:03:30Z")
  }

  @Test("The anchors are waypoints with their times and gaps")
  func anchors() throws {
    let waypoints = try Reading.gpx(try ComparisonOutput.gpx.bytes(try Race.document())).waypoints
    #expect(waypoints.map(\.details.type) == ["start", "divergence", "convergence", "end"])
    #expect(waypoints.map(\.coordinate.longitude) == [8, 8.005, 8.01, 8.02])
    #expect(
      waypoints.map { $0.time?.description } == [
        "2000-01-01T12:00:00Z", "2000-01-01T12:00:50Z", "2000-01-01T12:01:40Z", "2000-01-01T12:03:40Z",
      ])
    #expect(waypoints[2].details.description?.contains("\(Race.labels[0]) is ahead by 0:20") == true)
  }

  @Test("The three notations of colour are written in the order that all programs accept")
  func colors() throws {
    let text = try ComparisonOutput.gpx.text(try Race.document(colors: [ExportColor(0x123456)]))
    let track = try #require(text.firstRange(of: "<trk>"))
    let rest = text[track.lowerBound...]
    let places = ["<gpx_style:color>123456<", "<gpxx:DisplayColor>", "<osmand:color "].map {
      rest.firstRange(of: $0)?.lowerBound
    }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }

  @Test("The file is valid against the schema", .enabled(if: OtherProgram.schemas.isInstalled))
  func isValid() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      try ComparisonOutput.gpx.bytes(try LongDrive.document(points: 5000, drives: 10)), to: "race.gpx")
    let verdict = try OtherProgram.schemas.printed([file])
    #expect(verdict == "\(file): valid\n")
  }

  @Test("GDAL counts the same tracks, points and waypoints", .enabled(if: OtherProgram.ogrinfo.isInstalled))
  func gdal() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.gpx.bytes(try Race.document()), to: "race.gpx")
    let report = try OtherProgram.ogrinfo.printed(["-ro", "-al", "-so", file])
    #expect(
      GDAL.counts(report) == [
        "waypoints": 4, "routes": 0, "tracks": 2, "route_points": 0, "track_points": 44,
      ])
  }

  @Test("GPSBabel reads the same points and times", .enabled(if: OtherProgram.gpsbabel.isInstalled))
  func gpsbabel() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.gpx.bytes(try Race.document()), to: "race.gpx")
    let points = try GPSBabel.rows(file, format: "gpx", points: .trackpoints)
    #expect(points.count == 44)
    #expect(points.first == "50.000000 8.000000 2000/01/01 12:00:00")
    #expect(points.last == "50.000000 8.020000 2000/01/01 12:03:30")
    let waypoints = try GPSBabel.rows(file, format: "gpx", points: .waypoints)
    let times = waypoints.map { String($0.suffix(8)) }
    #expect(times == ["12:00:00", "12:00:50", "12:01:40", "12:03:40"])
  }
}
