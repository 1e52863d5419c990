import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

/// Inputs that can be read once: pipes, lists and streamed entries.
@Suite("Inputs that can be read once")
struct PipedInputsTests {
  private static let kml = Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document/></kml>".utf8)

  /// Returns the steps for a named pipe with the bytes.
  private static func steps(
    piped bytes: [UInt8], _ change: (inout EnumerationOptions) -> Void = { _ in }
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    Thread.detachNewThread { try? Data(bytes).write(to: URL(filePath: path), options: []) }
    return try InputWalkTests.steps([path], folder, change)
  }

  @Test("Tracks, compressed tracks, KMZ and archives are read from a pipe")
  func pipes() throws {
    let gpx = InputWalkTests.gpx()
    #expect(try Self.steps(piped: gpx) == ["+pipe <?xml streamed"])
    #expect(try Self.steps(piped: Gzip.stored(gpx)) == ["+pipe <?xml streamed"])
    #expect(
      try Self.steps(piped: InputWalkTests.zip(("doc.kml", Self.kml))) == [
        "+pipe PK\u{3}\u{4}\u{14} streamed"
      ])
    #expect(
      try Self.steps(piped: InputWalkTests.zip(("a.gpx", gpx), ("b.gpx", gpx)))
        == [">pipe zip", "+pipe/a.gpx <?xml", "+pipe/b.gpx <?xml"])
  }

  @Test(
    "Compressed entries and KMZ files in an archive are inputs, in memory or streamed",
    arguments: [1 << 25, 10])
  func entries(heldSize: Int) throws {
    let bytes = InputWalkTests.zip(
      ("a.gz", Gzip.stored(InputWalkTests.gpx())), ("b.kmz", InputWalkTests.zip(("doc.kml", Self.kml))),
      ("__MACOSX/b.kmz", [1]))
    #expect(
      try InputWalkTests.steps("x.zip", bytes) { $0.heldArchiveSize = heldSize } == [
        ">x.zip zip", "+x.zip/a.gz <?xml", "+x.zip/b.kmz PK\u{3}\u{4}\u{14}",
        "-x.zip/__MACOSX/b.kmz system-file",
      ])
  }

  @Test("With the format KMZ, archives are not opened")
  func asKMZ() throws {
    let inner = InputWalkTests.zip(("a.kml", Self.kml), ("b.kml", Self.kml))
    #expect(
      try InputWalkTests.steps("x.zip", inner) { $0.format = .kmz } == ["+x.zip PK\u{3}\u{4}\u{14}"])
    let folder = try TemporaryFolder()
    try folder.write(InputWalkTests.zip(("x.kmz", inner)), to: "in/y.zip")
    #expect(
      try InputWalkTests.steps([folder.file("in")], folder) { $0.format = .kmz }
        == [">in folder", "+in/y.zip PK\u{3}\u{4}\u{14}"])
  }

  @Test("Empty files with the name of a track are errors, and a given format is used for all files")
  func otherFormat() throws {
    let folder = try TemporaryFolder()
    try folder.write("1,2\n", to: "in/notes.txt")
    try folder.write("", to: "in/empty.txt")
    try folder.write("", to: "in/empty.hrm")
    #expect(
      try InputWalkTests.steps([folder.file("in")], folder)
        == [
          ">in folder", "!in/empty.hrm truncated", "-in/empty.txt no-track-file",
          "-in/notes.txt no-track-file",
        ])
    #expect(
      try InputWalkTests.steps([folder.file("in")], folder) { $0.format = .csv }.contains(
        "+in/notes.txt 1,2\n"))
  }

  @Test("An archive without entries, and one with an unsupported compression, are errors")
  func unusualArchives() throws {
    #expect(try InputWalkTests.steps("x.zip", InputWalkTests.zip()) == [">x.zip zip", "!x.zip no-tracks"])
    var zip = ZIPBuilder()
    // WavPack (APPNOTE 4.4.5), which libarchive does not have.
    zip.entries = [.init(name: Array("a.gpx".utf8), content: InputWalkTests.gpx(), method: 97)]
    let steps = try InputWalkTests.steps("x.zip", zip.bytes)
    #expect(steps.first == ">x.zip zip")
    #expect(steps.last == "!x.zip/a.gpx unsupported")
  }

  @Test("A damaged compressed entry is read up to the damage")
  func damagedEntry() throws {
    let folder = try TemporaryFolder()
    let gzip = Gzip.stored(InputWalkTests.gpx())
    let bytes = InputWalkTests.zip(("a.gpx.gz", Array(gzip.prefix(gzip.count - 40))))
    let walk = InputEnumerator([try folder.write(bytes, to: "x.zip")])
    var content: [UInt8] = []
    while let step = walk.next() {
      guard case .input(let input) = step else { continue }
      var stream = try input.open()
      while try stream.fill() {}
      content = stream.available.array
      #expect(stream.damage?.error?.code == .truncated)
    }
    // The end of the compressed file has eight bytes for checksum and size.
    #expect(content == InputWalkTests.gpx().dropLast(32))
  }

  @Test("A compressed file that is damaged after its beginning has been read is read up to the damage")
  func damagedFile() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    // A header of 10 bytes, two blocks of 65,535 bytes with 5 bytes before each, and 1,000 bytes of a third.
    let bytes = Gzip.stored(content).prefix(10 + 2 * 65_540 + 5 + 1000)
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(bytes), to: "a.gz")
    var stream = try Decompression.unpacked(ByteInput(path: path))
    while try stream.fill() {}
    #expect(stream.available.array == Array(content.prefix(2 * 65_535 + 1000)))
    #expect(stream.damage?.error?.code == .truncated)
  }

  @Test("A streamed input is read once, and only during the enumeration")
  func readOnce() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(InputWalkTests.zip(("a.gpx", InputWalkTests.gpx())), to: "x.zip")
    var options = EnumerationOptions()
    options.heldSize = 10
    let walk = InputEnumerator([path], options: options)
    var count = 0
    while let step = walk.next() {
      guard case .input(let input) = step else { continue }
      count += 1
      #expect(input.isStreamed && input.size == nil)
      _ = try walk.takeStream()
      expectError(.usage) { _ = try walk.takeStream() }
      expectError(.usage) { _ = try input.open() }
      expectError(.usage) { try input.identity() }
      #expect(input.fingerprint(inside: "-") == nil)
      #expect(input.fingerprint(inside: folder.file("missing")) == nil)
      #expect(input.fingerprint(inside: path)?.hasPrefix("in ") == true)
    }
    #expect(count == 1)
  }

  @Test("A list that cannot be read to its end is an error after its complete paths")
  func unreadableList() throws {
    let folder = try TemporaryFolder()
    try folder.write(InputWalkTests.gpx(), to: "a.gpx")
    let list = BytePieces(Array((folder.file("a.gpx") + "\n" + folder.file("b.gpx")).utf8), chunk: 1 << 10)
    list.failsAt = 1
    let standardInput = StandardInput(list: .line, content: ByteInput(stream: list, name: nil))
    #expect(
      try InputWalkTests.steps(["-"], folder) { $0.standardInput = standardInput }
        == ["+a.gpx <?xml", "!- unreadable"])
  }

  @Test("The progress is the share of completed paths and of the open one")
  func progress() {
    let progress = EnumerationProgress(roots: 4)
    #expect(progress.share == 0)
    progress.begin(size: 200)
    progress.move(to: 100)
    #expect(progress.share == 0.125)
    progress.finish(root: 0)
    #expect(progress.share == 0.25)
    progress.begin(size: nil)
    progress.move(to: 100)
    #expect(progress.share == 0.25)
    progress.finish(root: 3)
    #expect(progress.share == 1)
    #expect(EnumerationProgress(roots: 0).share == 1)
  }
}
