import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests the exact output and the counted losses.
@Suite("KML writer")
struct KMLWriterTests {
  private static let second: Int64 = 1_000_000
  /// 2024-05-01T10:00:00Z.
  private static let start: Int64 = 1_714_557_600 * second

  private func columns(_ times: [Int?], elevation: Double? = nil, heartRates: [Double?] = []) -> PointColumns
  {
    var result = PointColumns()
    for (row, time) in times.enumerated() {
      var values: [Channel: Double] = [:]
      values[.elevation] = elevation
      if row < heartRates.count { values[.heartRate] = heartRates[row] }
      result.append(
        Coordinate(latitude: 47 + Double(row) / 8, longitude: 8),
        time: time.map {
          Instant(microseconds: Self.start + Int64($0) * Self.second)
        }, values: values)
    }
    return result
  }

  private func document(_ segments: [PointColumns], info: TrackInfo = TrackInfo()) -> TrackDocument {
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(info: info, segments: segments.map { TrackDocument.Segment(points: $0) })
    ]
    return document
  }

  /// The lines between the declarations and the end.
  private func body(_ text: String) -> [String] {
    text.split(separator: "\n").dropFirst(3).dropLast(2).map { $0.trimmingBlanks() }
  }

  @Test("A track without times is a line, and several segments are lines in a collection")
  func lines() throws {
    #expect(
      body(try KMLTesting.text(document([columns([nil, nil], elevation: 5)]))) == [
        "<Placemark>", "<LineString><altitudeMode>absolute</altitudeMode><coordinates>", "8,47,5",
        "8,47.125,5",
        "</coordinates></LineString>", "</Placemark>",
      ])
    #expect(
      body(try KMLTesting.text(document([columns([nil]), PointColumns()]))) == [
        "<Placemark>", "<MultiGeometry>", "<LineString><tessellate>1</tessellate><coordinates>", "8,47",
        "</coordinates></LineString>", "<LineString><tessellate>1</tessellate><coordinates>",
        "</coordinates></LineString>", "</MultiGeometry>", "</Placemark>",
      ])
  }

  @Test("A track has its times before its positions and its sensor values after them, declared in a schema")
  func track() throws {
    let text = try KMLTesting.text(document([columns([0, 1], elevation: 400.5, heartRates: [120, nil])]))
    #expect(
      body(text) == [
        "<Schema id=\"schema\">",
        "<gx:SimpleArrayField name=\"heartrate\" type=\"float\"><displayName>Heart rate (bpm)</displayName></gx:SimpleArrayField>",
        "</Schema>", "<Placemark>", "<gx:Track><altitudeMode>absolute</altitudeMode>",
        "<when>2024-05-01T10:00:00Z</when>", "<when>2024-05-01T10:00:01Z</when>",
        "<gx:coord>8 47 400.5</gx:coord>", "<gx:coord>8 47.125 400.5</gx:coord>", "<ExtendedData>",
        "<SchemaData schemaUrl=\"#schema\">", "<gx:SimpleArrayData name=\"heartrate\">",
        "<gx:value>120</gx:value>",
        "<gx:value/>", "</gx:SimpleArrayData>", "</SchemaData>", "</ExtendedData>", "</gx:Track>",
        "</Placemark>",
      ])
  }

  @Test("Segments of a track with times are a multiple track, and a segment without any time has no when")
  func multiTrack() throws {
    #expect(
      body(try KMLTesting.text(document([columns([0]), columns([nil])]))) == [
        "<Placemark>", "<gx:MultiTrack>", "<gx:Track>", "<when>2024-05-01T10:00:00Z</when>",
        "<gx:coord>8 47</gx:coord>", "</gx:Track>", "<gx:Track>", "<gx:coord>8 47</gx:coord>", "</gx:Track>",
        "</gx:MultiTrack>", "</Placemark>",
      ])
  }

  @Test("Missing times are interpolated, marked, counted, and omitted when read")
  func missingTimes() throws {
    let original = document([columns([nil, 0, nil, nil, 3, nil])])
    let (bytes, losses) = try KMLTesting.kml(original)
    let text = String(decoding: bytes, as: UTF8.self)
    let whens = body(text).filter { $0.hasPrefix("<when>") }.map { $0.dropFirst(23).prefix(2) }
    #expect(whens == ["00", "00", "01", "02", "03", "03"])
    let marks = body(text).filter { $0.hasPrefix("<gx:value>") }.map { $0.dropFirst(10).prefix(1) }
    #expect(marks == ["1", "0", "1", "1", "0", "1"])
    #expect(losses.text == "4 missing times (filled in and marked)")
    #expect(try KMLTesting.document(bytes).tracks == original.tracks)
  }

  @Test("Plain lines are added for other programs, and not read as separate tracks")
  func plainLines() throws {
    let original = document([columns([0, 1])], info: TrackInfo(name: "n"))
    let (bytes, _) = try KMLTesting.kml(original, addsPlainLines: true)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.ranges(of: "<Placemark>").count == 2)
    #expect(text.ranges(of: "<LineString>").count == 1)
    #expect(text.ranges(of: "<name>n</name>").count == 2)
    let transcript = Transcript(kml: bytes)
    #expect(transcript.warnings == [])
    #expect(try KMLTesting.document(bytes).tracks == original.tracks)
    // A track that is a line already needs no additional one.
    let line = try KMLTesting.text(document([columns([nil, nil])]), addsPlainLines: true)
    #expect(line.ranges(of: "<Placemark>").count == 1)
  }

  @Test("A route is a line that is marked as a route")
  func route() throws {
    var original = TrackDocument()
    original.routes = [TrackDocument.Route(info: TrackInfo(name: "r"), points: columns([nil, nil]))]
    let (bytes, losses) = try KMLTesting.kml(original)
    #expect(losses.isEmpty)
    #expect(
      body(String(decoding: bytes, as: UTF8.self)).contains(
        "<ExtendedData><Data name=\"ghost-convert:kind\"><value>route</value></Data></ExtendedData>"))
    let read = try KMLTesting.document(bytes)
    #expect(read.routes == original.routes && read.tracks == [])
  }

  @Test("All information about a track is read back")
  func info() throws {
    var info = TrackInfo(name: "n & m")
    info.comment = "c"
    info.description = "<b>d</b>"
    info.source = "s"
    info.type = "t"
    info.number = -3
    info.links = [
      TrackLink(address: "http://a.b/?c&d", text: "e", mediaType: "text/html"),
      TrackLink(address: "http://f.g/", text: "h"),
    ]
    info.style = LineStyle(color: TrackColor(red: 1, green: 2, blue: 3, alpha: 4), width: 2.5)
    info.timeSpan = TimeSpan(
      begin: Instant(microseconds: Self.start), end: Instant(microseconds: Self.start + 5))
    info.extensions = [ExtensionElement(namespace: "urn:x", prefix: "x", name: "y", text: "z")]
    let original = document([columns([nil])], info: info)
    let (bytes, losses) = try KMLTesting.kml(original)
    #expect(losses.isEmpty)
    #expect(try KMLTesting.document(bytes).tracks == original.tracks)
    #expect(String(decoding: bytes, as: UTF8.self).contains("<color>04030201</color><width>2.5</width>"))
  }

  @Test("Late information about a track is written at the correct position")
  func lateInfo() throws {
    let text = KMLTesting.file(
      """
      <Placemark><LineString><coordinates>1,2</coordinates></LineString><name>late</name>
      <TimeSpan><begin>2024</begin></TimeSpan></Placemark>
      """)
    let output = String(decoding: try KMLTesting.rewritten(Array(text.utf8)), as: UTF8.self)
    #expect(
      body(output).prefix(3) == [
        "<Placemark>", "<name>late</name>", "<TimeSpan><begin>2024-01-01T00:00:00Z</begin></TimeSpan>",
      ])
  }

  @Test("Information about a file after its tracks is inserted before them")
  func lateFileInfo() throws {
    var writer = KMLWriter(ByteSink())
    let empty = PointBatch(capacity: 1)
    var header = FileInfo()
    header.description = "d"
    try writer.write(.header(header), empty)
    try writer.write(.beginTrack(TrackInfo()), empty)
    try writer.write(.beginSegment, empty)
    try writer.write(.endSegment, empty)
    try writer.write(.endTrack, empty)
    var late = FileInfo()
    late.name = "n"
    late.keywords = "k"
    late.description = "another"
    late.extensions = [ExtensionElement(namespace: "urn:x", prefix: "x", name: "y", text: "z")]
    try writer.write(.annotation(.file(late)), empty)
    var batch = PointBatch(capacity: 1)
    batch.append(latitude: 1, longitude: 2, time: 0)
    batch.set(.power, 7)
    try writer.write(.beginTrack(TrackInfo()), empty)
    try writer.write(.beginSegment, empty)
    try writer.write(.points, batch)
    try writer.write(.endSegment, empty)
    try writer.write(.endTrack, empty)
    try writer.finish()
    let lines = body(String(decoding: writer.bytes, as: UTF8.self))
    #expect(
      lines.prefix(6) == [
        "<name>n</name>", "<description>d</description>",
        "<ExtendedData><Data name=\"keywords\"><value>k</value></Data><x:y xmlns:x=\"urn:x\">z</x:y></ExtendedData>",
        "<Schema id=\"schema2\">",
        "<gx:SimpleArrayField name=\"power\" type=\"float\"><displayName>Power (W)</displayName></gx:SimpleArrayField>",
        "</Schema>",
      ])
    #expect(lines.contains("<SchemaData schemaUrl=\"#schema2\">"))
    #expect(writer.losses.text == "1 name or author of files after the first")
    let read = try KMLTesting.document(writer.bytes)
    #expect(read.tracks.count == 2 && read.info.name == "n" && read.info.keywords == "k")
    #expect(read.tracks.last?.segments.first?.points.value(.power, at: 0) == 7)
  }

  @Test("Content that KML cannot represent is counted")
  func losses() throws {
    var details = PointDetails(name: "n")
    details.symbol = "Flag"
    details.description = "d"
    details.fix = "3d"
    details.links = [TrackLink(address: "x")]
    details.extensions = [ExtensionElement(namespace: nil, prefix: nil, name: "e", text: "")]
    var points = PointColumns()
    points.append(Coordinate(latitude: 1, longitude: 2), details: details)
    points.append(
      Coordinate(latitude: 1, longitude: 2), time: Instant(microseconds: 253_402_300_800_000_000))
    var info = TrackInfo()
    info.laps = [Lap(), Lap()]
    info.resolution = Resolution(time: 60)
    var document = document([points], info: info)
    document.tracks[0].segments[0].extensions = details.extensions
    document.tracks.append(TrackDocument.Track())
    document.routes = [TrackDocument.Route(points: points)]
    let (bytes, losses) = try KMLTesting.kml(document)
    #expect(
      losses.text == """
        2 laps, 1 note on how coarse a track is, 2 times before year 1 or after 9999, 1 name of routepoints, \
        1 description of routepoints, 1 link of routepoints, 1 symbol of routepoints, \
        1 kind of fix of routepoints, 1 extension of routepoints, 1 name of trackpoints, \
        1 description of trackpoints, 1 link of trackpoints, 1 symbol of trackpoints, \
        1 kind of fix of trackpoints, 1 extension of trackpoints, 1 extension of segments without times, \
        1 track without a segment
        """)
    let read = try KMLTesting.document(bytes)
    #expect(read.tracks.count == 1 && read.routes.count == 1)
  }

  @Test("Longitude 180 is written unchanged, and no number has an exponent or is minus zero")
  func numbers() throws {
    var points = PointColumns()
    points.append(Coordinate(latitude: -0.0, longitude: 180), values: [.elevation: 1e-7])
    points.append(Coordinate(latitude: 1e-7, longitude: -180))
    let text = try KMLTesting.text(document([points]))
    #expect(body(text).contains("180,0,0.0000001") && body(text).contains("-180,0.0000001"))
  }

  @Test("A symbol's name is kept as data, a symbol's address as an icon")
  func symbols() throws {
    for (symbol, isIcon) in [("Flag, Blue", false), ("http://a.b/c.svg", true), ("files/pin.PNG", true)] {
      var document = TrackDocument()
      document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2))]
      document.waypoints[0].details.symbol = symbol
      let (bytes, losses) = try KMLTesting.kml(document)
      #expect(losses.isEmpty)
      #expect(
        String(decoding: bytes, as: UTF8.self).contains("<Icon><href>\(symbol)</href></Icon>") == isIcon)
      #expect(try KMLTesting.document(bytes).waypoints == document.waypoints)
    }
  }

  @Test("Ten times the segments take about ten times as long")
  func manySegments() throws {
    func time(_ count: Int) throws -> Duration {
      let document = self.document(Array(repeating: columns([nil]), count: count))
      return try processorTime { _ = try KMLTesting.kml(document) }
    }
    // It would be a hundred times if each segment traversed all of them.
    #expect(try time(20_000) < time(2_000) * 40)
  }

  @Test(
    "Links that run a script are omitted and counted",
    arguments: [
      "javascript:alert(1)", " JavaScript:alert(1)", "java\tscript:alert(1)", "vbscript:x",
      "data:image/svg+xml,<svg onload=x>",
      "data:text/html,<script>alert(1)</script>",
    ])
  func scripts(address: String) throws {
    let script = TrackLink(address: address, text: "here")
    var document = self.document([columns([0])], info: TrackInfo(name: "n"))
    document.info.links = [script, TrackLink(address: "https://example.org/a")]
    document.info.author = Person(name: "x", link: script)
    document.tracks[0].info.links = [TrackLink(address: "https://example.org/b"), script]
    var details = PointDetails(name: "w")
    details.links = [script]
    details.symbol = "javascript://a.png"
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2), details: details)]
    let (bytes, losses) = try KMLTesting.kml(document)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("alert(1)") && !text.contains("vbscript") && !text.contains("<href>"))
    #expect(text.contains("https://example.org/a") && text.contains("https://example.org/b"))
    #expect(losses.losses.first { $0.what == "links that run a script" }?.count == 4)
  }
}

extension Substring {
  fileprivate func trimmingBlanks() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
