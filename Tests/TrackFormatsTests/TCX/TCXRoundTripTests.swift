import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests document → TCX → document, and the validity of the output.
@Suite("TCX round trips")
struct TCXRoundTripTests {
  @Test("Content that TCX can represent is unchanged after writing and reading")
  func property() throws {
    let seed = SeededGenerator.printedSeed()
    for index in 0..<UInt64(Effort.rounds(150)) {
      var random = RandomActivities(seed: seed &+ index)
      let document = random.document()
      let comment: Comment = "seed \(seed &+ index)"
      let (bytes, losses) = try Conversion.tcx(document, capacity: [1, 7, 4096][Int(index % 3)])
      #expect(losses.text == "", comment)
      var reader = TCXReader(ByteInput(bytes: bytes))
      let read = try TrackDocument(reading: &reader)
      #expect(reader.warnings == [], comment)
      var expected = document
      expected.info.namespaces = read.info.namespaces
      // Lines omit prefixes, which the writer chooses.
      let lines = (TCXRoundTripTests.lines(of: read), TCXRoundTripTests.lines(of: expected))
      if lines.0 != lines.1 {
        let first = zip(lines.0, lines.1).first { $0 != $1 }
        Issue.record("read \(first?.0 ?? "less or more"), expected \(first?.1 ?? "") (\(comment))")
      }
      #expect(try Conversion.rewrittenTCX(bytes, capacity: 3).bytes == bytes, comment)
    }
  }

  /// Returns a document as lines, for readable failures.
  private static func lines(of document: TrackDocument) -> [String] {
    var reader = TrackDocumentReader(document)
    return Transcript(reading: &reader).lines
  }

  @Test("A file with all elements is unchanged after reading and writing")
  func everything() throws {
    let (bytes, losses) = try Conversion.rewrittenTCX(Array(TCXSample.everything.utf8))
    #expect(losses.text == "1 description of files")
    var expected = try Conversion.tcxDocument(Array(TCXSample.everything.utf8))
    var read = try Conversion.tcxDocument(bytes)
    expected.info.description = nil
    read.info.namespaces = expected.info.namespaces
    for index in read.tracks.indices {
      // The start and end positions of a course are taken from its points.
      read.tracks[index].info.extensions.removeAll { $0.children.first?.name == "BeginPosition" }
    }
    #expect(TCXRoundTripTests.lines(of: read) == TCXRoundTripTests.lines(of: expected))
  }

  @Test(
    "Real files keep their points, laps and texts",
    arguments: CorpusFigures.all(in: "tcx"))
  func corpus(_ figures: CorpusFigures) throws {
    let before = try Conversion.tcxDocument(try figures.bytes())
    let after = try Conversion.tcxDocument(try Conversion.rewrittenTCX(try figures.bytes()).bytes)
    // TCX cannot represent tracks without any time and segments without points.
    let tracks = before.tracks.filter { track in
      track.info.timeSpan != nil || track.segments.contains { !$0.points.isEmpty }
    }
    #expect(after.tracks.count == tracks.count)
    for (track, other) in zip(tracks, after.tracks) {
      #expect(other.segments.map(\.points) == track.segments.map(\.points).filter { !$0.isEmpty })
      #expect(other.info.description == track.info.description && other.info.source == track.info.source)
      // A lap is added only to a track without laps.
      #expect(other.info.laps.count == max(track.info.laps.count, 1))
    }
    #expect(after.waypoints == before.waypoints)
  }

  @Test(
    "All output is valid",
    .enabled(if: Schemas.canValidate, "xmllint or the shared schemas are missing"))
  func validity() throws {
    let folder = try TemporaryFolder()
    func write(_ bytes: [UInt8], _ name: String) throws {
      try Data(bytes).write(to: URL(filePath: folder.file(name + ".tcx")))
    }
    let seed = SeededGenerator.printedSeed()
    for index in 0..<UInt64(Effort.rounds(20)) {
      var activities = RandomActivities(seed: seed &+ index)
      try write(try Conversion.tcx(activities.document()).bytes, "activities-\(seed &+ index)")
      // Content of GPX that TCX cannot represent must not be written in the wrong element.
      var random = RandomDocument(seed: seed &+ index, isWild: false)
      try write(try Conversion.tcx(random.document()).bytes, "document-\(seed &+ index)")
    }
    try write(try Conversion.rewrittenTCX(Array(TCXSample.everything.utf8)).bytes, "everything")
    for fixture in Fixture.all(of: "tcx") {
      try write(
        try Conversion.rewrittenTCX(try fixture.bytes()).bytes,
        fixture.sibling("").deletingPathExtension().lastPathComponent)
    }
    for figures in CorpusFigures.all(in: "tcx") {
      try write(
        try Conversion.rewrittenTCX(try figures.bytes()).bytes,
        String(figures.file.split(separator: "/").last ?? ""))
    }
    for (index, inside) in TCXRoundTripTests.odd.enumerated() {
      try write(try Conversion.rewrittenTCX(Array(TCXSample.activity(inside).utf8)).bytes, "odd-\(index)")
    }
    #expect(try Schemas.complaints(folder) == [])
  }

