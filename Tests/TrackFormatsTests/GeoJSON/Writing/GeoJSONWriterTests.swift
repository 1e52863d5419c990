import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import TestSupport

@Suite("GeoJSON writer")
struct GeoJSONWriterTests {
  private static func columns(_ points: [(Double, Double, Double?)]) -> PointColumns {
    var columns = PointColumns()
    for (latitude, longitude, seconds) in points {
      columns.append(
        Coordinate(latitude: latitude, longitude: longitude),
        time: seconds.flatMap { Instant(secondsSince1970: $0) })
    }
    return columns
  }

  private static func document(
    _ segments: [[(Double, Double, Double?)]], _ info: TrackInfo = TrackInfo()
  ) -> TrackDocument {
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(info: info, segments: segments.map { TrackDocument.Segment(points: columns($0)) })
    ]
    return document
  }

  /// Returns the text written for a document, which must not depend on the batch size.
  private func written(_ document: TrackDocument, isSequence: Bool = false) throws -> (String, String) {
    let (text, losses) = try GeoJSON.written(document, capacity: 64, isSequence: isSequence)
    for capacity in [1, 2, 3] {
      let other = try GeoJSON.written(document, capacity: capacity, isSequence: isSequence)
      #expect(other.text == text, "batches of \(capacity)")
      #expect(other.losses == losses)
    }
    return (text, losses.text)
  }

  private static func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n"
  }

  // MARK: Tracks

  @Test("A track with one segment is written as a LineString")
  func line() throws {
    let (text, losses) = try written(Self.document([[(2, 1, nil), (4.5, -3.25, nil)]], TrackInfo(name: "n")))
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[-3.25,4.5]]},"properties":{"name":"n"}}"#
        ))
    #expect(losses == "")
  }

  @Test(
    "A track with several segments is written as a MultiLineString with nested times; missing times are null")
  func lines() throws {
    let (text, losses) = try written(
      Self.document([[(2, 1, nil), (4, 3, nil)], [(6, 5, 1), (8, 7, nil)], [(10, 9, 2.5), (12, 11, 3)]]))
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]],[[9,10],[11,12]]]},"#
            + #""properties":{"coordTimes":[[null,null],["1970-01-01T00:00:01Z",null],["1970-01-01T00:00:02.500Z","1970-01-01T00:00:03Z"]]}}"#
        ))
    #expect(losses == "")
  }

  @Test(
    "A line that exceeds the buffer is written before it is known whether another follows",
    arguments: [1, 2, 3])
  func longLine(segments: Int) throws {
    let count = 40_000
    let point = (2.3456789, 1.2345678, Double?.none)
    let long = [[(Double, Double, Double?)](repeating: point, count: count)]
    let short = [[(Double, Double, Double?)]](repeating: [(6, 5, nil), (8, 7, nil)], count: segments - 1)
    var document = Self.document(long + short)
    document.tracks += Self.document([[(2, 1, nil), (4, 3, nil)]]).tracks
    let (text, _) = try GeoJSON.written(document, capacity: 4096)
    let line = [String](repeating: "[1.2345678,2.3456789]", count: count).joined(separator: ",")
    let lines = [line] + [String](repeating: "[5,6],[7,8]", count: segments - 1)
    let geometry =
      segments == 1
      ? #"{"type":"LineString","coordinates":[\#(line)]}"#
      : #"{"type":"MultiLineString","coordinates":[[\#(lines.joined(separator: "],["))]]}"#
    let expected = Self.collection(
      #"{"type":"Feature","geometry":\#(geometry),"properties":{}}"#,
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{}}"#)
    #expect(text == expected, "they differ")
  }

  @Test("Times with steps of any size, backwards or missing, are written unchanged, for any number of points")
  func waitingTimes() throws {
    let steps: [Int64] = [
      0, 1_000_000, 7_000_000, 8_000_000, 3_600_000_000, -5_000_000, 250_000, -125_000, 1, -1, 86_400_000_000,
      253_402_300_799_999_999 - 1_700_000_000_000_000, -253_402_300_799_999_999, 16_000_000, -16_000_000,
    ]
    var columns = PointColumns()
    var texts: [String] = []
    var time: Int64 = 1_700_000_000_000_000
    for index in 0..<30_000 {
      let step = steps[index % steps.count]
      let (sum, _) = time.addingReportingOverflow(step)
      time = (-62_167_219_200_000_000..<253_402_300_800_000_000).contains(sum) ? sum : 1_700_000_000_000_000
      let isMissing = index < 3 || index % 17 == 4
      columns.append(
        Coordinate(latitude: 1, longitude: 2), time: isMissing ? nil : Instant(microseconds: time))
      texts.append(isMissing ? "null" : "\"\(ISO8601.text(Instant(microseconds: time)))\"")
    }
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(
        info: TrackInfo(),
        segments: [
          TrackDocument.Segment(points: Self.columns([(1, 2, nil), (1, 2, nil)])),
          TrackDocument.Segment(points: columns),
        ])
    ]
    let (text, losses) = try GeoJSON.written(document, capacity: 4096)
    #expect(text.contains("\"coordTimes\":[[null,null],[\(texts.joined(separator: ","))]]"), "they differ")
    #expect(losses.text == "")
  }

  @Test("Sensor values are written next to the coordinates, null if missing")
  func sensors() throws {
    var columns = PointColumns()
    columns.append(Coordinate(latitude: 2, longitude: 1), values: [.elevation: 400.5])
    columns.append(Coordinate(latitude: 4, longitude: 3), values: [.heartRate: 120, .speed: 3.5])
    columns.append(Coordinate(latitude: 6, longitude: 5), values: [.elevation: -2, .heartRate: 121])
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: columns)])]
    let (text, losses) = try written(document)
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2,400.5],[3,4],[5,6,-2]]},"#
            + #""properties":{"coordinateProperties":{"speeds":[null,3.5,null],"heart":[null,120,121]}}}"#
        ))
    #expect(losses == "")
  }

  @Test("Track information is written as properties")
  func trackInfo() throws {
    var info = TrackInfo(name: "a \"b\"")
    info.comment = "c"
    info.description = "d"
    info.source = "s"
    info.links = [
      TrackLink(address: "http://a.b/?c=d&e", text: "t", mediaType: "image/png"), TrackLink(address: "x"),
    ]
    info.number = -3
    info.type = "driving"
    info.style = LineStyle(color: TrackColor(red: 255, green: 128, blue: 0, alpha: 51), width: 2.5)
    info.timeSpan = TimeSpan(begin: Instant(microseconds: 0))
    var lap = Lap(start: Instant(microseconds: 0))
    lap.distance = 12
    info.laps = [lap, Lap()]
    info.resolution = Resolution(time: 60)
    let (text, losses) = try written(Self.document([[(2, 1, nil), (4, 3, nil)]], info))
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"#
            + #""name":"a \"b\"","cmt":"c","desc":"d","src":"s","#
            + #""links":[{"href":"http://a.b/?c=d&e","text":"t","type":"image/png"},{"href":"x"}],"#
            + ##""number":-3,"type":"driving","stroke":"#ff8000","stroke-opacity":0.2,"stroke-width":2.5,"##
            + #""timespan":{"begin":"1970-01-01T00:00:00Z"},"laps":[{"startTime":"1970-01-01T00:00:00Z","distance":12},{}],"#
            + #""coarseness":{"time":60}}}"#
        ))
    #expect(losses == "")
  }

  @Test(
    "A segment of one point is written as a Point, an empty track without a geometry, and both are reported")
  func shortSegments() throws {
    let point =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"n","time":"1970-01-01T00:00:01Z"}}"#
    let single = try written(Self.document([[(2, 1, 1)]], TrackInfo(name: "n")))
    #expect(single.0 == Self.collection(point))
    #expect(single.1 == "1 segment of one point (written as Points)")

    let mixed = try written(
      Self.document([[(2, 1, 1)], [(4, 3, nil), (6, 5, nil)], []], TrackInfo(name: "n")))
    #expect(
      mixed.0
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[3,4],[5,6]]},"properties":{"name":"n"}}"#,
          point))
    #expect(mixed.1 == "1 segment of one point (written as Points), 1 empty segment")

    let empty = try written(Self.document([], TrackInfo(name: "n")))
    #expect(empty.0 == Self.collection(#"{"type":"Feature","geometry":null,"properties":{"name":"n"}}"#))
    #expect(empty.1 == "1 empty track")

    let two = try written(Self.document([[(2, 1, 1)], [(2, 1, 1)]], TrackInfo(name: "n")))
    #expect(
      two.0 == Self.collection(#"{"type":"Feature","geometry":null,"properties":{"name":"n"}}"#, point, point)
    )
  }

  @Test("A route is written as a line with a marker")
  func route() throws {
    var document = TrackDocument()
    document.routes = [
      TrackDocument.Route(info: TrackInfo(name: "r"), points: Self.columns([(2, 1, nil), (4, 3, nil)]))
    ]
    let (text, losses) = try written(document)
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"name":"r","_gpxType":"rte"}}"#
        ))
    #expect(losses == "1 route (written as lines)")
  }

  @Test("Texts of points are counted as lost")
  func details() throws {
    var columns = Self.columns([(2, 1, nil)])
    var details = PointDetails(name: "x")
    details.symbol = "y"
    details.links = [TrackLink(address: "a"), TrackLink(address: "b")]
    columns.append(Coordinate(latitude: 4, longitude: 3), details: details)
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: columns)])]
    #expect(try written(document).1 == "1 trackpoint name, 2 trackpoint links, 1 trackpoint symbol")
  }

  @Test("A year of five digits, which ISO 8601 cannot express, is written as null and reported")
  func farTimes() throws {
    let (text, losses) = try written(Self.document([[(2, 1, 0), (4, 3, 253_402_300_800)]]))
    #expect(text.contains(#""coordTimes":["1970-01-01T00:00:00Z",null]"#))
    #expect(losses == "1 time before year 0 or after 9999")
  }

  // MARK: Waypoints

  @Test("A waypoint is written as a Point with properties")
  func waypoint() throws {
    var details = PointDetails(name: "Home")
    details.symbol = "Flag"
    details.fix = "3d"
    details.differentialStation = 5
    var document = TrackDocument()
    document.waypoints = [
      Waypoint(
        coordinate: Coordinate(latitude: 2, longitude: 1), time: Instant(microseconds: 500_000),
        values: [.elevation: 4, .horizontalAccuracy: 5, .speed: 0], details: details)
    ]
    let (text, losses) = try written(document)
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2,4]},"properties":{"name":"Home","#
            + #""time":"1970-01-01T00:00:00.500Z","horizontal_accuracy":5,"speed":0,"sym":"Flag","fix":"3d","dgpsid":5}}"#
        ))
    #expect(losses == "")
  }

  // MARK: The antimeridian

  @Test("A line is split at the antimeridian, with interpolated time and elevation")
  func antimeridian() throws {
    var columns = PointColumns()
    columns.append(
      Coordinate(latitude: -17, longitude: 179.75), time: Instant(microseconds: 0), values: [.elevation: 10])
    columns.append(
      Coordinate(latitude: -18, longitude: -179.25), time: Instant(microseconds: 4_000_000),
      values: [.elevation: 30, .heartRate: 99])
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: columns)])]
    let (text, losses) = try written(document)
    // A quarter of the degree is before the antimeridian.
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[179.75,-17,10],[180,-17.25,15]],"#
            + #"[[-180,-17.25,15],[-179.25,-18,30]]]},"properties":{"#
            + #""_cutAt":"antimeridian","coordTimes":[["1970-01-01T00:00:00Z","1970-01-01T00:00:01Z"],["1970-01-01T00:00:01Z","1970-01-01T00:00:04Z"]],"#
            + #""coordinateProperties":{"heart":[[null,null],[null,99]]}}}"#
        ))
    #expect(losses == "1 crossing of the antimeridian (lines cut there, points added)")
  }

  @Test(
    "A point on the antimeridian has the sign of its neighbours",
    arguments: [
      ([179.0, 180], "[[[179,0],[180,0]]]", 0), ([179.0, -180], "[[[179,0],[180,0]]]", 0),
      ([-179.0, 180], "[[[-179,0],[-180,0]]]", 0), ([180.0, -179], "[[[-180,0],[-179,0]]]", 0),
      ([-180.0, 179], "[[[180,0],[179,0]]]", 0),
      ([179.0, 180, -179], "[[[179,0],[180,0],[180,0]],[[-180,0],[-179,0]]]", 1),
      ([179.0, -180, -179], "[[[179,0],[180,0],[180,0]],[[-180,0],[-179,0]]]", 1),
      ([-179.0, 179, -179], "[[[-179,0],[-180,0]],[[180,0],[179,0],[180,0]],[[-180,0],[-179,0]]]", 2),
      ([90.0, -90], "[[[90,0],[-90,0]]]", 0), ([91.0, -91], "[[[91,0],[180,0]],[[-180,0],[-91,0]]]", 1),
    ])
  func meridianPoints(_ longitudes: [Double], _ lines: String, _ crossings: Int) throws {
    let (text, losses) = try written(Self.document([longitudes.map { (0, $0, nil) }]))
    let expected = crossings == 0 ? String(lines.dropFirst().dropLast()) : lines
    #expect(text.contains("\"coordinates\":\(expected)}"), "\(text)")
    #expect(losses.hasPrefix(crossings == 0 ? "" : "\(crossings) crossing"))
  }

  // MARK: Files

  @Test("File information is written as members of the collection")
  func fileInfo() throws {
    var document = TrackDocument()
    document.info.name = "n"
    document.info.description = "d"
    document.info.creator = "c"
    document.info.author = Person(name: "a", email: "a@b.c", link: TrackLink(address: "l"))
    document.info.copyright = Copyright(author: "x", year: "2024", license: "y")
    document.info.links = [TrackLink(address: "h")]
    document.info.time = Instant(microseconds: 0)
    document.info.keywords = "k"
    #expect(
      try written(document).0
        == #"{"type":"FeatureCollection","name":"n","description":"d","creator":"c","#
        + #""author":{"name":"a","email":"a@b.c","link":{"href":"l"}},"copyright":{"author":"x","year":"2024","license":"y"},"#
        + #""links":[{"href":"h"}],"time":"1970-01-01T00:00:00Z","keywords":"k","features":["# + "\n]}\n")
    let sequence = try written(document, isSequence: true)
    #expect(sequence.0 == "")
    #expect(sequence.1 == "1 name, author or other description of files")
  }

  @Test(
    "Several streams are written to one collection, with additional information of later files at the end")
  func severalStreams() throws {
    var writer = GeoJSONWriter(ByteSink())
    let batch = PointBatch()
    var info = FileInfo()
    info.name = "first"
    try writer.write(.header(info), batch)
    try writer.write(.waypoint(Waypoint(coordinate: Coordinate(latitude: 2, longitude: 1))), batch)
    info.name = "second"
    info.keywords = "k"
    try writer.write(.header(info), batch)
    try writer.write(.waypoint(Waypoint(coordinate: Coordinate(latitude: 4, longitude: 3))), batch)
    try writer.finish()
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"type":"FeatureCollection","name":"first","features":["#))
    #expect(text.hasSuffix("\n],\"keywords\":\"k\"}\n"))
    #expect(writer.losses.text == "1 name, author or other description of further files")
  }

  @Test("In a sequence, each Feature follows a record separator and ends with a line feed")
  func sequence() throws {
    var document = Self.document([[(2, 1, nil), (4, 3, nil)], [(6, 5, nil), (8, 7, nil)], [(9, 9, nil)]])
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 6, longitude: 5))]
    let text = try written(document, isSequence: true).0
    let records = text.split(separator: "\u{1E}", omittingEmptySubsequences: false)
    #expect(records.first == "")
    #expect(records.count == 4)
    #expect(records.dropFirst().allSatisfy { $0.hasPrefix("{\"type\":\"Feature\"") && $0.hasSuffix("}\n") })
    #expect(records.dropFirst().allSatisfy { $0.dropLast().allSatisfy { $0 != "\n" } })
    #expect(Transcript(geojson: text).points.count == 6)
  }

  @Test("Extensions of other formats are counted as lost; those of GeoJSON are written back")
  func extensions() throws {
    let namespace = "urn:ietf:rfc:7946"
    var info = TrackInfo(name: "n")
    info.extensions = [
      ExtensionElement(
        namespace: namespace, prefix: "geojson", name: "properties", text: "{ \"lanes\" : 2,\"name\":\"x\"}"),
      ExtensionElement(
        namespace: namespace, prefix: "geojson", name: "members", text: "{\"id\":7,\"type\":\"Point\"}"),
      ExtensionElement(namespace: "urn:x", prefix: "x", name: "y", text: "z"),
      ExtensionElement(namespace: namespace, prefix: "geojson", name: "properties", text: "{\"broken\":"),
      ExtensionElement(namespace: namespace, prefix: "geojson", name: "members", text: "[]"),
    ]
    let (text, losses) = try written(Self.document([[(2, 1, nil), (4, 3, nil)]], info))
    #expect(
      text
        == Self.collection(
          #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"name":"n","lanes":2},"id":7}"#
        ))
    #expect(losses == "2 properties of a name that is taken, 3 extensions")
  }

  @Test("A file written in pieces has the same bytes as in memory, wherever a piece ends")
  func pieces() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pieces.geojson")
    for count in stride(from: 2600, through: 5800, by: 80) {
      var points = PointColumns()
      for row in 0..<count {
        points.append(
          Coordinate(latitude: 46, longitude: Double(row) / 1000),
          time: Instant(secondsSince1970: 1_700_000_000 + Double(row)), values: [.heartRate: 120])
      }
      var document = TrackDocument()
      document.tracks = [
        TrackDocument.Track(info: TrackInfo(name: "a"), segments: [TrackDocument.Segment(points: points)])
      ]
      var reader = TrackDocumentReader(document)
      var writer = GeoJSONWriter(try ByteSink(path: path))
      try Conversion.copy(&reader, to: &writer, capacity: 512)
      let isSame = try String(contentsOfFile: path, encoding: .utf8) == GeoJSON.written(document).text
      #expect(isSame, "\(count) points")
    }
  }
}
