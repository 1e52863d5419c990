import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Validates the writer's output with the schemas of KML 2.2 and gx, and reads it with other programs.
@Suite("KML writer: validity")
struct KMLSchemaTests {
  @Test(
    "Random documents are valid as KML 2.2 with gx",
    .enabled(if: Schemas.canValidate, "xmllint or the shared schemas are missing"))
  func random() throws {
    let seed = SeededGenerator.printedSeed()
    let folder = try TemporaryFolder()
    for index in 0..<UInt64(Effort.rounds(25)) {
      var random = RandomDocument(seed: seed &+ index, isWild: false)
      let bytes = try KMLTesting.kml(random.document(), addsPlainLines: index % 2 == 0).bytes
      try Data(bytes).write(to: URL(filePath: folder.file("\(seed &+ index).kml")))
    }
    #expect(try Schemas.complaints(folder) == [])
  }

  @Test(
    "Converted real files are valid, even if the originals were not",
    .enabled(if: Schemas.canValidate && Fixture.hasShared, "xmllint or the shared corpus are missing"))
  func corpus() throws {
    let folder = try TemporaryFolder()
    for name in ["kml", "gpx"] {
      for fixture in Fixture.files(in: Fixture.shared.appending(path: "corpus/\(name)"), ending: ".\(name)") {
        let document =
          try name == "kml" ? KMLTesting.document(fixture.bytes()) : Conversion.document(fixture.bytes())
        let bytes = try KMLTesting.kml(document, addsPlainLines: true).bytes
        let file = fixture.path.split(separator: "/").last ?? ""
        try Data(bytes).write(to: URL(filePath: folder.file("\(file).kml")))
      }
    }
    #expect(try folder.names().count > 100)
    #expect(try Schemas.complaints(folder) == [])
  }

  @Test(
    "GPSBabel finds the written points and times",
    .enabled(if: OtherProgram.gpsbabel.isInstalled, "gpsbabel is not installed"))
  func gpsbabel() throws {
    let folder = try TemporaryFolder()
    try Data(try KMLTesting.kml(KMLSchemaTests.document).bytes).write(to: URL(filePath: folder.file("a.kml")))
    let output = try OtherProgram.gpsbabel.run(
      ["-t", "-w", "-i", "kml", "-f", folder.file("a.kml"), "-o", "gpx", "-F", "-"]
    ).output
    let read = try Conversion.document(Array(output))
    #expect(read.waypoints.map(\.coordinate) == KMLSchemaTests.document.waypoints.map(\.coordinate))
    #expect(read.waypoints.map(\.time) == KMLSchemaTests.document.waypoints.map(\.time))
    let points = read.tracks.flatMap(\.segments).map(\.points)
    let expected = KMLSchemaTests.document.tracks[0].segments.map(\.points)
    #expect(points.flatMap(\.times) == expected.flatMap(\.times))
    #expect(points.flatMap(\.latitudes) == expected.flatMap(\.latitudes))
  }

  @Test(
    "GDAL finds the written lines and places",
    .enabled(if: OtherProgram.ogr2ogr.isInstalled, "ogr2ogr is not installed"))
  func gdal() throws {
    let folder = try TemporaryFolder()
    try Data(try KMLTesting.kml(KMLSchemaTests.document).bytes).write(to: URL(filePath: folder.file("a.kml")))
    let output = try OtherProgram.ogr2ogr.run(
      ["-f", "GeoJSON", "-lco", "COORDINATE_PRECISION=3", "/vsistdout/", folder.file("a.kml")]
    ).text
    let bare = output.filter { !$0.isWhitespace }
    // Two segments of two points, and one place.
    #expect(bare.contains("[[8.0,47.0,400.0],[8.0,47.125,400.0]]"))
    #expect(bare.contains("[[8.0,47.0,400.0],[8.0,47.125,400.0]],[[8.0,47.5,400.0],[8.0,47.625,400.0]]"))
    #expect(bare.contains("\"type\":\"Point\",\"coordinates\":[8.25,47.25"))
  }

  /// A place and a track of two segments, with numbers that are exact in binary.
  private static let document: TrackDocument = {
    var document = TrackDocument()
    let start = Instant(microseconds: 1_714_557_600_000_000)
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 47.25, longitude: 8.25), time: start)]
    document.waypoints[0].details.name = "place"
    let segments = (0...1).map { segment in
      var points = PointColumns()
      for row in 0...1 {
        points.append(
          Coordinate(latitude: 47 + Double(segment) / 2 + Double(row) / 8, longitude: 8),
          time: Instant(microseconds: start.microseconds + Int64(segment * 60 + row) * 1_000_000),
          values: [.elevation: 400, .heartRate: Double(120 + row)])
      }
      return TrackDocument.Segment(points: points)
    }
    document.tracks = [TrackDocument.Track(info: TrackInfo(name: "track"), segments: segments)]
    return document
  }()
}
