import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@Suite("GPX 1.0 writer")
struct GPX10WriterTests {
  /// Converts a GPX 1.1 file to GPX 1.0.
  private func written(_ gpx: [UInt8], capacity: Int = 64) throws -> (bytes: [UInt8], losses: LossReport) {
    var reader = GPXReader(ByteInput(bytes: gpx))
    var writer = GPXWriter(ByteSink(), version: .version10)
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses)
  }

  private static let whole = """
    <gpx version="1.1" creator="recorder" xmlns="http://www.topografix.com/GPX/1/1"
     xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
    <metadata><name>F</name><desc>D</desc><author><name>A</name><email id="a.b" domain="c.org"/></author>
    <link href="http://f/"><text>FL</text></link><time>2024-05-01T10:00:00Z</time><keywords>K</keywords></metadata>
    <wpt lat="1" lon="2"><ele>3</ele><name>W</name><link href="http://w/"><text>WL</text></link><sym>Flag</sym>
    <extensions><g:TrackPointExtension><g:speed>4</g:speed></g:TrackPointExtension></extensions></wpt>
    <rte><name>R</name><number>7</number><rtept lat="5" lon="6"><name>P</name></rtept></rte>
    <trk><name>T</name><cmt>C</cmt><src>S</src><link href="http://t/"/><trkseg>
    <trkpt lat="7" lon="8"><ele>9</ele><time>2024-05-01T10:00:01.5Z</time><magvar>2</magvar><fix>3d</fix><sat>8</sat>
    <hdop>1.5</hdop><dgpsid>5</dgpsid><extensions><g:TrackPointExtension><g:hr>120</g:hr><g:speed>10.5</g:speed>
    <g:course>45</g:course></g:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
    """

  @Test("All content is written where the schema of GPX 1.0 allows it")
  func places() throws {
    let (bytes, losses) = try written(Array(GPX10WriterTests.whole.utf8))
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.0" creator="recorder" xmlns="http://www.topografix.com/GPX/1/0" \
        xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <name>F</name><desc>D</desc><author>A</author><email>a.b@c.org</email><url>http://f/</url>\
        <urlname>FL</urlname><time>2024-05-01T10:00:00Z</time><keywords>K</keywords>
         <wpt lat="1" lon="2"><ele>3</ele><name>W</name><url>http://w/</url><urlname>WL</urlname><sym>Flag</sym>\
        <g:TrackPointExtension><g:speed>4</g:speed></g:TrackPointExtension></wpt>
         <rte><name>R</name><number>7</number>
           <rtept lat="5" lon="6"><name>P</name></rtept>
         </rte>
         <trk><name>T</name><cmt>C</cmt><src>S</src><url>http://t/</url>
          <trkseg>
           <trkpt lat="7" lon="8"><ele>9</ele><time>2024-05-01T10:00:01.500Z</time><course>45</course>\
        <speed>10.5</speed><magvar>2</magvar><fix>3d</fix><sat>8</sat><hdop>1.5</hdop><dgpsid>5</dgpsid>\
        <g:TrackPointExtension><g:hr>120</g:hr></g:TrackPointExtension></trkpt>
          </trkseg>
         </trk>
        </gpx>

        """)
    #expect(losses.text == "")
  }

  @Test("Content that GPX 1.0 can represent is read back unchanged")
  func thereAndBack() throws {
    let before = try Conversion.document(Array(GPX10WriterTests.whole.utf8))
    var after = try Conversion.document(try written(Array(GPX10WriterTests.whole.utf8)).bytes)
    after.info.namespaces = before.info.namespaces
    #expect(after == before)
  }

  @Test(
    "Content that GPX 1.0 cannot represent is counted, and nothing else is lost",
    arguments: [
      ("<metadata><copyright author=\"a\"/></metadata>", "1 copyright"),
      (
        "<metadata><link href=\"a\"/><link href=\"b\"><type>c</type></link></metadata>",
        "1 further link of files"
      ),
      ("<metadata><link href=\"a\"><type>c</type></link></metadata>", "1 media type of links"),
      (
        "<metadata><author><email id=\"a1\" domain=\"b.org\"/><link href=\"c\"/></author></metadata>",
        "1 address of authors that GPX 1.0 does not allow, 1 link of authors"
      ),
      ("<trk><type>car</type></trk>", "1 type of tracks"),
      ("<rte><link href=\"a\"/><link href=\"b\"/></rte>", "1 further link of tracks"),
      ("<wpt lat=\"1\" lon=\"1\"><link href=\"a\"/><link href=\"b\"/></wpt>", "1 further link of points"),
      ("<trk><extensions><x xmlns=\"urn:x\"/></extensions></trk>", "1 extension"),
      (
        "<trk><trkseg><extensions><x xmlns=\"urn:x\"/></extensions></trkseg></trk>",
        "1 extension of segments"
      ),
      (
        "<trk><trkseg><trkpt lat=\"1\" lon=\"1\"><extensions><power>200</power><hAcc>3</hAcc></extensions></trkpt>"
          + "</trkseg></trk>", "1 value of power, 1 value of horizontal accuracy"
      ),
      ("<extensions><x xmlns=\"urn:x\"/></extensions>", "1 extension"),
    ])
  func losses(_ body: String, _ expected: String) throws {
    let (_, losses) = try written(Array(Sample.gpx(body).utf8))
    #expect(losses.text == expected)
  }

  @Test("A colour becomes Garmin's closest, or exactly the same if it is one of the sixteen")
  func colours() throws {
    let namespace = "http://www.topografix.com/GPX/gpx_style/0/2"
    for (color, name, loss) in [
      ("ff0000", "Red", ""),
      ("fe0101", "Red", "1 colour of lines (the nearest of Garmin's sixteen written)"),
    ] {
      let body =
        "<trk><extensions><line xmlns=\"\(namespace)\"><color>\(color)</color></line></extensions></trk>"
      let (bytes, losses) = try written(Array(Sample.gpx(body).utf8))
      #expect(losses.text == loss)
      let document = try Conversion.document(bytes)
      #expect(document.tracks.first?.info.style == LineStyle(color: TrackColor(red: 255, green: 0, blue: 0)))
      #expect(document.tracks.first?.info.extensions == [])
      #expect(String(decoding: bytes, as: UTF8.self).contains("DisplayColor>\(name)<"))
    }
  }

  @Test("Only addresses that match the schema's pattern are written")
  func addresses() {
    for good in ["a@b.c", "é.b_c@d.e.f"] { #expect(emailSurvives(good), "\(good)") }
    for bad in ["a@b", "a1@b.c", "a..b@c.d", "@b.c", "a@b.", "a@b@c.d", "a-b@c.d"] {
      #expect(!emailSurvives(bad), "\(bad)")
    }
  }

  private func emailSurvives(_ email: String) -> Bool {
    var document = TrackDocument()
    document.info.author = Person(email: email)
    var reader = TrackDocumentReader(document)
    var writer = GPXWriter(ByteSink(), version: .version10)
    guard (try? Conversion.copy(&reader, to: &writer)) != nil else { return false }
    return String(decoding: writer.bytes, as: UTF8.self).contains("<email>\(email)</email>")
      && writer.losses.isEmpty
  }

  @Test("The format is chosen by name, and its files have the extension .gpx")
  func format() throws {
    #expect(FormatRegistry.standard.named("gpx1.0") == .gpx10 && TrackFormat.gpx10.usualExtension == "gpx")
    #expect(!TrackFormat.gpx10.canRead && TrackFormat.gpx10.canWrite)
    #expect(FormatRegistry.standard.forFile("a.gpx") == .gpx)
  }

  @Test(
    "GPSBabel reads every point with its speed", .enabled(if: GPSBabel.isInstalled, "gpsbabel is missing"))
  func gpsBabel() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      String(decoding: try written(Array(GPX10WriterTests.whole.utf8)).bytes, as: UTF8.self), to: "out.gpx")
    #expect(try GPSBabel.trackpoints(folder.file("out.gpx"), format: "gpx") == ["7.000000 8.000000"])
  }

  @Test(
    "Random documents, samples and fixtures are valid as GPX 1.0",
    .enabled(if: Schemas.canValidate, "xmllint or the shared schemas are missing"))
  func validity() throws {
    let seed = SeededGenerator.printedSeed()
    let folder = try TemporaryFolder()
    for index in 0..<UInt64(Effort.rounds(25)) {
      var random = RandomDocument(seed: seed &+ index, isWild: false)
      var reader = TrackDocumentReader(random.document())
      var writer = GPXWriter(ByteSink(), version: .version10)
      try Conversion.copy(&reader, to: &writer)
      try Data(writer.bytes).write(to: URL(filePath: folder.file("\(seed &+ index).gpx")))
    }
    for sample in Sample.all {
      guard let bytes = try? written(sample.bytes).bytes else { continue }
      try Data(bytes).write(to: URL(filePath: folder.file(sample.name.replacing(" ", with: "-") + ".gpx")))
    }
    for fixture in Fixture.all(of: "gpx") {
      let bytes = try written(fixture.bytes()).bytes
      try Data(bytes).write(to: URL(filePath: folder.file(fixture.sibling("out.gpx").lastPathComponent)))
    }
    #expect(try folder.names().count > 40)
    #expect(try Schemas.complaints(folder) == [])
  }
}
