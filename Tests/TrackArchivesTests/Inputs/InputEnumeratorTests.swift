import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

/// Finding inputs in valid and malicious folders and archives.
@Suite("Finding inputs")
struct InputWalkTests {
  static func gpx(_ latitude: Double = 46.9) -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?>
      <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="\(latitude)" lon="7.4"><time>2024-05-17T06:12:30Z</time></trkpt>
      </trkseg></trk></gpx>
      """.utf8)
  }

  /// Returns the steps of a walk: `+label` for an input with its first bytes, `>label` for a container,
  /// `-label reason` for a skipped file, `!label code` for an error, and `<` for the end of a listed
  /// container.
  static func steps(
    _ name: String, _ bytes: [UInt8], _ change: (inout EnumerationOptions) -> Void = { _ in }
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: folder.file(name)))
    return try steps([folder.file(name)], folder, change)
  }

  static func steps(
    _ paths: [String], _ folder: TemporaryFolder, _ change: (inout EnumerationOptions) -> Void = { _ in }
  ) throws -> [String] {
    var options = EnumerationOptions()
    change(&options)
    let walk = InputEnumerator(paths, options: options)
    var steps: [String] = []
    func plain(_ label: InputLabel) -> String {
      label.path.hasPrefix(folder.file("")) ? String(label.path.dropFirst(folder.file("").count)) : label.path
    }
    while let step = walk.next() {
      switch step {
      case .container(let container): steps.append(">\(plain(container.label)) \(container.kind)")
      case .input(let input):
        do throws(TrackError) {
          var bytes = try input.isStreamed ? walk.takeStream() : input.open()
          try bytes.fill(atLeast: 5)
          let first = String(decoding: bytes.available.array.prefix(5), as: UTF8.self)
          steps.append("+\(plain(input.label)) \(first)\(input.isStreamed ? " streamed" : "")")
        } catch {
          steps.append("+\(plain(input.label)) \(error.code)")
        }
      case .skipped(_, let label, let reason): steps.append("-\(plain(label)) \(reason.code)")
      case .failed(_, let label, let error): steps.append("!\(plain(label)) \(error.code)")
      case .left: steps.append("<")
      }
    }
    return steps
  }

  static func zip(_ entries: (String, [UInt8])...) -> [UInt8] {
    var zip = ZIPBuilder()
    for (name, content) in entries { zip.add(name, content) }
    return zip.bytes
  }

  @Test("Entries of a ZIP are found in order, with reasons for skipped ones")
  func plainArchive() throws {
    let bytes = Self.zip(
      ("b.gpx", Self.gpx()), ("a.gpx.gz", Gzip.stored(Self.gpx())), ("notes.txt", Array("dear diary".utf8)),
      ("__MACOSX/._b.gpx", [0, 5, 22, 7]), (".DS_Store", [0]), ("empty.gpx", []),
      ("broken.gpx", Array("oops".utf8)))
    #expect(
      try Self.steps("x.zip", bytes) == [
        ">x.zip zip", "+x.zip/b.gpx <?xml", "+x.zip/a.gpx.gz <?xml", "-x.zip/notes.txt no-track-file",
        "-x.zip/__MACOSX/._b.gpx system-file", "-x.zip/.DS_Store system-file", "!x.zip/empty.gpx truncated",
        "+x.zip/broken.gpx oops",
      ])
  }

  @Test(
    "An archive is detected by its content, not its name", arguments: ["ride.gpx", "x", "x.kmz", "x.tar.gz"])
  func names(_ name: String) throws {
    #expect(
      try Self.steps(name, Self.zip(("a.gpx", Self.gpx()))) == [">\(name) zip", "+\(name)/a.gpx <?xml"])
  }

  @Test("A film in an archive is read at any offset, in memory or streamed", arguments: [1 << 24, 10])
  func film(heldSize: Int) throws {
    let folder = try TemporaryFolder()
    let fixtures = URL(filePath: #filePath).appending(path: "../../../../Fixtures/mp4/").standardized
    func film(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: fixtures.appending(path: name)))
    }
    let bytes = Self.zip(
      ("a.gpx", Self.gpx()), ("gopro.mp4", try film("gopro-gps5.mp4")),
      ("none.mp4", try film("no-positions.mp4")), ("tesla.mp4", try film("tesla.mp4")))
    try Data(bytes).write(to: URL(filePath: folder.file("card.zip")))
    var options = EnumerationOptions()
    options.heldSize = heldSize
    let walk = InputEnumerator([folder.file("card.zip")], options: options)
    var films: [String: [String]] = [:]
    func entry(_ label: InputLabel) -> String {
      String(label.path.dropFirst(folder.file("card.zip").count + 1))
    }
    var skipped: [String] = []
    while let step = walk.next() {
      if case .skipped(_, let label, let reason) = step { skipped.append("\(entry(label)) \(reason.code)") }
      guard case .input(let input) = step, input.label.path.hasSuffix(".mp4") else { continue }
      #expect(input.isStreamed == (heldSize == 10))
      let stream = try input.isStreamed ? walk.takeStream() : input.open()
      films[entry(input.label)] = try Self.positions(stream)
    }
    #expect(skipped == ["none.mp4 film-without-positions"])
    #expect(films.keys.sorted() == ["gopro.mp4", "tesla.mp4"])
    #expect(films["gopro.mp4"]?.isEmpty == false)
    #expect(films["gopro.mp4"] == (try Self.positions(ByteInput(bytes: film("gopro-gps5.mp4")))))
    #expect(films["tesla.mp4"] == (try Self.positions(ByteInput(bytes: film("tesla.mp4")))))
  }

  private static func positions(_ film: consuming ByteInput) throws -> [String] {
    var reader = MP4Reader(film: film)
    var batch = PointBatch()
    var positions: [String] = []
    while try reader.next(into: &batch) != nil {
      positions += (0..<batch.count).map { "\(batch.coordinate(at: $0)) \(batch.times[$0])" }
    }
    return positions
  }

  @Test("A compressed file is one input, even if it is compressed several times, up to a limit")
  func compressed() throws {
    #expect(try Self.steps("a.gpx.gz", Gzip.stored(Self.gpx())) == ["+a.gpx.gz <?xml"])
    #expect(try Self.steps("a.gz", Gzip.stored(Gzip.stored(Self.gpx()))) == ["+a.gz <?xml"])
    let deep = (0..<100).reduce(Self.gpx()) { bytes, _ in Gzip.stored(bytes) }
    let steps = try Self.steps("a.gz", deep)
    #expect(steps.count == 1 && !steps[0].contains("<?xml"))
  }

  @Test("Nested archives are entered in order, in memory or streamed", arguments: [1 << 25, 10])
  func nested(_ heldSize: Int) throws {
    let inner = Self.zip(("c.gpx", Self.gpx()), ("d.gpx", Self.gpx()))
    let bytes = Self.zip(("a.gpx", Self.gpx()), ("in/ner.zip", inner), ("z.gpx", Self.gpx()))
    #expect(
      try Self.steps("x.zip", bytes) { $0.heldArchiveSize = heldSize } == [
        ">x.zip zip", "+x.zip/a.gpx <?xml", ">x.zip/in/ner.zip zip", "+x.zip/in/ner.zip/c.gpx <?xml",
        "+x.zip/in/ner.zip/d.gpx <?xml", "+x.zip/z.gpx <?xml",
      ])
  }

  @Test("The outermost container of a listed path ends before the next path")
  func listed() throws {
    let folder = try TemporaryFolder()
    let archive = Self.zip(("a.gpx", Self.gpx()), ("in.zip", Self.zip(("b.gpx", Self.gpx()))))
    try Data(archive).write(to: URL(filePath: folder.file("x.zip")))
    try Data(Self.gpx()).write(to: URL(filePath: folder.file("c.gpx")))
    let list = ["x.zip", "c.gpx", "x.zip"].map { folder.file($0) + "\n" }.joined()
    let archiveSteps = [
      ">x.zip zip", "+x.zip/a.gpx <?xml", ">x.zip/in.zip zip", "+x.zip/in.zip/b.gpx <?xml", "<",
    ]
    #expect(
      try Self.steps(["-"], folder) {
        $0.standardInput = StandardInput(list: .line, content: ByteInput(bytes: Array(list.utf8)))
      } == archiveSteps + ["+c.gpx <?xml"] + archiveSteps)
  }

  @Test("An archive may have as many entries as the limit allows, which are counted once")
  func entryCount() throws {
    let bytes = Self.zip(("a.gpx", Self.gpx()), ("b.gpx", Self.gpx()), ("c.gpx", Self.gpx()))
    #expect(
      try Self.steps("x.zip", bytes) { $0.archiveLimits.entryCount = 3 } == [
        ">x.zip zip", "+x.zip/a.gpx <?xml", "+x.zip/b.gpx <?xml", "+x.zip/c.gpx <?xml",
      ])
    let fewer = try Self.steps("x.zip", bytes) { $0.archiveLimits.entryCount = 2 }
    #expect(fewer.last == "!x.zip limit-exceeded")
  }

  @Test("Archives nested too deeply are rejected, and the other entries are read")
  func depth() throws {
    var bytes = Self.zip(("a.gpx", Self.gpx()))
    for level in 0..<9 { bytes = Self.zip(("\(level).zip", bytes), ("beside\(level).gpx", Self.gpx())) }
    let steps = try Self.steps("x.zip", bytes)
    #expect(steps.filter { $0.hasPrefix("!") }.count == 1)
    #expect(steps.contains { $0.hasPrefix("!") && $0.hasSuffix("limit-exceeded") })
    // The levels down to the limit, each with a track next to the nested archive.
    #expect(steps.filter { $0.hasPrefix(">") }.count == ArchiveLimits().depth + 1)
    #expect(steps.filter { $0.hasPrefix("+") }.count == ArchiveLimits().depth + 1)
    let deeper = try Self.steps("x.zip", bytes) { $0.archiveLimits.depth = 9 }
    #expect(deeper.filter { $0.hasPrefix("!") } == [] && deeper.filter { $0.hasPrefix("+") }.count == 10)
  }

  @Test("Large entries are streamed")
  func streamed() throws {
    let bytes = Self.zip(("a.gpx", Self.gpx()), ("b.gpx.gz", Gzip.stored(Self.gpx())), ("c.gpx", Self.gpx()))
    #expect(
      try Self.steps("x.zip", bytes) { $0.heldSize = 20 } == [
        ">x.zip zip", "+x.zip/a.gpx <?xml streamed", "+x.zip/b.gpx.gz <?xml streamed",
        "+x.zip/c.gpx <?xml streamed",
      ])
  }

  @Test("Entries with late sizes, duplicate names or parent folders in their names are read")
  func oddEntries() throws {
    var zip = ZIPBuilder()
    zip.add("late.gpx", Self.gpx(), flags: 8)
    zip.add("same.gpx", Self.gpx())
    zip.add("same.gpx", Self.gpx(47))
    zip.add("../../climbs.gpx", Self.gpx())
    zip.add("/absolute.gpx", Self.gpx())
    #expect(
      try Self.steps("x.zip", zip.bytes) == [
        ">x.zip zip", "+x.zip/late.gpx <?xml", "+x.zip/same.gpx <?xml", "+x.zip/same.gpx <?xml",
        "+x.zip/../../climbs.gpx <?xml", "+x.zip//absolute.gpx <?xml",
      ])
  }

  @Test("Encrypted entries and links are not read")
  func unreadable() throws {
    var zip = ZIPBuilder()
    zip.add("secret.gpx", Self.gpx(), flags: 1)
    zip.add("link.gpx", Array("/etc/passwd".utf8), mode: 0o120777)
    zip.add("open.gpx", Self.gpx())
    let steps = try Self.steps("x.zip", zip.bytes)
    #expect(steps.contains("!x.zip/secret.gpx unsupported"))
    #expect(!steps.contains { $0.hasPrefix("+x.zip/link.gpx") })
    #expect(steps.last == "+x.zip/open.gpx <?xml")
  }

  @Test("The complete entries of a cut-off ZIP are read, and the cut is reported")
  func truncated() throws {
    let bytes = Self.zip(("a.gpx", Self.gpx()), ("b.gpx", Self.gpx()), ("c.gpx", Self.gpx()))
    let steps = try Self.steps("x.zip", Array(bytes.prefix(bytes.count / 2)))
    #expect(steps.contains("+x.zip/a.gpx <?xml"))
    #expect(steps.contains { $0.hasPrefix("!") })
  }

  @Test("An excessive compression ratio stops reading, even if spread over entries and nested archives")
  func bomb() throws {
    #expect(ArchiveLimits().freeSize == 64 << 20 && ArchiveLimits().ratio == 500)
    func steps(_ name: String, _ bytes: [UInt8]) throws -> [String] {
      try Self.steps(name, bytes) { $0.archiveLimits.freeSize = 4 << 20 }
    }
    // 12 × 1 MB of one character, which deflate reduces to a thousandth.
    let writer = try ArchiveWriter(ByteSink())
    let content = [UInt8](repeating: UInt8(ascii: " "), count: 1_000_000)
    for index in 0..<12 {
      try writer.beginEntry("\(index).gpx")
      try writer.write(content.span)
    }
    try writer.finish()
    let read = try steps("x.zip", writer.bytes)
    // 4 MiB are always allowed, otherwise 500 bytes for each byte of the archive.
    func allowed(_ packed: Int) -> Int { max(4 << 20, packed * 500) / content.count }
    #expect(read.last == "!x.zip limit-exceeded")
    #expect(read.filter { $0.hasPrefix("+") }.count <= allowed(writer.bytes.count))
    // Nested archives share the limit.
    let outer = Self.zip(("0.zip", writer.bytes), ("1.zip", writer.bytes), ("2.zip", writer.bytes))
    let inner = try steps("y.zip", outer)
    #expect(inner.contains { $0.hasSuffix("limit-exceeded") })
    #expect(inner.filter { $0.hasPrefix("+") }.count <= allowed(outer.count))
  }

  @Test("A folder is enumerated by name, without following links to folders and without the output folder")
  func folder() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.file("in/b"), withIntermediateDirectories: true)
    try manager.createDirectory(atPath: folder.file("in/out"), withIntermediateDirectories: true)
    for name in ["in/z.gpx", "in/b/a.gpx", "in/out/old.gpx"] {
      try Data(Self.gpx()).write(to: URL(filePath: folder.file(name)))
    }
    try Data(Self.zip(("q.gpx", Self.gpx()))).write(to: URL(filePath: folder.file("in/c.zip")))
    try manager.createSymbolicLink(atPath: folder.file("in/round"), withDestinationPath: folder.file("in"))
    #expect(
      try Self.steps([folder.file("in")], folder) { $0.excludedFolder = folder.file("in/out") } == [
        ">in folder", "+in/b/a.gpx <?xml", ">in/c.zip zip", "+in/c.zip/q.gpx <?xml", "+in/z.gpx <?xml",
        "-in/round link",
      ])
  }

  @Test("A pipe in a folder is skipped because it might never end")
  func pipe() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
    try #require(unsafe mkfifo(folder.file("in/pipe"), 0o600) == 0)
    try Data(Self.gpx()).write(to: URL(filePath: folder.file("in/a.gpx")))
    #expect(
      try Self.steps([folder.file("in")], folder) == [">in folder", "+in/a.gpx <?xml", "-in/pipe not-a-file"])
  }

  @Test("A document with its pictures is one input; several documents are an archive")
  func documents() throws {
    let kml = Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document/></kml>".utf8)
    #expect(
      try Self.steps("a.kmz", Self.zip(("doc.kml", kml), ("files/a.png", [1]))) == [
        "+a.kmz PK\u{3}\u{4}\u{14}"
      ])
    #expect(
      try Self.steps("a.zip", Self.zip(("one.kml", kml), ("two.kml", kml)))
        == [">a.zip zip", "+a.zip/one.kml <kml ", "+a.zip/two.kml <kml "])
  }

  @Test("A Strava export is detected by its table, and rows without a file are reported")
  func strava() throws {
    let table = """
      a,b,c,d,e,f,g,h,i
      1,2018-09-12 15:02:23,Home,Ride,,948,1,Bike,activities/1.gpx
      2,2018-09-12 15:02:23,By hand,Ride,,948,1,,
      3,2018-09-12 15:02:23,Lost,Ride,,948,1,,#error#
      4,2018-09-12 15:02:23,Missing,Ride,,948,1,,activities/4.fit.gz
      """
    let bytes = Self.zip(
      ("e/activities/1.gpx", Self.gpx()), ("e/routes/r.gpx", Self.gpx()),
      ("e/activities.csv", Array(table.utf8)),
      ("e/activities/9.gpx", Self.gpx()), ("beside.gpx", Self.gpx()))
    #expect(
      try Self.steps("x.zip", bytes) == [
        ">x.zip zip", "+x.zip/e/activities/1.gpx <?xml", "-x.zip/e/routes/r.gpx no-activity",
        "-x.zip/e/activities.csv no-activity", "+x.zip/e/activities/9.gpx <?xml", "+x.zip/beside.gpx <?xml",
        "-x.zip/e/activities.csv:3 (By hand, 2018-09-12 15:02:23) entered-by-hand",
        "-x.zip/e/activities.csv:4 (Lost, 2018-09-12 15:02:23) upload-error",
        "!x.zip/e/activities.csv:5 (Missing, 2018-09-12 15:02:23) not-found",
      ])
  }

  @Test("Empty folders and archives are reported")
  func emptyContainers() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: URL(filePath: folder.file("e")), withIntermediateDirectories: true)
    #expect(try Self.steps([folder.file("e")], folder) == [">e folder", "!e no-tracks"])
    #expect(try Self.steps("x.zip", Self.zip(("in.zip", Self.zip()))).contains { $0.hasSuffix(" empty") })
  }
}
