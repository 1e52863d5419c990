import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@Suite("Format detection")
struct FormatTests {
  private static let root = "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk/></gpx>"

  static let recognized: [Sample] =
    [
      Sample("plain", root),
      Sample("a declaration", "<?xml version=\"1.0\"?>\n" + root),
      Sample("leading blanks", " \t\r\n\n" + root),
      Sample("a byte order mark", "\u{FEFF}" + root),
      Sample("a byte order mark and blanks", "\u{FEFF}\n  <?xml version=\"1.0\"?>" + root),
      Sample("comments", "<!-- <kml> --><!---->\n" + root),
      Sample("instructions", "<?xml-stylesheet href=\"a>b\"?>" + root),
      Sample("a document type", "<!DOCTYPE gpx>" + root),
      Sample(
        "a document type with declarations", "<!DOCTYPE gpx [<!ENTITY a \"]><kml>\"><!-- x --> ]>" + root),
      Sample("a document type with quotes", "<!DOCTYPE gpx PUBLIC \"-//>//\" 'g.dtd'>" + root),
      Sample("a prefix", "<g:gpx xmlns:g=\"urn:g\"/>"),
      Sample("no attributes", "<gpx>"),
      Sample("an empty element", "<gpx/>"),
      Sample("a line feed after the name", "<gpx\nversion=\"1.1\">"),
      Sample("10,000 bytes of comment", "<!--\(String(repeating: "x", count: 10_000))-->" + root),
      Sample("UTF-16LE", Sample.utf16(root, isBig: false)),
      Sample("UTF-16BE", Sample.utf16(root, isBig: true)),
      Sample("UTF-16LE without a mark", Sample.utf16(root, isBig: false, hasMark: false)),
      Sample("UTF-16BE without a mark", Sample.utf16(root, isBig: true, hasMark: false)),
    ]

  @Test("GPX is detected by its root element without consuming input", arguments: recognized)
  func detection(_ sample: Sample) throws {
    for chunk in [1, 7, 100_000] {
      var input = ByteInput(bytes: sample.bytes, chunk: chunk)
      #expect(try FormatRegistry.standard.detect(&input) == .gpx)
      #expect(input.offset == 0)
    }
  }

  @Test(
    "The error for other content names what it resembles",
    arguments: [
      ("<html><body/></html>", "html"), ("<!DOCTYPE html><html>", "html"), ("<svg/>", "svg"),
      ("<gpxx/>", "gpxx"), ("<GPX/>", "GPX"), ("{\"type\":\"Ride\"}", "text"), ("gpx", "text"),
      ("  \n", "white space"),
      ("\u{7F}ELF\u{2}\u{1}", "binary"), ("\u{0}\u{1}\u{2}\u{3}", "binary"), ("<", "markup"),
      ("<!-- gpx", "markup"),
      ("<3 gpx", "markup"),
    ])
  func unknown(_ text: String, _ word: String) throws {
    var input = ByteInput(bytes: Array(text.utf8), name: "ride.gpx")
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(error?.suggestion?.description.contains("gpx") == true)
  }

  @Test(
    "With a matching file name, the format is detected beyond the first bytes",
    arguments: [
      ("a.gpx", "<!--\(String(repeating: "x", count: 20_000))-->" + root, TrackFormat.gpx),
      ("a.kml", "<!--\(String(repeating: "x", count: 20_000))--><kml/>", .kml),
      ("a.geojson", "{\"note\":\"\(String(repeating: "x", count: 20_000))\",\"type\":\"Point\"}", .geojson),
      ("a.vbo", "[header]\n\(String(repeating: "name\n", count: 4000))[data]\n", .vbo),
      ("a.txt", "[header]\n\(String(repeating: "name\n", count: 4000))[data]\n", nil),
      ("a.txt", "<!--\(String(repeating: "x", count: 20_000))-->" + root, nil),
      ("a.gpx", String(repeating: "x", count: 20_000), nil),
      ("a.gpx", "<!-- no root -->", nil),
      ("a.gpx", "<html>\(String(repeating: "x", count: 20_000))", nil),
    ])
  func promised(_ name: String, _ text: String, _ format: TrackFormat?) {
    var input = ByteInput(bytes: Array(text.utf8), name: name)
    #expect((try? FormatRegistry.standard.detect(&input)) == format)
  }

  @Test("An empty file is truncated")
  func empty() {
    var input = ByteInput(bytes: [])
    let error = #expect(throws: TrackError.self) { try FormatRegistry.standard.detect(&input) }
    #expect(error?.code == .truncated)
  }

  @Test("Random first bytes cause no crash")
  func anyOpening() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0], [0x3C], [0x3E], [0x20], Array("<!--".utf8),
      Array("-->".utf8),
      Array("<?".utf8), Array("?>".utf8), Array("<!DOCTYPE".utf8), Array("[".utf8), Array("]".utf8),
      Array("\"".utf8),
      Array("gpx".utf8), Array(":".utf8), Array("/".utf8), [0x80], [0xFF],
    ]
    for _ in 0..<Effort.rounds(2000) {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).flatMap { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }
      var input = ByteInput(bytes: bytes)
      let format = try? FormatRegistry.standard.detect(&input)
      if format == .gpx { #expect(String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).contains("gpx")) }
    }
  }

  @Test("A format is found by name and by file name extension, ignoring case")
  func names() {
    #expect(FormatRegistry.standard.named("gpx") == .gpx && FormatRegistry.standard.named("GPX") == .gpx)
    #expect(
      FormatRegistry.standard.named("") == nil && FormatRegistry.standard.named(".gpx") == nil
        && FormatRegistry.standard.named("gpxx") == nil)
    #expect(
      FormatRegistry.standard.forFile("ride.gpx") == .gpx
        && FormatRegistry.standard.forFile("/a.b/Ride.2024.GPX") == .gpx)
    #expect(
      FormatRegistry.standard.forFile("gpx") == nil && FormatRegistry.standard.forFile("/a.gpx/ride") == nil)
    #expect(FormatRegistry.standard.forFile("") == nil && FormatRegistry.standard.forFile("ride.") == nil)
    #expect(TrackFormat.gpx.description == "gpx")
  }

  @Test("Each name and extension belongs to one format")
  func distinct() {
    let names = FormatRegistry.standard.formats.flatMap { Set([$0.name] + $0.fileExtensions) }
    #expect(Set(names).count == names.count)
    #expect(FormatRegistry.standard.formats.allSatisfy { $0.canRead || $0.canWrite })
    #expect(TrackFormat.gpx.canRead && TrackFormat.gpx.canWrite)
  }

  @Test("Reader and writer of a format convert")
  func conversion() throws {
    let folder = try TemporaryFolder()
    var input = ByteInput(bytes: Array(Sample.structure.utf8))
    let format = try FormatRegistry.standard.detect(&input)
    var reader = try format.reader(input)
    var writer = try format.writer(ByteSink(path: folder.file("out.gpx")))
    var batch = PointBatch(capacity: 1)
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    try writer.finish()
    #expect(try folder.text("out.gpx") == (try Conversion.rewritten(Sample.structure)))
  }
}
