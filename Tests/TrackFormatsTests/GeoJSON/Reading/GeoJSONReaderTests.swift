import Testing
import TrackFormats
import TrackModel

@Suite("GeoJSON reader")
struct GeoJSONReaderTests {
  private func expect(_ text: String, _ lines: [String], _ comment: Comment? = nil) {
    for (chunk, capacity) in [(100_000, 64), (1, 64), (7, 1), (61, 3)] {
      let transcript = Transcript(geojson: text, chunk: chunk, capacity: capacity)
      #expect(transcript.lines == lines, comment)
      #expect(transcript.error == nil && transcript.violations == [] && transcript.warnings == [], comment)
    }
  }

  // MARK: Geometries

  @Test(
    "Every geometry type is read, as a Feature or alone, with its members in any order",
    arguments: [
      ("Point", "[1,2]", ["waypoint 2 1"]),
      ("Point", "[1,2,3.5]", ["waypoint 2 1 elevation 3.5"]),
      ("MultiPoint", "[[1,2],[3,4,5]]", ["waypoint 2 1", "waypoint 4 3 elevation 5"]),
      ("MultiPoint", "[]", []),
      (
        "LineString", "[[1,2],[3,4,5]]",
        ["track", "segment", "point 2 1", "point 4 3 elevation 5", "end of segment", "end of track"]
      ),
      (
        "MultiLineString", "[[[1,2],[3,4]],[],[[5,6],[7,8]]]",
        [
          "track", "segment", "point 2 1", "point 4 3", "end of segment", "segment", "end of segment",
          "segment",
          "point 6 5", "point 8 7", "end of segment", "end of track",
        ]
      ),
      ("LineString", "[]", ["track", "segment", "end of segment", "end of track"]),
    ])
  func geometries(_ type: String, _ coordinates: String, _ lines: [String]) {
    let typeFirst = "{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"
    let typeLast = "{ \"coordinates\" :\n \(coordinates) , \"bbox\": [1,2,3,4], \"type\" : \"\(type)\" }"
    let expected = ["header"] + lines
    for geometry in [typeFirst, typeLast] {
      let isEmpty = lines.isEmpty
      for text in [
        geometry, GeoJSON.feature(geometry), GeoJSON.collection(GeoJSON.feature(geometry)),
        "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{}}",
        "{\"geometry\":\(geometry),\"properties\":null,\"type\":\"Feature\"}",
        "{\"features\":[{\"geometry\":\(geometry),\"type\":\"Feature\",\"properties\":{}}],\"type\":\"FeatureCollection\"}",
      ] {
        if isEmpty {
          #expect(Transcript(geojson: text).lines == expected)
        } else {
          expect(text, expected, "\(text)")
        }
      }
    }
  }

  @Test("A geometry collection becomes one track, with its points as waypoints before it")
  func collections() {
    let lines = [
      "header", "waypoint 2 1", "waypoint 10 9", "track", "segment", "point 4 3", "point 6 5",
      "end of segment",
      "segment", "point 12 11", "point 14 13", "end of segment", "end of track",
    ]
    let inner =
      "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[9,10]}]}"
    let collection =
      "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,2]},"
      + "\(GeoJSON.line("[3,4],[5,6]")),\(inner),{\"coordinates\":[[[11,12],[13,14]]],\"type\":\"MultiLineString\"}]}"
    expect(collection, lines)
    expect(GeoJSON.feature(collection), lines)
    expect(
      "{" + collection.dropFirst("{\"type\":\"GeometryCollection\",".count).dropLast()
        + ",\"type\":\"GeometryCollection\"}", lines)
  }

