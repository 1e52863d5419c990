import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackArchives
@testable import TrackFormats

/// KML in archives: the choice of the entry, and malicious archives.
@Suite("KMZ")
struct KMZTests {
  private func read(_ bytes: [UInt8], isStrict: Bool = false) -> Transcript {
    var reader = KMZReader(ByteInput(bytes: bytes), options: ReadingOptions(isStrict: isStrict))
    return Transcript(reading: &reader)
  }

  private static func kml(_ name: String) -> String {
    "<kml><Placemark><name>\(name)</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
  }

  private static func archive(_ entries: [(name: String, content: [UInt8])]) throws -> [UInt8] {
    let writer = try ArchiveWriter(ByteSink())
    for entry in entries {
      try writer.beginEntry(entry.name)
      try writer.write(entry.content.span)
    }
    try writer.finish()
    return writer.bytes
  }

  @Test(
    "The entry doc.kml is read, otherwise the first KML file at the root, otherwise the first one",
    arguments: [
      (["a.kml", "doc.kml"], "doc.kml"), (["files/a.kml", "b.kml", "c.kml"], "b.kml"),
      (["files/b.kml", "a/c.kml"], "files/b.kml"), (["x.png", "Über den Pass.KML"], "Über den Pass.KML"),
      (["__MACOSX/._doc.kml", "sub/doc.kml", "t.kml"], "t.kml"), (["DOC.KML"], "DOC.KML"),
    ])
  func choice(names: [String], chosen: String) throws {
    let bytes = try KMZTests.archive(names.map { ($0, Array(KMZTests.kml($0).utf8)) })
    let transcript = read(bytes)
    #expect(transcript.lines == ["header", "waypoint 2 1", "  name \"\(chosen)\""])
    let others = names.filter { $0.lowercased().hasSuffix(".kml") && !$0.hasPrefix("__MACOSX") }.count - 1
    #expect(transcript.warnings.reduce(0) { $0 + $1.count } == others)
    #expect((read(bytes, isStrict: true).error != nil) == (others > 0))
    var input = ByteInput(bytes: bytes)
    #expect(try KMZTests.recognizes(&input))
  }

  private static func recognizes(_ input: inout ByteInput) throws -> Bool {
    try input.fill(atLeast: FileOpening.length)
    return FileOpening(input.available).isKMZ
  }

  @Test("An archive without KML is rejected by detection and by the reader")
  func withoutKML() throws {
    let bytes = try KMZTests.archive([("readme.txt", [65]), ("a.gpx", [66])])
    #expect(read(bytes).error?.code == .unknownFormat)
    var input = ByteInput(bytes: bytes)
    #expect(try !KMZTests.recognizes(&input))
    #expect(read(Array("PK".utf8)).error != nil)
    #expect(read([]).error != nil)
  }

  @Test("A packed file of exactly the limit is read, and a larger one is an error that names it")
  func limits() throws {
    let bytes = try KMZTests.archive([("doc.kml", Array(KMZTests.kml("k").utf8))])
    var limits = ArchiveLimits()
    limits.documentSize = bytes.count
    var whole = KMZReader(ByteInput(bytes: bytes), limits: limits)
    #expect(Transcript(reading: &whole).points.count == 1)
    limits.documentSize -= 1
    var more = KMZReader(ByteInput(bytes: bytes), limits: limits)
    let error = Transcript(reading: &more).error
    #expect(error?.code == .limitExceeded)
    #expect(error?.message == "the archive has more than \(bytes.count - 1) bytes")
    limits = ArchiveLimits()
    limits.entrySize = 10
    var unpacked = KMZReader(ByteInput(bytes: bytes), limits: limits)
    #expect(Transcript(reading: &unpacked).error?.code == .limitExceeded)
  }

  @Test("An archive that starts with pictures may be a KMZ")
  func picturesFirst() throws {
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let bytes = try KMZTests.archive([("a.png", noise), ("doc.kml", Array(KMZTests.kml("k").utf8))])
    var input = ByteInput(bytes: bytes)
    #expect(try KMZTests.recognizes(&input))
    #expect(read(bytes).points.count == 1)
  }

  @Test("An archive cut off anywhere gives an error or its complete part, and no trap")
  func truncation() throws {
    let bytes = try KMZTests.archive([("doc.kml", Array(KMZTests.kml("k").utf8))])
    for count in 0..<bytes.count {
      let transcript = read(Array(bytes[..<count]))
      #expect(transcript.violations == [], "cut at \(count)")
      #expect(
        transcript.error != nil || transcript.points == ["waypoint 2 1\n  name \"k\""], "cut at \(count)")
    }
  }

  @Test("Damaged compressed data is detected")
  func damage() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let content = (0..<200).map {
      "<Placemark><name>\($0)</name><Point><coordinates>\($0 % 90),1</coordinates></Point></Placemark>"
    }
    let bytes = try KMZTests.archive([("doc.kml", Array("<kml>\(content.joined())</kml>".utf8))])
    let whole = read(bytes)
    #expect(whole.points.count == 200 && whole.error == nil)
    for _ in 0..<Effort.rounds(300) {
      var broken = bytes
      // After the header and before the directory.
      broken[Int.random(in: 70..<(bytes.count - 150), using: &generator)] ^= UInt8.random(
        in: 1...255, using: &generator)
      let transcript = read(broken)
      #expect(transcript.violations == [])
      #expect(transcript.error != nil || transcript.text != "")
      if transcript.error == nil { #expect(transcript.text == whole.text || !transcript.warnings.isEmpty) }
    }
  }

  @Test("Reading an archive with an excessive compression ratio stops with an error")
  func bomb() throws {
    // A kilobyte that unpacks to a megabyte, twelve times.
    let writer = try ArchiveWriter(ByteSink())
    try writer.beginEntry("doc.kml")
    let head = Array(
      "<kml><Placemark><LineString><coordinates>1,2</coordinates></LineString></Placemark>".utf8)
    try writer.write(head.span)
    let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
    for _ in 0..<12 { try writer.write(blanks.span) }
    try writer.finish()
    let bytes = writer.bytes
    #expect(bytes.count < 24_000)
    var limits = ArchiveLimits()
    limits.freeSize = 4 << 20
    var reader = KMZReader(ByteInput(bytes: bytes), limits: limits)
    #expect(Transcript(reading: &reader).error?.code == .limitExceeded)
  }

  @Test(
    "The corpus's malicious archives are rejected quickly",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: ["zip-bomb.kmz", "zip-is-no-kml.kmz"])
  func harmful(_ name: String) throws {
    let path = Fixture.shared.appending(path: "corpus/bad/\(name)").path()
    #expect(read(Array(try Data(contentsOf: URL(filePath: path)))).error != nil)
  }
}