  private static func odd(_ inside: String) -> String {
    "<Lap><Track>\(TCXSample.point(1, 1, 1, "<Extensions>" + inside + "</Extensions>"))</Track></Lap>"
  }

  /// Content of other programs that violates the schema, and must be valid when it is written again.
  private static let odd: [String] = [
    "<Lap><Cadence>300</Cadence><AverageHeartRateBpm>high</AverageHeartRateBpm><Calories>1e9</Calories>"
      + "<Track>\(TCXSample.point(1, 1, 1))</Track></Lap>",
    """
    <Lap StartTime="2024-05-01T10:00:00Z"><Value>5</Value><Extensions><ns3:LX><ns3:Steps>99999</ns3:Steps>
    <ns3:Wrong/><ns3:AvgSpeed>fast</ns3:AvgSpeed></ns3:LX><LX>4</LX></Extensions></Lap>
    """,
    odd(
      """
      <ns3:TPX CadenceSensor="Car"><ns3:Gear>5</ns3:Gear><ns3:Extensions><ns3:TPX/></ns3:Extensions></ns3:TPX>
      <Bare>1</Bare><TPX/>
      """),
    odd("<ns3:TPX CadenceSensor=\"Bike\"/>"),
    """
    <Id>x</Id><Training VirtualPartner="no"/><Creator><UnitId>-5</UnitId><Name>  a
    b </Name></Creator><Lap><Track>\(TCXSample.point(1, 1, 1))</Track></Lap><Extensions><x xmlns="u"/><y/>
    </Extensions>
    """,
  ]

  @Test(
    "gpsbabel reads the output",
    .enabled(if: GPSBabel.isInstalled, "gpsbabel is not installed"))
  func gpsbabel() throws {
    let folder = try TemporaryFolder()
    let bytes = try Conversion.rewrittenTCX(Array(TCXSample.everything.utf8)).bytes
    try Data(bytes).write(to: URL(filePath: folder.file("a.tcx")))
    let positions = try GPSBabel.trackpoints(folder.file("a.tcx"), format: "gtrnctr")
    #expect(
      positions == [
        "47.500000 8.500000", "47.250000 8.250000", "47.125000 8.125000", "46.500000 7.500000",
        "45.500000 6.500000",
      ])
  }

  @Test("The device and the author are written to GPX without their types, and are restored from it")
  func throughGPX() throws {
    let instance = "http://www.w3.org/2001/XMLSchema-instance"
    let name = "<Name>N</Name>"
    let version = "<Version><VersionMajor>2</VersionMajor><VersionMinor>40</VersionMinor></Version>"
    let tcx = TCXSample.tcx(
      """
      <Activities><Activity Sport="Biking"><Id>2024-05-01T10:00:00Z</Id><Lap StartTime="2024-05-01T10:00:00Z">\
      <Track>\(TCXSample.point(0, 47, 8))\(TCXSample.point(1, 47.1, 8))</Track></Lap>\
      <Creator xsi:type="Device_t" xmlns:xsi="\(instance)">\(name)<UnitId>7</UnitId><ProductID>9</ProductID>\(version)\
      </Creator></Activity></Activities>
      """)
    var reader = TCXReader(ByteInput(bytes: Array(tcx.utf8)))
    let gpx = try Conversion.gpx(try TrackDocument(reading: &reader)).bytes
    let text = String(decoding: gpx, as: UTF8.self)
    // Its value would be a name in the namespace of GPX, which has no type with that name.
    #expect(text.contains("UnitId>7</") && !text.contains("Device_t"))
    let back = String(decoding: try Conversion.tcx(try Conversion.document(gpx)).bytes, as: UTF8.self)
    #expect(
      back.contains(
        "<Creator xsi:type=\"Device_t\">\(name)<UnitId>7</UnitId><ProductID>9</ProductID>\(version)</Creator>"
      ))
  }
}