  @Test(
    "Lines that were cut at the antimeridian are joined without the added points",
    arguments: [
      // Cut by the writer, which adds the point in any case.
      (#""_cutAt":"antimeridian""#, "[[[179,0],[180,1]],[[-180,1],[-179,2]]]", ["0 179", "2 -179"]),
      (
        #""_cutAt":"antimeridian""#, "[[[-179,0,5],[-180,1,6]],[[180,1,6],[179,2,7]]]",
        ["0 -179 5", "2 179 7"]
      ),
      (
        #""_cutAt":"antimeridian""#, "[[[179,0],[180,1]],[[-180,1],[-179,2],[-180,3]],[[180,3],[179,4]]]",
        ["0 179", "2 -179", "4 179"]
      ),
      (
        #""_cutAt":"antimeridian""#, "[[[179,0],[180,1],[180,1]],[[-180,1],[-179,2]]]",
        ["0 179", "1 180", "2 -179"]
      ),
      // Not the same position on both sides, or not a crossing.
      (
        #""_cutAt":"antimeridian""#, "[[[179,0],[180,1]],[[-180,1.1],[-179,2]]]",
        ["0 179", "1 180", "|", "1.1 -180", "2 -179"]
      ),
      (
        #""_cutAt":"antimeridian""#, "[[[179,0],[180,1]],[[180,1],[179,2]]]",
        ["0 179", "1 180", "|", "1 180", "2 179"]
      ),
      // Without a mark, lines with the same time on both sides are joined.
      (
        "", "[[[179,0],[180,1]],[[-180,1],[-179,2]]]",
        ["0 179", "1 180", "|", "1 -180", "2 -179"]
      ),
      (
        #""coordTimes":[[0,1],[1,2]]"#, "[[[179,0],[180,1]],[[-180,1],[-179,2]]]",
        ["0 179 1970-01-01T00:00:00Z", "2 -179 1970-01-01T00:00:02Z"]
      ),
      // Not halfway between the neighbours, so recorded.
      (
        #""coordTimes":[[0,1],[1,2]]"#, "[[[179,0],[180,1.5]],[[-180,1.5],[-179,2]]]",
        ["0 179 1970-01-01T00:00:00Z", "1.5 180 1970-01-01T00:00:01Z", "2 -179 1970-01-01T00:00:02Z"]
      ),
      (
        #""coordTimes":[[0,1],[5,6]]"#, "[[[179,0],[180,1]],[[-180,1],[-179,2]]]",
        [
          "0 179 1970-01-01T00:00:00Z", "1 180 1970-01-01T00:00:01Z", "|", "1 -180 1970-01-01T00:00:05Z",
          "2 -179 1970-01-01T00:00:06Z",
        ]
      ),
    ])
  func seams(_ property: String, _ coordinates: String, _ points: [String]) {
    let geometry = "{\"type\":\"MultiLineString\",\"coordinates\":\(coordinates)}"
    let properties = "{\(property)}"
    let lines = points.flatMap { point -> [String] in
      if point == "|" { return ["end of segment", "segment"] }
      let words = point.split(separator: " ")
      if words.count == 3, Double(words[2]) != nil {
        return ["point \(words[0]) \(words[1]) elevation \(words[2])"]
      }
      return ["point \(point)"]
    }
    let expected = ["header", "track", "segment"] + lines + ["end of segment", "end of track"]
    expect("{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}", expected)
    expect("{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":\(geometry)}", expected)
  }

  @Test("The points before a fault at the antimeridian are kept")
  func faultAtSeam() {
    let text =
      "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":"
      + "[[[178,0],[179,0],[180,1]],[[-180,1],x"
    let transcript = Transcript(geojson: text)
    #expect(transcript.error != nil)
    #expect(transcript.points == ["point 0 178", "point 0 179", "point 1 180", "point 1 -180"])
  }

  @Test("A point on the antimeridian keeps its details")
  func detailsAtSeam() throws {
    let text =
      #"{"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[179,0],[180,1]],[[-180,1],[-179,2]]]},"#
      + #""properties":{"coordTimes":[["2024-04-01T06:00:00Z","2024-04-01T06:00:01Z"],"#
      + #"["2024-04-01T06:00:01Z","2024-04-01T06:00:02Z"]],"coordinateProperties":{"boost":[[1,2],[2,3]]}}}"#
    var reader = GeoJSONReader(ByteInput(bytes: Array(text.utf8)))
    let segments = try TrackDocument(reading: &reader).tracks.flatMap(\.segments)
    let values = segments.map { $0.points.details.flatMap { $0.details.extraValues?.values ?? [] } }
    // It lies on the line between its neighbours, but its value is one that a cut does not add.
    #expect(values == [[1, 2, 3]])
    #expect(segments.map(\.points.longitudes) == [[179, 180, -179]])
  }

  @Test("Numbers are read in all forms of JSON")
  func numbers() {
    expect(
      GeoJSON.line("[1.5E1, -2e0], [ -0 ,\t0.0 ],\n[179.99999999999999999999,89.5,1.0e2],[3\r\n,4]"),
      [
        "header", "track", "segment", "point -2 15", "point 0 0", "point 89.5 180 elevation 100", "point 4 3",
        "end of segment", "end of track",
      ])
  }

  // MARK: Times and sensors

  private static let threeTimes = "[\"2024-04-01T06:00:00Z\",null,\"2024-04-01T08:00:20.25+02:00\"]"
  private static let threePoints = GeoJSON.line("[1,2],[3,4],[5,6]")

  static let timeProperties = [
    "{\"coordTimes\":\(threeTimes)}", "{\"times\":\(threeTimes)}",
    "{\"coordinateProperties\":{\"times\":\(threeTimes)}}", "{\"coordTimes\":[\(threeTimes)]}",
    // Times in GDAL's form, and in seconds and milliseconds since 1970.
    "{\"times\":[\"2024/04/01 06:00:00+00\",null,\"2024/04/01 08:00:20.250+02\"]}",
    "{\"times\":[1711951200,null,1711951220250]}",
  ]

  @Test(
    "Times are read from all known properties, before or after the coordinates", arguments: timeProperties)
  func times(_ properties: String) {
    let lines = [
      "header", "track", "segment", "point 2 1 2024-04-01T06:00:00Z", "point 4 3",
      "point 6 5 2024-04-01T06:00:20.250Z", "end of segment", "end of track",
    ]
    expect(GeoJSON.feature(Self.threePoints, properties), lines)
    expect("{\"type\":\"Feature\",\"geometry\":\(Self.threePoints),\"properties\":\(properties)}", lines)
  }

  @Test("Nested times are per line; flat times continue across lines")
  func timesOfLines() {
    let lines = "{\"type\":\"MultiLineString\",\"coordinates\":[[[1,2],[3,4]],[[5,6],[7,8]]]}"
    let expected = [
      "header", "track", "segment", "point 2 1 1970-01-01T00:00:01Z",
      "point 4 3 1970-01-01T00:00:02Z heartRate 90",
      "end of segment", "segment", "point 6 5 1970-01-01T00:00:03Z heartRate 91",
      "point 8 7 1970-01-01T00:00:04Z",
      "end of segment", "end of track",
    ]
    expect(GeoJSON.feature(lines, "{\"times\":[[1,2],[3,4]],\"heart\":[[null,90],[91,null]]}"), expected)
    expect(GeoJSON.feature(lines, "{\"times\":[1,2,3,4],\"heart\":[null,90,91]}"), expected)
  }

  @Test("The fourth number of a position is its time, in seconds or milliseconds since 1970")
  func fourthNumbers() {
    let expected = [
      "header", "track", "segment", "point 2 1 2021-05-03T00:00:00Z elevation 5", "point 4 3 elevation 6",
      "point 6 5 2021-05-03T00:00:10Z elevation 7", "point 8 7", "end of segment", "end of track",
    ]
    for positions in [
      "[1,2,5,1620000000],[3,4,6],[5,6,7,1620000010],[7,8]",
      "[1,2,5,1620000000000],[3,4,6],[5,6,7,1620000010000],[7,8]",
    ] {
      let line = "{\"type\":\"LineString\",\"coordinates\":[\(positions)]}"
      let untyped = "{\"coordinates\":[\(positions)],\"type\":\"LineString\"}"
      for geometry in [line, untyped] {
        expect("{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{}}", expected)
        expect("{\"type\":\"Feature\",\"properties\":{},\"geometry\":\(geometry)}", expected)
      }
    }
  }

  @Test("Times in properties precede fourth numbers, and smaller numbers are not times")
  func otherFourthNumbers() {
    let line = "{\"type\":\"LineString\",\"coordinates\":[[1,2,5,1620000000],[3,4,6,1620000010]]}"
    expect(
      GeoJSON.feature(line, "{\"timestamps\":[1,2]}"),
      [
        "header", "track", "segment", "point 2 1 1970-01-01T00:00:01Z elevation 5",
        "point 4 3 1970-01-01T00:00:02Z elevation 6", "end of segment", "end of track",
      ])
    let other = Transcript(
      geojson: GeoJSON.feature(
        "{\"type\":\"LineString\",\"coordinates\":[[1,2,5,17.5],[3,4,6,99999999],[3,4,6,1620000000,1]]}", "{}"
      ))
    #expect(
      other.lines.dropFirst(3).dropLast(2) == [
        "point 2 1 elevation 5", "point 4 3 elevation 6", "point 4 3 2021-05-03T00:00:00Z elevation 6",
      ])
    #expect(other.warnings.map(\.code) == [.notRepresentable] && other.warnings.first?.count == 3)
  }

