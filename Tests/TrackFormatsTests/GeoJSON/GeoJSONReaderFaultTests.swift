import Testing
import TrackFormats
import TrackModel

/// Flaws are skipped and counted; faults are thrown after the content before them.
@Suite("GeoJSON reader: flaws and faults")
struct GeoJSONReaderFaultTests {
  struct Flaw: Sendable, CustomTestStringConvertible {
    let text: String
    let points: [String]
    let code: TrackWarning.Code
    var count = 1
    var line = 1
    var testDescription: String { text }

    init(_ text: String, _ points: [String], _ code: TrackWarning.Code, count: Int = 1, line: Int = 1) {
      self.text = text
      self.points = points
      self.code = code
      self.count = count
      self.line = line
    }

    static func line(_ coordinates: String, _ points: [String], _ code: TrackWarning.Code, count: Int = 1)
      -> Flaw
    {
      Flaw("\n" + GeoJSON.feature("\n" + GeoJSON.line(coordinates)), points, code, count: count, line: 3)
    }
  }

  static let flaws: [Flaw] = [
    .line("[1,2],[1,91],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition),
    .line("[1,2],[181,2],[-180.5,2],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition, count: 2),
    .line("[1,2],null,[3,4]", ["point 2 1", "point 4 3"], .invalidPosition),
    .line("[1,2],[null,null],[1,null],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition, count: 2),
    .line("[1,2],[8.1],[],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition, count: 2),
    .line("[1,2],[8,1e999],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition),
    .line("[1,2],[true,false],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition),
    .line("[1,2],[\"x\",\"y\"],[3,4]", ["point 2 1", "point 4 3"], .invalidPosition),
    .line("[1,2],[\"3\",\"4\"]", ["point 2 1", "point 4 3"], .invalidValue),
    .line("[1,2],[3,4,5,6]", ["point 2 1", "point 4 3 elevation 5"], .notRepresentable),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2],[3,4]"), "{\"times\":[1]}"),
      ["point 2 1 1970-01-01T00:00:01Z", "point 4 3"],
      .invalidValue),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"times\":[1,2]}"), ["point 2 1 1970-01-01T00:00:01Z"],
      .invalidValue),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\n\"times\":[\"noon\"]}"), ["point 2 1"], .invalidTime, line: 2
    ),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"times\":[\"2024-04-01T06:00:00\"]}"),
      ["point 2 1 2024-04-01T06:00:00Z"], .timeWithoutZone),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"heart\":[\"high\"]}"), ["point 2 1"], .invalidValue),
    Flaw(GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"heart\":1e999}"), ["point 2 1"], .invalidValue),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"links\":[7,null]}"), ["point 2 1"], .invalidValue, count: 2),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"links\":{\"text\":\"x\"}}"), ["point 2 1"], .invalidValue),
    Flaw(GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"laps\":[[]]}"), ["point 2 1"], .invalidValue),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"coordinateProperties\":{\"oxygen\":1}}"), ["point 2 1"],
      .notRepresentable),
    Flaw(
      GeoJSON.collection(
        "{\"type\":\"Feature\",\"geometry\":null,\"properties\":null}",
        GeoJSON.feature("{\"type\":\"Point\",\"coordinates\":[1,2]}")), ["waypoint 2 1"], .notRepresentable),
    Flaw(
      GeoJSON.feature("{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}"), [],
      .notRepresentable),
    Flaw(
      "{\"coordinates\":[[[[0,0],[1,0],[1,1],[0,0]]]],\"type\":\"MultiPolygon\"}", [], .notRepresentable),
    Flaw(GeoJSON.collection("7", GeoJSON.line("[1,2]")), ["point 2 1"], .invalidValue),
    Flaw("{\"geometry\":\(GeoJSON.line("[1,2]"))}", ["point 2 1"], .invalidValue),
    Flaw("{\"type\":\"Feature\",\"features\":[]}", [], .invalidValue),
    Flaw(
      "{\"type\":\"Feature\",\"properties\":{},\"properties\":{},\"geometry\":\(GeoJSON.line("[1,2]"))}",
      ["point 2 1"],
      .invalidValue),
    Flaw(
      "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:3857\"}},\"features\":[]}",
      [], .invalidValue),
    Flaw(GeoJSON.line("[1,2]") + "\n}}", ["point 2 1"], .trailingContent, line: 2),
    Flaw(
      GeoJSON.feature(GeoJSON.line("[1,2]"), "{\"x\":\"\(String(repeating: "y", count: 70_000))\"}"),
      ["point 2 1"],
      .notRepresentable),
  ]

  @Test("A defect is skipped, counted and reported with its line", arguments: flaws)
  func flaw(_ flaw: Flaw) throws {
    for (chunk, capacity) in [(100_000, 64), (1, 1), (61, 3)] where chunk > 1 || flaw.text.utf8.count < 1000 {
      let transcript = Transcript(geojson: flaw.text, chunk: chunk, capacity: capacity)
      #expect(transcript.points == flaw.points)
      #expect(transcript.error == nil && transcript.violations == [])
      let warning = try #require(transcript.warnings.first)
      #expect(transcript.warnings.reduce(0) { $0 + $1.count } == flaw.count)
      #expect(warning.code == flaw.code)
      #expect(warning.place.line == flaw.line)
    }
  }

  @Test("Strict reading throws the first defect", arguments: flaws)
  func strict(_ flaw: Flaw) throws {
    let transcript = Transcript(geojson: flaw.text, isStrict: true)
    #expect(transcript.error?.code == .warning)
    #expect(transcript.violations == [])
    #expect(transcript.points.count <= flaw.points.count)
  }

  @Test("The location of a warning includes the feature")
  func path() throws {
    let text = GeoJSON.collection(
      GeoJSON.line("[1,2],[3,4]"), "\n" + GeoJSON.feature(GeoJSON.line("[5,6],\n [7,95]")))
    let warning = try #require(Transcript(geojson: text).warnings.first)
    #expect(warning.place.path == "features[1]")
    #expect(warning.place.line == 3)
    #expect(warning.place.column == 2)
    #expect(warning.offendingText == "[7,95]")
  }

  // MARK: Faults

  @Test(
    "Invalid JSON ends the reading after the content before it",
    arguments: [
      ("[1,NaN]", TrackError.Code.malformed), ("[1 2]", .malformed), ("[1,2,]", .malformed),
      ("[[1,2],[3,4]]", .malformed),
      ("[1,[2]]", .malformed), ("[1,{}]", .malformed), ("5", .malformed), ("{}", .malformed),
      ("[01,2]", .malformed),
      ("", .malformed),
    ])
  func faults(_ position: String, _ code: TrackError.Code) {
    for text in [
      GeoJSON.feature(GeoJSON.line("[1,2],[3,4],\(position)")),
      "{\"type\":\"Feature\",\"geometry\":\(GeoJSON.line("[1,2],[3,4],\(position)")),\"properties\":{}}",
    ] {
      for (chunk, capacity) in [(100_000, 64), (1, 1), (7, 3)] {
        let transcript = Transcript(geojson: text, chunk: chunk, capacity: capacity)
        #expect(transcript.points == ["point 2 1", "point 4 3"], "\(text)")
        #expect(transcript.error?.code == code)
        #expect(transcript.error?.place.line == 1)
        #expect(transcript.violations == [])
      }
    }
  }

  @Test(
    "JSON objects that are not GeoJSON are rejected",
    arguments: [
      "{}", "{\"type\":\"Track\",\"coordinates\":[[8,47]]}", "{\"type\":\"FeatureCollection\"}",
      "{\"type\":7}",
      "{\"type\":\"FeatureCollection\",\"features\":{}}", "[]", "7", "{\"type\":\"Topology\"}",
      "{\"type\":\"FeatureCollection\",\"features\":[{}]}", "{\"type\":\"Feature\",\"geometry\":7}",
      "{\"type\":\"Feature\",\"geometry\":{\"coordinates\":[1,2]}}",
      "{\"type\":\"Feature\",\"properties\":[]}",
      "{\"coordinates\":[1,2],\"type\":\"LineString\"}", "{\"coordinates\":[[1,2]],\"type\":\"Point\"}",
      "{\"type\":\"LineString\",\"coordinates\":[1,2]}",
    ])
  func refused(_ text: String) {
    let transcript = Transcript(geojson: text)
    #expect(transcript.error != nil)
    #expect(transcript.points == [])
    #expect(transcript.violations == [])
  }

  @Test("Excessive depth is an error, and skipped members may be nested to any depth")
  func depth() {
    let deep = String(repeating: "[", count: 50_000) + String(repeating: "]", count: 50_000)
    #expect(Transcript(geojson: GeoJSON.line(deep)).error?.code == .malformed)
    let property = Transcript(geojson: GeoJSON.feature(GeoJSON.line("[1,2],[3,4]"), "{\"x\":\(deep)}"))
    #expect(property.points.count == 2 && property.error == nil)
    let collections =
      String(repeating: "{\"type\":\"GeometryCollection\",\"geometries\":[", count: 20_000)
      + String(repeating: "]}", count: 20_000)
    #expect(Transcript(geojson: collections).error?.code == .limitExceeded)
  }

  @Test("A file cut off anywhere keeps its complete part or is reported as cut off")
  func truncation() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"é","coordTimes":["2024-04-01T06:00:00Z",null,null]},
       "geometry":{"type":"LineString","coordinates":[[1,2],[3.5,4.25],[5,6]]}},
      {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[7,8],[9,10]],[[11,12],[13,14]]]},"properties":{}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[15,16]},"properties":{"x":[1,{"y":null}]}}
      ],"name":"end"}
      """
    let bytes = Array(text.utf8)
    let whole = Transcript(geojson: bytes)
    #expect(whole.points.count == 8 && whole.error == nil && whole.warnings == [])
    for count in 0..<bytes.count {
      let cut = Transcript(geojson: Array(bytes[..<count]))
      #expect(cut.violations == [])
      // Points are complete and in order, though without times if these were cut off.
      let positions = cut.points.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
      let all = whole.points.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
      #expect(positions == Array(all.prefix(positions.count)), "cut at \(count)")
      if let error = cut.error {
        #expect(error.code == .truncated, "cut at \(count): \(error)")
        #expect(positions.count < 2, "cut at \(count)")
      } else {
        #expect(cut.warnings.map(\.code) == [.truncated], "cut at \(count)")
      }
      let chunked = Transcript(geojson: Array(bytes[..<count]), chunk: 7, capacity: 1)
      #expect(chunked.text == cut.text, "cut at \(count)")
      let strict = Transcript(geojson: Array(bytes[..<count]), isStrict: true)
      #expect(strict.error?.code == .truncated)
    }
  }
}
