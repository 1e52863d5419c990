import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import TestSupport
@testable import TrackArchives

/// Checks that GPSBabel, GDAL and gpxpy read the writers' output: every point with its time, in its
/// segment. The tests of a program that is not installed are skipped with a message.
@Suite("Other readers")
struct OtherReadersTests {
  /// The positions that a program found, in file order: `latitude longitude`, followed by the time if the
  /// program returns it.
  private struct Found: Equatable {
    var trackpoints: [String] = []
    var waypoints: [String] = []
  }

  /// Two tracks, the first with two segments, across the equator and Greenwich, and three waypoints.
  private static let document: TrackDocument = {
    func segment(_ first: Int, _ count: Int, _ place: Coordinate) -> TrackDocument.Segment {
      var points = PointColumns()
      for index in 0..<count {
        let step = Double(index) * 0.00025
        points.append(
          Coordinate(
            latitude: ((place.latitude + step) * 1e6).rounded() / 1e6,
            longitude: ((place.longitude - step) * 1e6).rounded() / 1e6),
          time: instant(first + index), values: [.elevation: Double(400 + index), .speed: 12.5])
      }
      return TrackDocument.Segment(points: points)
    }
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(
        info: TrackInfo(name: "Zürich & <back> 🚗"),
        segments: [
          segment(0, 40, Coordinate(latitude: 47.3, longitude: 8.5)),
          segment(100, 30, Coordinate(latitude: 47.4, longitude: 8.6)),
        ]),
      TrackDocument.Track(
        info: TrackInfo(name: "Gulf of Guinea"),
        segments: [segment(200, 20, Coordinate(latitude: -0.0021, longitude: 0.0019))]),
    ]
    document.waypoints = (0..<3).map { index in
      var waypoint = Waypoint(
        coordinate: Coordinate(latitude: 10.5 + Double(index), longitude: -20.25), time: instant(300 + index))
      waypoint.details.name = "P\(index)"
      return waypoint
    }
    return document
  }()

  private static func instant(_ seconds: Int) -> Instant {
    // 2024-05-17T06:00:00Z.
    Instant(microseconds: (1_715_925_600 + Int64(seconds)) * 1_000_000)
  }

  private static func line(_ coordinate: Coordinate, _ time: Instant?, hasTime: Bool) -> String {
    let place = String(format: "%.6f %.6f", coordinate.latitude, coordinate.longitude)
      .replacing("-0.000000", with: "0.000000")
    return hasTime ? "\(place) \(time.map(\.description) ?? "-")" : place
  }

  private static func expected(hasTimes: Bool, hasWaypoints: Bool = true) -> Found {
    var found = Found()
    for track in document.tracks {
      for segment in track.segments {
        found.trackpoints += segment.points.waypoints.map { line($0.coordinate, $0.time, hasTime: hasTimes) }
      }
    }
    if hasWaypoints {
      found.waypoints = document.waypoints.map { line($0.coordinate, $0.time, hasTime: hasTimes) }
    }
    return found
  }

  private static func write(_ format: TrackFormat, in folder: TemporaryFolder) throws -> String {
    let path = folder.file("tracks." + format.usualExtension)
    var reader = TrackDocumentReader(document)
    var writer = try format.writer(try ByteSink(path: path))
    var batch = PointBatch(capacity: 16)
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    try writer.finish()
    return path
  }

  /// Returns another program's position, formatted with six decimals.
  private static func place(_ latitude: some StringProtocol, _ longitude: some StringProtocol) -> String {
    line(
      Coordinate(latitude: Double(latitude) ?? .nan, longitude: Double(longitude) ?? .nan), nil,
      hasTime: false)
  }

  // MARK: GPSBabel

  @Test(
    "GPSBabel finds every point with its time",
    .enabled(if: OtherProgram.gpsbabel.isInstalled, "gpsbabel is not installed"),
    arguments: [("gpx", "gpx"), ("gpx1.0", "gpx"), ("kml", "kml"), ("tcx", "gtrnctr"), ("csv", "unicsv")])
  func gpsbabel(_ name: String, _ foreign: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(try #require(FormatRegistry.withArchives.named(name)), in: folder)
    let outcome = try OtherProgram.gpsbabel.run(
      ["-t", "-w", "-i", foreign, "-f", path, "-o", "gpx", "-F", "-"])
    #expect(outcome.status == 0)
    var found = Found()
    for match in outcome.text.matches(
      of: /<(trkpt|wpt) lat="([^"]*)" lon="([^"]*)">(?:\s*<ele>[^<]*<\/ele>)?(?:\s*<time>([^<]*)<\/time>)?/)
    {
      let point = "\(Self.place(match.2, match.3)) \(match.4 ?? "-")"
      if match.1 == "wpt" { found.waypoints.append(point) } else { found.trackpoints.append(point) }
    }
    var expected = Self.expected(hasTimes: true, hasWaypoints: name != "tcx")
    if name == "csv" {
      // GPSBabel reads a table as either trackpoints or waypoints.
      let all = Set(found.trackpoints + found.waypoints)
      #expect(Set(expected.trackpoints).isSubset(of: all))
      return
    }
    if name == "kml" || name == "tcx" {
      // GPSBabel adds waypoints for laps and for the ends of tracks.
      found.waypoints.removeAll { !expected.waypoints.contains($0) }
    }
    if name == "tcx" { expected.waypoints = found.waypoints }
    #expect(found == expected)
  }

  @Test(
    "GPSBabel reads GeoJSON lines as routes",
    .enabled(if: OtherProgram.gpsbabel.isInstalled, "gpsbabel is not installed"))
  func gpsbabelGeoJSON() throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(.geojson, in: folder)
    let outcome = try OtherProgram.gpsbabel.run([
      "-i", "geojson", "-f", path, "-o", "gpx", "-F", "-",
    ])
    let places = outcome.text.matches(of: /<rtept lat="([^"]*)" lon="([^"]*)"/).map {
      Self.place($0.1, $0.2)
    }
    // GPSBabel ignores MultiLineStrings, so that only the second track is found.
    #expect(places == Array(Self.expected(hasTimes: false).trackpoints.suffix(20)))
  }

  // MARK: GDAL

  @Test(
    "GDAL finds every point of GPX with its time and its segment",
    .enabled(if: OtherProgram.ogr2ogr.isInstalled, "ogr2ogr is not installed"), arguments: ["gpx", "gpx1.0"])
  func gdalGPX(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(try #require(FormatRegistry.withArchives.named(name)), in: folder)
    func rows(_ layer: String, _ columns: String) throws -> [[Substring]] {
      let outcome = try OtherProgram.ogr2ogr.run(
        [
          "-f", "CSV", "/vsistdout/", path, layer, "-lco", "GEOMETRY=AS_XY", "-select", columns,
          "-lco", "STRING_QUOTING=IF_NEEDED",
        ])
      #expect(outcome.status == 0)
      return outcome.text.split(whereSeparator: \.isNewline).dropFirst()
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }
    func point(_ row: [Substring], time: Substring) -> String {
      // 2024/05/17 06:00:00+00
      let time = time.filter { $0 != "\"" }.replacing("/", with: "-").replacing(" ", with: "T")
        .replacing("+00", with: "Z")
      return "\(Self.place(row[1], row[0])) \(time)"
    }
    let points = try rows("track_points", "track_fid,track_seg_id,time")
    let expected = Self.expected(hasTimes: true)
    #expect(points.map { point($0, time: $0[4]) } == expected.trackpoints)
    let owners = points.map { $0[2...3].map { $0.filter { $0 != "\"" } }.joined(separator: ".") }
    var segments = Array(repeating: "0.0", count: 40)
    segments += Array(repeating: "0.1", count: 30)
    segments += Array(repeating: "1.0", count: 20)
    #expect(owners == segments)
    #expect(try rows("waypoints", "time").map { point($0, time: $0[2]) } == expected.waypoints)
  }

  @Test(
    "GDAL finds every position of KML, KMZ and GeoJSON, and their names",
    .enabled(if: OtherProgram.ogr2ogr.isInstalled, "ogr2ogr is not installed"),
    arguments: ["kml", "kmz", "geojson", "geojsonseq"])
  func gdal(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(try #require(FormatRegistry.withArchives.named(name)), in: folder)
    let outcome = try OtherProgram.ogr2ogr.run(
      ["-f", "CSV", "/vsistdout/", path, "-lco", "GEOMETRY=AS_WKT"])
    #expect(outcome.status == 0)
    var found = Found()
    for shape in outcome.text.matches(
      of: /(POINT|LINESTRING|MULTILINESTRING|GEOMETRYCOLLECTION) Z? ?\(([^"]*)"/)
    {
      let places = shape.2.matches(of: /(-?[0-9][0-9.e-]*) (-?[0-9][0-9.e-]*)(?: -?[0-9.e-]+)?[,)]/)
        .map { Self.place($0.2, $0.1) }
      if shape.1 == "POINT" { found.waypoints += places } else { found.trackpoints += places }
    }
    #expect(found == Self.expected(hasTimes: false))
    #expect(outcome.text.contains("Zürich & <back> 🚗") && outcome.text.contains("Gulf of Guinea"))
  }

  // MARK: gpxpy

  private static let script = """
    import gpxpy, sys
    gpx = gpxpy.parse(open(sys.argv[1], encoding="utf-8"))
    print(gpx.version)
    for t, track in enumerate(gpx.tracks):
      print("name", track.name)
      for s, segment in enumerate(track.segments):
        for p in segment.points:
          print("trackpoint %d.%d %.6f %.6f %s %s" % (t, s, p.latitude, p.longitude, p.time.strftime("%Y-%m-%dT%H:%M:%SZ"), p.elevation))
    for p in gpx.waypoints:
      print("waypoint %s %.6f %.6f %s" % (p.name, p.latitude, p.longitude, p.time.strftime("%Y-%m-%dT%H:%M:%SZ")))
    """

  @Test(
    "gpxpy finds every point with its time, elevation and segment",
    .enabled(if: OtherProgram.gpxpy.isInstalled, "no python3 with gpxpy is installed"),
    arguments: ["gpx", "gpx1.0"])
  func gpxpy(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(try #require(FormatRegistry.withArchives.named(name)), in: folder)
    let outcome = try OtherProgram.gpxpy.run(["-c", Self.script, path])
    #expect(outcome.status == 0)
    var expected = [name == "gpx" ? "1.1" : "1.0"]
    for (index, track) in Self.document.tracks.enumerated() {
      expected.append("name \(track.info.name ?? "")")
      for (number, segment) in track.segments.enumerated() {
        expected += segment.points.waypoints.map { point in
          let elevation = point.values[.elevation].map { "\($0)" } ?? "None"
          return
            "trackpoint \(index).\(number) \(Self.line(point.coordinate, point.time, hasTime: true)) \(elevation)"
        }
      }
    }
    expected += Self.document.waypoints.map {
      "waypoint \($0.details.name ?? "") \(Self.line($0.coordinate, $0.time, hasTime: true))"
    }
    let lines = outcome.text.split(separator: "\n").map {
      String($0).replacing("-0.000000", with: "0.000000")
    }
    #expect(lines == expected)
  }
}