  /// The times of each line, and the expected second of each point (1 and 2, 3 and 4, 5 and 6).
  static let unevenTimes: [(times: String, seconds: [Int?], warnings: Int)] = [
    ("[null,[3,4],[5,6]]", [nil, nil, 3, 4, 5, 6], 0),
    ("[null,null,[5,6]]", [nil, nil, nil, nil, 5, 6], 0),
    ("[[1,null],null,[null,6]]", [1, nil, nil, nil, nil, 6], 0),
    ("[[1,2],[],[5,6]]", [1, 2, nil, nil, 5, 6], 1),
    ("[[1],[3,4]]", [1, nil, 3, 4, nil, nil], 1),
    ("[[1,2,9],[3],[5,6]]", [1, 2, 3, nil, 5, 6], 2),
    ("[[1,2],[3,4],[5,6],[7]]", [1, 2, 3, 4, 5, 6], 1),
    ("[1,[3,4],5]", [1, nil, 3, 4, 5, nil], 1),
    ("[null,null,null]", [nil, nil, nil, nil, nil, nil], 0),
  ]

  @Test("A line with too few times or none does not use those of another line", arguments: unevenTimes)
  func timesOfUnevenLines(_ times: String, seconds: [Int?], warnings: Int) {
    let lines =
      "{\"type\":\"MultiLineString\",\"coordinates\":[[[0,1],[0,2]],[[0,3],[0,4]],[[0,5],[0,6]]]}"
    let points = seconds.enumerated().map { index, second in
      "point \(index + 1) 0" + (second.map { " 1970-01-01T00:00:0\($0)Z" } ?? "")
    }
    let sensors = seconds.enumerated().map { index, value in
      "point \(index + 1) 0" + (value.map { " heartRate \($0)" } ?? "")
    }
    for key in ["\"coordTimes\":\(times)", "\"coordinateProperties\":{\"times\":\(times)}"] {
      let streamed = Transcript(geojson: GeoJSON.feature(lines, "{\(key)}"))
      #expect(streamed.points == points)
      #expect(streamed.warnings.count == warnings)
      let held = Transcript(
        geojson: "{\"type\":\"Feature\",\"geometry\":\(lines),\"properties\":{\(key)}}")
      #expect(held.points == points)
      #expect(held.warnings.count == warnings)
    }
    let heart = "{\"coordinateProperties\":{\"heart\":\(times)}}"
    #expect(Transcript(geojson: GeoJSON.feature(lines, heart)).points == sensors)
  }

