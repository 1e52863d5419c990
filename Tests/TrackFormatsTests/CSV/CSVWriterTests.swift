import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV writer")
struct CSVWriterTests {
  private func segment(_ points: [(Double, Double)]) -> TrackDocument.Segment {
    var columns = PointColumns()
    for point in points { columns.append(Coordinate(latitude: point.0, longitude: point.1)) }
    return TrackDocument.Segment(points: columns)
  }

  @Test("Each point is a row, with the columns that are needed")
  func rows() throws {
    var document = TrackDocument()
    var points = PointColumns()
    points.append(
      Coordinate(latitude: 46.948, longitude: 7.4474), time: Instant(microseconds: 1_715_926_350_000_000),
      values: [.elevation: 540.5, .heartRate: 121])
    points.append(
      Coordinate(latitude: -46.9, longitude: -0.0000002), values: [.speed: 12.25],
      details: PointDetails(name: "say \"hi\", you"))
    document.tracks = [
      TrackDocument.Track(
        info: TrackInfo(name: "To work"),
        segments: [TrackDocument.Segment(points: points), segment([(1, 2)])])
    ]
    document.waypoints = [
      Waypoint(
        coordinate: Coordinate(latitude: 3, longitude: 4), values: [.elevation: 5],
        details: PointDetails(name: "P+R"))
    ]
    var route = TrackDocument.Route()
    route.points = segment([(5, 6)]).points
    document.routes = [route]
    let (bytes, losses) = try CSVTable.written(document)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        kind,track,segment,time,latitude,longitude,elevation,name,track_name,speed,heart_rate
        waypoint,,,,3,4,5,P+R,,,
        routepoint,1,,,5,6,,,,,
        trackpoint,1,1,2024-05-17T06:12:30Z,46.948,7.4474,540.5,,To work,,121
        trackpoint,1,1,,-46.9,-0.0000002,,"say ""hi"", you",To work,12.25,
        trackpoint,1,2,,1,2,,,To work,,

        """)
    #expect(losses.text == "")
  }

  @Test("On request, text that spreadsheets run as formulas begins with an apostrophe; numbers never do")
  func formulas() throws {
    var document = TrackDocument()
    document.waypoints = ["=1+1", "@SUM(1)", "+x", "-12.5", "  =A1", "a=b", "-", "＝1", " ＠x", "é＝"].map {
      Waypoint(
        coordinate: Coordinate(latitude: -1, longitude: -2), values: [.elevation: -3],
        details: PointDetails(name: $0))
    }
    func names(quotesFormulas: Bool) throws -> [String] {
      var reader = TrackDocumentReader(document)
      var writer = CSVWriter(ByteSink(), quotesFormulas: quotesFormulas)
      try Conversion.copy(&reader, to: &writer)
      let lines = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      #expect(lines.allSatisfy { $0.hasPrefix("waypoint,,,,-1,-2,-3,") })
      return lines.map { String($0.dropFirst("waypoint,,,,-1,-2,-3,".count)) }
    }
    #expect(
      try names(quotesFormulas: true) == [
        "'=1+1", "'@SUM(1)", "'+x", "-12.5", "'  =A1", "a=b", "'-", "'＝1", "' ＠x", "é＝",
      ])
    #expect(
      try names(quotesFormulas: false) == [
        "=1+1", "@SUM(1)", "+x", "-12.5", "\"  =A1\"", "a=b", "-", "＝1", "\" ＠x\"", "é＝",
      ])
  }

  private static let channels = ["a, b", "\"Oil\" temp", "a\nb\tc", "=SUM(A1", " x ", "rpm"].map {
    ExtraValues.Name($0, unit: "k,m")
  }

  private static func withChannels() -> TrackDocument {
    var details = PointDetails()
    details.extraValues = ExtraValues(channels, channels.indices.map { Double($0) })
    var points = PointColumns()
    points.append(Coordinate(latitude: 1, longitude: 2), details: details)
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: points)])]
    return document
  }

  private static func written(
    _ document: TrackDocument, _ separator: CSVWriter.Separator, quotesFormulas: Bool = false
  ) throws -> [UInt8] {
    var reader = TrackDocumentReader(document)
    var writer = CSVWriter(ByteSink(), separator: separator, quotesFormulas: quotesFormulas)
    try Conversion.copy(&reader, to: &writer)
    return writer.bytes
  }

  @Test("The names of channels are quoted like other text", arguments: [",", "\t"])
  func headings(separator: String) throws {
    let bytes = try Self.written(Self.withChannels(), separator == "," ? .comma : .tab)
    let heading = String(decoding: bytes, as: UTF8.self).components(separatedBy: "elevation\(separator)")[1]
    #expect(
      heading.hasPrefix(
        separator == ","
          ? "\"a, b (k,m)\",\"\"\"Oil\"\" temp (k,m)\",\"a\nb\tc (k,m)\",\"=SUM(A1 (k,m)\",\" x  (k,m)\",\"rpm (k,m)\"\n"
          : "a, b (k,m)\t\"\"\"Oil\"\" temp (k,m)\"\t\"a\nb\tc (k,m)\"\t=SUM(A1 (k,m)\t\" x  (k,m)\"\trpm (k,m)\n"
      ))
    let points = try CSVTable.document(bytes).tracks.first?.segments.first?.points
    let extra = points?.details.first?.details.extraValues
    #expect(extra?.values == Self.channels.indices.map { Double($0) })
    #expect(extra?.names.first == Self.channels.first && extra?.names[2] == Self.channels[2])
  }

  @Test("On request, names of channels that spreadsheets run as formulas begin with an apostrophe")
  func formulasAsHeadings() throws {
    let bytes = try Self.written(Self.withChannels(), .tab, quotesFormulas: true)
    let heading = String(decoding: bytes, as: UTF8.self)
    #expect(heading.contains("\t'=SUM(A1 (k,m)\t"))
    #expect(heading.contains("\trpm (k,m)\n"))
    #expect(heading.ranges(of: "'").count == 1)
  }

  @Test("Fields may be separated by tabs")
  func tabs() throws {
    var document = TrackDocument()
    document.waypoints = [
      Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2)),
      Waypoint(coordinate: Coordinate(latitude: 3, longitude: 4), details: PointDetails(name: "a,\tb")),
    ]
    var reader = TrackDocumentReader(document)
    var writer = CSVWriter(ByteSink(), separator: .tab)
    try Conversion.copy(&reader, to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        kind\ttrack\tsegment\ttime\tlatitude\tlongitude\televation\tname
        waypoint\t\t\t\t1\t2\t\t
        waypoint\t\t\t\t3\t4\t\t"a,\tb"

        """)
    #expect(try CSVTable.document(writer.bytes).waypoints == document.waypoints)
  }

  @Test("Values that CSV cannot store are counted")
  func losses() throws {
    var document = TrackDocument()
    document.info.name = "file"
    document.info.author = Person(name: "me")
    var info = TrackInfo(name: "a")
    info.description = "b"
    info.style = LineStyle(width: 2)
    info.number = 7
    info.extensions = [ExtensionElement(name: "x"), ExtensionElement(name: "y")]
    var details = PointDetails()
    details.links = [TrackLink(address: "http://a.b", text: "t"), TrackLink(address: "http://c.d")]
    var points = PointColumns()
    points.append(Coordinate(latitude: 1, longitude: 2), details: details)
    document.tracks = [
      TrackDocument.Track(
        info: info, segments: [TrackDocument.Segment(points: points), TrackDocument.Segment()]),
      TrackDocument.Track(),
    ]
    #expect(
      try CSVTable.written(document).losses.text == """
        1 name of files, 1 author of files, 1 description of tracks, 1 line style, 2 extensions, \
        1 further link of points, 1 text and type of links, 1 segment without points, \
        1 track without points
        """)
  }

  @Test(
    "Columns added late are empty in earlier rows, even if these are spooled to a file")
  func lateColumns() throws {
    for memoryLimit in [1, 20, 1 << 20] {
      var rows = CSVBufferedRows(width: 2, memoryLimit: memoryLimit)
      func add(_ text: String) throws { rows.spool.buffer.append(text); try rows.spool.flush() }
      try add("a,\"x\ny\"\"\"\n")
      try add("b,2\n")
      rows.addColumn()
      rows.addColumn()
      try add("c,3,4,5\n")
      rows.addColumn()
      try add("d,\"\n\",,,6\n")
      var sink = ByteSink()
      try rows.drain(into: &sink)
      #expect(
        String(decoding: sink.bytes, as: UTF8.self) == "a,\"x\ny\"\"\",,,\nb,2,,,\nc,3,4,5,\nd,\"\n\",,,6\n")
    }
  }

  @Test("Ascending track numbers are kept, and several files are written to one table")
  func numbers() throws {
    var writer = CSVWriter(ByteSink())
    for numbers in [[nil, 4, 3], [nil, 7]] as [[Int?]] {
      var document = TrackDocument()
      document.tracks = numbers.map { number in
        var info = TrackInfo()
        info.number = number
        return TrackDocument.Track(info: info, segments: [segment([(1, 2)])])
      }
      var reader = TrackDocumentReader(document)
      var batch = PointBatch()
      while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    }
    try writer.finish()
    let rows = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n").dropFirst()
    let numbers = rows.map { $0.split(separator: ",")[1] }
    #expect(numbers == ["1", "4", "5", "6", "7"])
    #expect(writer.losses.text == "1 number of tracks")
  }

  // MARK: Round trips

  @Test("A document is read back unchanged")
  func randomDocuments() throws {
    let seed = SeededGenerator.printedSeed()
    for offset in 0..<Effort.rounds(60) {
      var random = RandomDocument(seed: seed &+ UInt64(offset), isWild: offset % 2 == 0)
      try expectRoundTrip(random.document(), "seed \(seed &+ UInt64(offset))")
    }
  }

  @Test("A document is read back unchanged, with fixed seeds", arguments: [1, 2, 3] as [UInt64])
  func fixedSeeds(_ seed: UInt64) throws {
    var random = RandomDocument(seed: seed, isWild: true)
    try expectRoundTrip(random.document(), "seed \(seed)")
  }

  private func expectRoundTrip(_ document: TrackDocument, _ comment: Comment) throws {
    let (bytes, _) = try CSVTable.written(document, capacity: 7)
    #expect(try CSVTable.written(document, capacity: 4096).bytes.count == bytes.count, comment)
    var reader = CSVReader(ByteInput(bytes: bytes, chunk: 61))
    let read = try TrackDocument(reading: &reader)
    #expect(reader.warnings == [], comment)
    #expect(CSVTable.text(of: read) == CSVTable.text(of: expected(document)), comment)
  }

  /// Returns the parts of a document that CSV can store.
  private func expected(_ document: TrackDocument) -> TrackDocument {
    var result = TrackDocument()
    result.waypoints = document.waypoints.map {
      Waypoint(
        coordinate: positive($0.coordinate), time: $0.time, values: $0.values, details: kept($0.details))
    }
    var last = 0
    for route in document.routes {
      last = number(route.info, after: last)
      if route.points.isEmpty { continue }
      result.routes.append(TrackDocument.Route(info: info(route.info, last), points: kept(route.points)))
    }
    last = 0
    for track in document.tracks {
      last = number(track.info, after: last)
      let segments = track.segments.filter { !$0.points.isEmpty }
      if segments.isEmpty { continue }
      result.tracks.append(
        TrackDocument.Track(
          info: info(track.info, last),
          segments: segments.map { TrackDocument.Segment(points: kept($0.points)) }))
    }
    return result
  }

  private func number(_ info: TrackInfo, after last: Int) -> Int {
    if let number = info.number, number > last { return number }
    return last + 1
  }

  private func info(_ info: TrackInfo, _ number: Int) -> TrackInfo {
    var result = TrackInfo()
    result.name = info.name.flatMap { $0.isEmpty ? nil : $0 }
    result.number = number
    return result
  }

  private func kept(_ points: PointColumns) -> PointColumns {
    var result = PointColumns()
    for row in 0..<points.count {
      var values: [Channel: Double] = [:]
      for channel in points.channels.channels { values[channel] = points.value(channel, at: row) }
      result.append(
        positive(points.coordinate(at: row)), time: points.time(at: row), values: values,
        details: kept(points.details.first { $0.row == row }?.details ?? PointDetails()))
    }
    return result
  }

  private func kept(_ details: PointDetails) -> PointDetails {
    var result = details
    result.extensions = []
    result.links = details.links.first.map { [TrackLink(address: $0.address)] } ?? []
    return result
  }

  /// Replaces minus zero by zero, which the writer writes for both.
  private func positive(_ coordinate: Coordinate) -> Coordinate {
    Coordinate(latitude: coordinate.latitude + 0, longitude: coordinate.longitude + 0)
  }
}
