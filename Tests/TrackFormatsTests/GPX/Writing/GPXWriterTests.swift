import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@Suite("GPX writer")
struct GPXWriterTests {
  private func text(_ document: TrackDocument) throws -> String {
    String(decoding: try Conversion.gpx(document).bytes, as: UTF8.self)
  }

  private func document(_ coordinates: Coordinate...) -> TrackDocument {
    var points = PointColumns()
    for coordinate in coordinates { points.append(coordinate) }
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: points)])]
    return document
  }

  @Test("A time span and a lap that the points imply are not a loss")
  func wholeTimes() throws {
    func losses(_ info: TrackInfo) throws -> [String: Int] {
      var points = PointColumns()
      for second in [10, 20, 70] as [Int64] {
        points.append(Coordinate(latitude: 1, longitude: 2), time: Instant(microseconds: second * 1_000_000))
      }
      var document = TrackDocument()
      document.tracks = [TrackDocument.Track(info: info, segments: [TrackDocument.Segment(points: points)])]
      var reader = TrackDocumentReader(document)
      var writer = GPXWriter(ByteSink())
      try Conversion.copy(&reader, to: &writer, capacity: 2)
      return writer.losses.losses.reduce(into: [:]) { $0[$1.what] = $1.count }
    }
    var info = TrackInfo()
    var lap = Lap(start: Instant(microseconds: 10_000_000))
    lap.elapsedTime = 60.5
    info.laps = [lap]
    info.timeSpan = TimeSpan(begin: lap.start, end: Instant(microseconds: 71_000_000))
    #expect(try losses(info).isEmpty)
    info.timeSpan?.end = Instant(microseconds: 71_000_001)
    #expect(try losses(info) == ["spans of time of whole tracks": 1])
    info.timeSpan = nil
    info.laps[0].calories = 20
    #expect(try losses(info) == ["calorie counts of laps": 1])
    info.laps[0].elapsedTime = 61.5
    #expect(try losses(info) == ["laps": 1])
    info.laps = [lap, lap]
    #expect(try losses(info) == ["laps": 2])
  }

  @Test("An empty document is a complete file")
  func empty() throws {
    #expect(
      try text(TrackDocument()) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="ghost-convert" xmlns="http://www.topografix.com/GPX/1/1">
        </gpx>

        """)
    var writer = GPXWriter(ByteSink())
    try writer.finish()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == (try text(TrackDocument())))
  }

  @Test("The children of a point are in the order of the schema")
  func orderOfChildren() throws {
    let input = Sample.segment(
      """
      <trkpt lat="1" lon="2"><extensions><power>9</power><hr>8</hr></extensions><dgpsid>7</dgpsid>
      <ageofdgpsdata>6</ageofdgpsdata><pdop>5</pdop><vdop>4</vdop><hdop>3</hdop><sat>2</sat><fix>3d</fix>
      <type>t</type><sym>y</sym><link href="l"/><src>s</src><desc>d</desc><cmt>c</cmt><name>n</name>
      <geoidheight>1</geoidheight><magvar>0</magvar><time>2024-05-01T10:00:00Z</time><ele>-1</ele></trkpt>
      """)
    let names = try Conversion.rewritten(input).matches(of: /<([a-zA-Z:]+)[ >]/).map { String($0.1) }
    #expect(
      names.drop { $0 != "trkpt" } == [
        "trkpt", "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type",
        "fix",
        "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions", "gpxtpx:TrackPointExtension",
        "gpxtpx:hr", "pwr:PowerInWatts",
      ])
  }

  @Test(
    "Numbers are fixed-point, never with an exponent",
    arguments: [
      (1e-7, "0.0000001"), (1e-10, "0.0000000001"), (-1e-7, "-0.0000001"),
      (Double.leastNonzeroMagnitude, "0.000"), (0.1 + 0.2, "0.30000000000000004"),
      (-0.0, "0"), (89.99999999999999, "89.99999999999999"), (45, "45"), (12.5, "12.5"),
    ])
  func fixedPoint(_ value: Double, _ expected: String) throws {
    let output = try text(document(Coordinate(latitude: value, longitude: 0)))
    #expect(output.contains("lat=\"\(expected)"))
    let written = try #require(output.firstMatch(of: /lat="([^"]*)"/)).1
    #expect(!written.lowercased().contains("e"))
    #expect(Double(written) == value)
  }

  @Test("Longitude 180 is written as -180, which the schema allows")
  func meridian() throws {
    let output = try text(
      document(Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: 0, longitude: -180)))
    #expect(output.matches(of: /lon="-180"/).count == 2)
    #expect(!output.contains("\"180\""))
  }

  @Test("Numbers keep the digits with which they were read", arguments: 0...9)
  func digits(_ decimals: Int) throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    var texts: [(latitude: String, longitude: String, elevation: String)] = []
    func decimal(below bound: Int) -> String {
      var fraction = (0..<decimals).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      // Trailing zeros are not kept.
      if !fraction.isEmpty {
        fraction = fraction.dropLast() + String(Int.random(in: 1...9, using: &generator))
      }
      let whole = Int.random(in: 0..<bound, using: &generator)
      let sign = Bool.random(using: &generator) && (whole > 0 || !fraction.isEmpty) ? "-" : ""
      return sign + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }
    for _ in 0..<100 { texts.append((decimal(below: 90), decimal(below: 180), decimal(below: 9000))) }
    let input = texts.map {
      "<trkpt lat=\"\($0.latitude)\" lon=\"\($0.longitude)\"><ele>\($0.elevation)</ele></trkpt>"
    }
    let output = try Conversion.rewritten(Sample.segment(input.joined()))
    let points = output.matches(of: /<trkpt.*<\/trkpt>/).map { String($0.0) }
    #expect(points == input, "seed \(seed)")
  }

  @Test(
    "Times are UTC, with a fraction only if needed",
    arguments: [
      ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"), ("2024-05-01T10:00:00.000Z", "2024-05-01T10:00:00Z"),
      ("2024-05-01T10:00:00.5Z", "2024-05-01T10:00:00.500Z"),
      ("2024-05-01T10:00:00.123Z", "2024-05-01T10:00:00.123Z"),
      ("2024-05-01T10:00:00.123456Z", "2024-05-01T10:00:00.123456Z"),
      ("2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00Z"),
      ("1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.250Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
  func times(_ input: String, _ expected: String) throws {
    let output = try Conversion.rewritten(
      Sample.segment("<trkpt lat=\"1\" lon=\"2\"><time>\(input)</time></trkpt>"))
    #expect(output.contains("<time>\(expected)</time>"))
  }

  @Test("Late waypoints and routes are written before the tracks, in their order")
  func lateContainers() throws {
    let input = Sample.gpx(
      """
      <trk><name>T1</name><trkseg><trkpt lat="1" lon="1"/></trkseg></trk><rte><name>R1</name><rtept lat="2" lon="2"/></rte>
      <wpt lat="3" lon="3"><name>W1</name></wpt><trk><name>T2</name></trk><wpt lat="4" lon="4"><name>W2</name></wpt>
      <rte><name>R2</name></rte>
      """)
    let output = try Conversion.rewritten(input)
    let names = output.matches(of: /<name>(\w+)</).map { String($0.1) }
    #expect(names == ["W1", "W2", "R1", "R2", "T1", "T2"])
    let transcript = Transcript(gpx: output)
    #expect(transcript.error == nil && transcript.violations == [])
    let starts = transcript.points.map { $0.prefix(12) }
    #expect(starts == ["waypoint 3 3", "waypoint 4 4", "point 2 2", "point 1 1"])
  }

  @Test("Waypoints after a route and before the tracks are written before the route")
  func lateWaypoints() throws {
    let input = Sample.gpx(
      "<rte><name>R</name></rte><wpt lat=\"1\" lon=\"1\"><name>W</name></wpt><trk><name>T</name></trk>")
    let names = try Conversion.rewritten(input).matches(of: /<name>(\w+)</).map { String($0.1) }
    #expect(names == ["W", "R", "T"])
  }

  @Test("A namespace is declared once, at the root, with the file's prefix")
  func namespaceOnce() throws {
    let input = """
      <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:q="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"
       xmlns:x="urn:x" xmlns:also="urn:x"><trk><extensions><x:a/></extensions><trkseg>
      <trkpt lat="1" lon="1"><extensions><q:TrackPointExtension><q:hr>99</q:hr></q:TrackPointExtension><also:b/></extensions></trkpt>
      </trkseg></trk></gpx>
      """
    let output = try Conversion.rewritten(input)
    #expect(output.matches(of: /TrackPointExtension\/v2"/).count == 1)
    #expect(output.matches(of: /"urn:x"/).count == 1)
    #expect(output.contains("<q:hr>99</q:hr>"))
    #expect(output.contains("<x:a/>") && output.contains("<x:b/>"))
  }

  @Test("Conflicting prefixes are made unique")
  func prefixConflicts() throws {
    var document = document(Coordinate(latitude: 1, longitude: 1))
    document.info.namespaces = [
      NamespaceDeclaration(prefix: "gpxtpx", uri: "urn:a"), NamespaceDeclaration(prefix: "a", uri: "urn:b"),
      NamespaceDeclaration(prefix: "a", uri: "urn:c"), NamespaceDeclaration(prefix: "xml", uri: "urn:d"),
      NamespaceDeclaration(prefix: "1 2", uri: "urn:e"),
    ]
    var points = PointColumns()
    var details = PointDetails()
    details.extensions = [
      ExtensionElement(
        namespace: "urn:new", prefix: "a", name: "e",
        attributes: [.init(namespace: "urn:c", prefix: "zz", name: "k", value: "v")],
        content: [.element(ExtensionElement(namespace: "urn:newer", prefix: "a", name: "f"))]),
      ExtensionElement(namespace: "urn:a", prefix: "other", name: "g"),
    ]
    points.append(Coordinate(latitude: 1, longitude: 2), values: [.heartRate: 100], details: details)
    document.tracks[0].segments[0].points = points
    let output = try Conversion.gpx(document).bytes
    let transcript = Transcript(gpx: output)
    #expect(
      transcript.points == [
        """
        point 1 2 heartRate 100
          extension {urn:new}e {urn:c}k="v"
            extension {urn:newer}f
          extension {urn:a}g
        """
      ])
    #expect(transcript.warnings == [] && transcript.error == nil)
    let read = try Conversion.document(output)
    #expect(
      Set(read.info.namespaces.map(\.uri)).isSuperset(of: ["urn:a", "urn:b", "urn:c", "urn:d", "urn:e"]))
  }

  @Test("Channels that only later points have are written too")
  func lateChannels() throws {
    var points = PointColumns()
    points.append(Coordinate(latitude: 1, longitude: 1))
    for index in 0..<100 { points.append(Coordinate(latitude: 1, longitude: Double(index))) }
    points.append(
      Coordinate(latitude: 2, longitude: 2),
      values: [
        .heartRate: 120, .speed: 3.5, .power: 200, .distance: 7, .horizontalAccuracy: 4, .verticalAccuracy: 5,
      ])
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: points)])]
    let transcript = Transcript(gpx: try Conversion.gpx(document, capacity: 10).bytes)
    #expect(
      transcript.points.last
        == "point 2 2 horizontalAccuracy 4 verticalAccuracy 5 speed 3.5 heartRate 120 power 200 distance 7")
  }

  @Test("Content that GPX cannot represent is omitted and counted")
  func losses() throws {
    var document = document(Coordinate(latitude: 1, longitude: 1))
    document.info.author = Person(name: "A", email: "no address")
    document.info.copyright = Copyright(author: "C", year: "last year")
    document.tracks[0].info.number = -1
    var details = PointDetails()
    details.fix = "magic"
    details.differentialStation = 1024
    var points = PointColumns()
    points.append(
      Coordinate(latitude: 1, longitude: 2), time: Instant(microseconds: 253_402_300_800_000_000),
      values: [.heartRate: 256, .cadence: -1, .power: 1e6, .satellites: -3], details: details)
    points.append(Coordinate(latitude: 1, longitude: 2), values: [.heartRate: 99.6, .power: 199.5])
    document.tracks[0].segments[0].points = points
    let (bytes, losses) = try Conversion.gpx(document)
    #expect(Transcript(gpx: bytes).points == ["point 1 2", "point 1 2 heartRate 100 power 200"])
    // Ten losses: address, year, number, time, two sensors, power, satellites, fix, station; and two
    // roundings.
    #expect(losses.losses.reduce(0) { $0 + $1.count } == 12)
  }

  @Test("Late information about a file is inserted at the correct position")
  func lateInformation() throws {
    var reader = GPXReader(ByteInput(bytes: Array(Sample.structure.utf8)))
    var writer = GPXWriter(ByteSink())
    try Conversion.copy(&reader, to: &writer)
    #expect(writer.losses.isEmpty)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="structure" xmlns="http://www.topografix.com/GPX/1/1" xmlns:y="urn:y">
         <metadata><name>late file</name></metadata>
         <wpt lat="4" lon="4"></wpt>
         <rte>
         </rte>
         <rte><name>r</name><desc>late route</desc>
           <rtept lat="3" lon="3"><name>turn</name></rtept>
         </rte>
         <trk>
         </trk>
         <trk>
          <trkseg>
          </trkseg>
         </trk>
         <trk><name>late</name><extensions><y:t a="1"/></extensions>
          <trkseg>
           <trkpt lat="1" lon="1"/>
           <trkpt lat="2" lon="2"/>
           <extensions><y:s>seg</y:s></extensions>
          </trkseg>
          <trkseg>
          </trkseg>
         </trk>
         <extensions><y:f><y:g>deep</y:g></y:f></extensions>
        </gpx>

        """)
  }

  @Test("Late information is added to existing values, which are kept")
  func lateAmongOthers() throws {
    var writer = GPXWriter(ByteSink())
    var batch = PointBatch()
    var header = FileInfo()
    header.description = "D"
    try writer.write(.header(header), batch)
    var info = TrackInfo(name: "N")
    info.type = "T"
    info.extensions = [ExtensionElement(namespace: "urn:a", prefix: "a", name: "one")]
    try writer.write(.beginTrack(info), batch)
    try writer.write(.beginSegment, batch)
    batch.append(latitude: 1, longitude: 2)
    try writer.write(.points, batch)
    try writer.write(.endSegment, batch)
    var late = TrackInfo(name: "other")
    late.comment = "C"
    late.links = [TrackLink(address: "L")]
    late.style = LineStyle(color: TrackColor(red: 255, green: 0, blue: 0))
    try writer.write(.annotation(.track(late)), batch)
    try writer.write(
      .annotation(.extensions([ExtensionElement(namespace: "urn:a", prefix: "a", name: "two")])), batch)
    try writer.write(.endTrack, batch)
    header = FileInfo()
    header.name = "F"
    header.description = "E"
    header.keywords = "K"
    try writer.write(.annotation(.file(header)), batch)
    try writer.finish()
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(
      text.contains(" <metadata><name>F</name><desc>D</desc><keywords>K</keywords></metadata>\n"))
    #expect(
      text.contains(
        "<trk><name>N</name><cmt>C</cmt><link href=\"L\"></link><type>T</type><extensions>"
          + "<a:one xmlns:a=\"urn:a\"/>"
          + "<gpx_style:line "))
    #expect(text.contains("<a:two xmlns:a=\"urn:a\"/></extensions>\n"))
    #expect(writer.losses.text == "1 name or author of files after the first")
  }

  @Test("Late information is also inserted in a stream while nothing has been written")
  func lateOnAStream() throws {
    let folder = try TemporaryFolder()
    for points in [10, 200_000] {
      try folder.write("", to: "out")
      // A pipe to a file, like the standard output of other programs.
      let pipe = folder.file("pipe\(points)")
      let made = unsafe mkfifo(pipe, 0o600)
      #expect(made == 0)
      let out = folder.file("out")
      let reading = Process()
      reading.executableURL = URL(filePath: "/bin/sh")
      reading.arguments = ["-c", "cat '\(pipe)' > '\(out)'"]
      try reading.run()
      do {
        var writer = GPXWriter(try ByteSink(path: pipe))
        var batch = PointBatch(capacity: 1000)
        try writer.write(.beginTrack(TrackInfo()), batch)
        try writer.write(.beginSegment, batch)
        for index in 0..<points {
          batch.append(latitude: 1, longitude: Double(index) / 10_000)
          if batch.isFull || index == points - 1 {
            try writer.write(.points, batch)
            batch.removeAll()
          }
        }
        try writer.write(.endSegment, batch)
        try writer.write(.annotation(.track(TrackInfo(name: "late"))), batch)
        try writer.write(.endTrack, batch)
        try writer.finish()
        #expect(writer.losses.isEmpty == (points == 10))
      }
      reading.waitUntilExit()
      #expect(try folder.text("out").contains("<trk><name>late</name>") == (points == 10))
    }
  }

  @Test("Two consecutive streams become one file")
  func joined() throws {
    var writer = GPXWriter(ByteSink())
    var batch = PointBatch()
    for sample in [Sample.cutting, Sample.structure] {
      var reader = GPXReader(ByteInput(bytes: Array(sample.utf8)))
      while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    }
    try writer.finish()
    let document = try Conversion.document(writer.bytes)
    let first = try Conversion.document(Array(Sample.cutting.utf8))
    let second = try Conversion.document(Array(Sample.structure.utf8))
    #expect(document.tracks.map(\.segments.count) == (first.tracks + second.tracks).map(\.segments.count))
    #expect(document.waypoints == first.waypoints + second.waypoints)
    #expect(document.routes.map(\.points) == (first.routes + second.routes).map(\.points))
    #expect(document.info.name == first.info.name)
    #expect(document.info.extensions.map(\.name) == ["end", "f"])
  }

  @Test("Characters that XML cannot represent are replaced, and others are escaped")
  func escaping() throws {
    var document = TrackDocument()
    document.waypoints = [
      Waypoint(
        coordinate: Coordinate(latitude: 1, longitude: 2),
        details: PointDetails(name: "a<b>&\"'\u{0}\u{1F}]]>\r🚗"))
    ]
    let output = try text(document)
    #expect(output.contains("<name>a&lt;b&gt;&amp;\"'\u{FFFD}\u{FFFD}]]&gt;&#13;🚗</name>"))
  }
}