  @Test("If all point times are null, the Feature's time is kept")
  func timesOfNothing() {
    let text = GeoJSON.feature(
      Self.threePoints, "{\"coordTimes\":[null,null,null],\"time\":\"2024-04-01T06:00:00Z\"}")
    #expect(Transcript(geojson: text).text.contains("2024-04-01T06:00:00Z"))
  }

  @Test("A skipped position also skips its time and its sensor values")
  func alignment() {
    let line = GeoJSON.line("[1,2],[1,92],[3,4]")
    for text in [
      GeoJSON.feature(line, "{\"times\":[1,2,3],\"cads\":[80,81,82]}"),
      "{\"type\":\"Feature\",\"geometry\":\(line),\"properties\":{\"times\":[1,2,3],\"cads\":[80,81,82]}}",
    ] {
      #expect(
        Transcript(geojson: text).points == [
          "point 2 1 1970-01-01T00:00:01Z cadence 80", "point 4 3 1970-01-01T00:00:03Z cadence 82",
        ])
    }
  }

  @Test(
    "Sensors are found by the names that programs use",
    arguments: [
      ("heart", "heartRate"), ("heartRates", "heartRate"), ("heart_rate", "heartRate"),
      ("gpxtpx:hr", "heartRate"),
      ("cads", "cadence"), ("ns3:cad", "cadence"), ("cadences", "cadence"), ("powers", "power"),
      ("watts", "power"),
      ("atemps", "temperature"), ("gpxtpx:atemp", "temperature"), ("wtemps", "waterTemperature"),
      ("speeds", "speed"), ("courses", "course"), ("horizontalAccuracies", "horizontalAccuracy"),
      ("horizontal_accuracy", "horizontalAccuracy"), ("altitudes", "elevation"), ("hdops", "hdop"),
      ("satellites", "satellites"), ("distances", "distance"), ("depths", "depth"), ("bearings", "bearing"),
    ])
  func sensors(_ name: String, _ channel: String) {
    let lines = [
      "header", "track", "segment", "point 2 1 \(channel) 12", "point 4 3 \(channel) 13.5", "point 6 5",
      "end of segment", "end of track",
    ]
    expect(GeoJSON.feature(Self.threePoints, "{\"\(name)\":[12,13.5,null]}"), lines)
    expect(
      GeoJSON.feature(Self.threePoints, "{\"coordinateProperties\":{\"\(name)\":[12,\"13.5\",null]}}"), lines)
  }

  // MARK: Track and waypoint information

  @Test("Properties of a track's Feature become track information")
  func trackInfo() throws {
    let document = try GeoJSON.document(
      GeoJSON.feature(
        Self.threePoints,
        """
        {"name":"Commute","cmt":"c","desc":"d","src":"s","number":7,"type":"driving",
         "links":[{"href":"http://a.b/","text":"t","type":"text/html"},{"href":"http://c.d/"}],
         "stroke":"#ff8000","stroke-opacity":0.5,"stroke-width":3,"_gpxType":"trk",
         "timespan":{"begin":"2024-04-01T06:00:00Z","end":"2024-04-01T07:00:00Z"},
         "laps":[{"startTime":"2024-04-01T06:00:00Z","timerTime":60,"elapsedTime":61.5,"distance":500,"calories":9,"trigger":"Manual"}],
         "coarseness":{"time":60,"position":10}}
        """))
    var expected = TrackInfo(name: "Commute")
    expected.comment = "c"
    expected.description = "d"
    expected.source = "s"
    expected.number = 7
    expected.type = "driving"
    expected.links = [
      TrackLink(address: "http://a.b/", text: "t", mediaType: "text/html"), TrackLink(address: "http://c.d/"),
    ]
    expected.style = LineStyle(color: TrackColor(red: 255, green: 128, blue: 0, alpha: 128), width: 3)
    let start = Instant(microseconds: 1_711_951_200_000_000)
    expected.timeSpan = TimeSpan(begin: start, end: Instant(microseconds: 1_711_954_800_000_000))
    var lap = Lap(start: start)
    lap.timerTime = 60
    lap.elapsedTime = 61.5
    lap.distance = 500
    lap.calories = 9
    lap.trigger = "Manual"
    expected.laps = [lap]
    expected.resolution = Resolution(time: 60, position: 10)
    #expect(document.tracks.first?.info == expected)
  }

  @Test("A Point in Overland's form has a time and measured values")
  func overland() {
    expect(
      GeoJSON.collection(
        GeoJSON.feature(
          "{\"type\":\"Point\",\"coordinates\":[-122.03,37.33]}",
          """
          {"timestamp":"2015-10-01T08:00:00-0700","altitude":41,"speed":4.5,"horizontal_accuracy":30,
           "vertical_accuracy":-1,"course":null,"velocity":"7"}
          """)),
      ["header", "waypoint 37.33 -122.03 2015-10-01T15:00:00Z elevation 41 horizontalAccuracy 30 speed 4.5"])
  }

  @Test("Overland's upload format, Features in `locations`, is read as a collection")
  func overlandBatch() throws {
    func feature(_ longitude: Int, _ second: Int) -> String {
      GeoJSON.feature(
        "{\"type\":\"Point\",\"coordinates\":[\(longitude),48]}",
        "{\"timestamp\":\"2024-05-01T07:00:0\(second)Z\"}")
    }
    for text in [
      "{\"locations\":[\(feature(11, 0)),\(feature(12, 7))]}",
      "{\"locations\":[\(feature(11, 0))]}\n{\"locations\":[\(feature(12, 7))]}",
    ] {
      expect(
        text,
        ["header", "waypoint 48 11 2024-05-01T07:00:00Z", "waypoint 48 12 2024-05-01T07:00:07Z"])
      var input = ByteInput(bytes: Array(text.utf8))
      #expect(try FormatRegistry.standard.detect(&input) == (text.contains("\n") ? .geojsonseq : .geojson))
    }
    // Google's `locations` are not Features, and in a FeatureCollection the member has no meaning.
    var google = ByteInput(bytes: Array("{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2}]}".utf8))
    #expect(try FormatRegistry.standard.detect(&google) == .timeline)
    let collection = "{\"type\":\"FeatureCollection\",\"locations\":[1],\"features\":[\(feature(11, 0))]}"
    #expect(Transcript(geojson: collection).lines.contains("waypoint 48 11 2024-05-01T07:00:00Z"))
  }

  @Test("A waypoint keeps its name, symbol and links")
  func waypointDetails() {
    expect(
      GeoJSON.feature(
        "{\"type\":\"Point\",\"coordinates\":[1,2]}",
        "{\"title\":\"Home\",\"description\":\"d\",\"marker-symbol\":\"home\",\"link\":\"http://a.b/\",\"time\":1.5}"
      ),
      [
        "header", "waypoint 2 1 1970-01-01T00:00:01.500Z", "  name \"Home\"", "  description \"d\"",
        "  link \"http://a.b/\"", "  symbol \"home\"",
      ])
  }

  @Test("Unknown members are kept as an extension")
  func unknown() {
    expect(
      GeoJSON.collection(
        "{\"type\":\"Feature\",\"id\":\"a7\",\"properties\":{\"motion\":[\"driving\"],\"lanes\": 2 ,\"speed\":50},"
          + "\"geometry\":\(GeoJSON.line("[1,2],[3,4]"))}"),
      [
        "header", "track", "  extension {urn:ietf:rfc:7946}properties",
        "    text \"{\\\"speed\\\":50,\\\"motion\\\":[\\\"driving\\\"],\\\"lanes\\\":2}\"",
        "  extension {urn:ietf:rfc:7946}members", "    text \"{\\\"id\\\":\\\"a7\\\"}\"", "segment",
        "point 2 1",
        "point 4 3", "end of segment", "end of track",
      ])
  }

  @Test("Members of a Feature after its line are delivered as late information")
  func lateMembers() {
    expect(
      "{\"type\":\"Feature\",\"properties\":{},\"geometry\":\(GeoJSON.line("[1,2],[3,4]")),\"id\":7}",
      [
        "header", "track", "segment", "point 2 1", "point 4 3", "end of segment",
        "late, about the innermost container", "  extension {urn:ietf:rfc:7946}members",
        "    text \"{\\\"id\\\":7}\"",
        "end of track",
      ])
  }

  // MARK: Files

  @Test("Members of a collection are read before or after its features")
  func fileInfo() {
    let members =
      "\"name\":\"n\",\"description\":\"d\",\"creator\":\"c\",\"author\":{\"name\":\"a\",\"email\":\"a@b.c\"},"
      + "\"copyright\":{\"author\":\"x\",\"year\":\"2024\"},\"links\":[{\"href\":\"h\"}],"
      + "\"time\":\"2024-04-01T06:00:00Z\",\"keywords\":\"k\",\"bbox\":[1,2,3,4],\"version\":2"
    let info = [
      "  creator \"c\"", "  name \"n\"", "  description \"d\"", "  author \"a\"",
      "  author's email \"a@b.c\"",
      "  copyright \"x\"", "  year \"2024\"", "  link \"h\"", "  time 2024-04-01T06:00:00Z",
      "  keywords \"k\"",
      "  extension {urn:ietf:rfc:7946}members", "    text \"{\\\"version\\\":2}\"",
    ]
    expect("{\"type\":\"FeatureCollection\",\(members),\"features\":[]}", ["header"] + info)
    expect(
      "{\"type\":\"FeatureCollection\",\"features\":[],\(members)}",
      ["header", "late, about the file"] + info)
  }

  @Test("Objects that only resemble GeoJSON are ignored")
  func lookalikes() {
    let feature =
      "{\"geometry\":\(GeoJSON.line("[1,2],[3,4]")),\"other\":{\"type\":\"Feature\",\"geometry\":null},"
      + "\"properties\":{\"geometry\":{\"coordinates\":[0,0]},\"type\":\"Point\"},\"type\":\"Feature\"}"
    let lines = Transcript(geojson: "{\"features\":[\(feature)],\"type\":\"FeatureCollection\"}").lines
    #expect(lines.filter { $0.hasPrefix("point") || $0.hasPrefix("way") } == ["point 2 1", "point 4 3"])
    #expect(lines.contains("  type \"Point\""))
  }

  @Test(
    "A sequence of texts is read as one file, separated by line feeds or record separators",
    arguments: ["", "\u{1E}"], ["\n", "\r\n", " "])
  func sequences(_ before: String, _ behind: String) {
    let text = [
      GeoJSON.feature(GeoJSON.line("[1,2],[3,4]")), "{\"type\":\"Point\",\"coordinates\":[5,6]}",
      GeoJSON.collection(GeoJSON.feature("{\"type\":\"Point\",\"coordinates\":[7,8]}")),
    ].map { before + $0 + behind }.joined()
    expect(
      text,
      [
        "header", "track", "segment", "point 2 1", "point 4 3", "end of segment", "end of track",
        "waypoint 6 5",
        "waypoint 8 7",
      ])
  }

  @Test("UTF-16 and a byte order mark do not affect the result")
  func encodings() {
    let text = GeoJSON.feature("{\"type\":\"Point\",\"coordinates\":[8.5,47.5]}", "{\"name\":\"Zürich 🚗\"}")
    let expected = ["header", "waypoint 47.5 8.5", "  name \"Zürich 🚗\""]
    let all = [
      Array("\u{FEFF}\(text)".utf8), Sample.utf16(text, isBig: false), Sample.utf16(text, isBig: true),
      Sample.utf16(text, isBig: false, hasMark: false),
    ]
    for bytes in all {
      for chunk in [1, 7, 4096] { #expect(Transcript(geojson: bytes, chunk: chunk).lines == expected) }
    }
  }

  // MARK: Recognition

  @Test(
    "GeoJSON is detected by its content",
    arguments: [
      (GeoJSON.collection(), "geojson"), (GeoJSON.line("[1,2],[3,4]"), "geojson"),
      ("{\"features\":[", "geojson"), ("{\"geometry\":null}", "geojson"),
      ("\u{1E}{\"type\":\"Feature\"", "geojsonseq"),
      ("{\"type\":\"Feature\",\"geometry\":null}\n{\"type\":\"Feature\"", "geojsonseq"),
      ("\u{FEFF}{\"type\":\"Point\"}", "geojson"),
      ("{\"type\":\"Point\"}\n\n", "geojson"),
    ])
  func recognition(_ text: String, _ format: String) throws {
    var input = ByteInput(bytes: Array(text.utf8))
    #expect(try FormatRegistry.standard.detect(&input).name == format)
  }

  @Test(
    "Other JSON is not detected as GeoJSON",
    arguments: ["{\"a\":1}", "[1,2]", "{\"type\":\"x\"}", "{"])
  func otherJSON(_ text: String) {
    var input = ByteInput(bytes: Array(text.utf8))
    let format = try? FormatRegistry.standard.detect(&input)
    #expect(format != .geojson && format != .geojsonseq)
  }

  @Test("At most 1,000 arrays of other position values are read")
  func manyExtras() throws {
    let arrays = (0..<1200).map { "\"x\($0)\":[1,2]" }.joined(separator: ",")
    let source =
      "{\"type\":\"Feature\",\"properties\":{\"coordinateProperties\":{\(arrays)}},"
      + #""geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}"#
    var reader = GeoJSONReader(ByteInput(bytes: Array(source.utf8)))
    let document = try TrackDocument(reading: &reader)
    let names = document.tracks[0].segments[0].points.details.first?.details.extraValues?.names
    #expect(names?.count == 1000)
    #expect(names?.last?.name == "x999")
    #expect(reader.warnings.map(\.count) == [200])
  }

  @Test("Unknown members beyond the limit on memory are skipped with one warning, in any object")
  func keptSize() throws {
    let text = String(repeating: "x", count: 100)
    let members = (0..<100).map { "\"key\($0)\":\"\(text)\"" }.joined(separator: ",")
    let line = #""geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
    var options = ReadingOptions()
    options.limits.keptSize = 4 << 10
    for source in [
      "{\"type\":\"Feature\",\"properties\":{\(members)},\(line)}",
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\(members),\(line)}]}",
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\(line)}],\(members)}",
    ] {
      var reader = GeoJSONReader(ByteInput(bytes: Array(source.utf8)), options: options)
      let transcript = Transcript(reading: &reader)
      #expect(transcript.text.contains("key0") && !transcript.text.contains("key99"))
      let warning = try #require(reader.warnings.first)
      #expect(warning.message == "more than 4 KiB of unknown members in one object, the rest skipped")
      // From 100 bytes per member to 240 with the estimate of the memory for an entry.
      #expect((60...83).contains(warning.count), "\(warning.count)")
      #expect(reader.warnings.count == 1)
    }
  }
}
