import Foundation
import Synchronization
import Testing
import TrackFormats
import TrackModel

@testable import TestSupport

@Suite("Byte sink")
struct ByteSinkTests {
  @Test("A file does not exist before it is finished, and is complete afterwards")
  func appearsWhole() throws {
    let folder = try TemporaryFolder()
    var sink = try ByteSink(path: folder.file("out.gpx"))
    try sink.write("a")
    try sink.write(String(repeating: "b", count: 300_000))
    let names = try folder.names()
    #expect(names.count == 1 && names.first != "out.gpx", "a temporary name")
    #expect(names.first?.hasPrefix("out.gpx.") == true)
    try sink.finish()
    #expect(try folder.names() == ["out.gpx"])
    #expect(try folder.text("out.gpx") == "a" + String(repeating: "b", count: 300_000))
  }

  @Test("A large file contains all bytes in order, whatever the sizes of its pieces")
  func largeFile() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    let pattern = (0..<300_256).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for _ in 0..<8 {
      var sink = try ByteSink(path: folder.file("out"))
      var expected: [UInt8] = []
      let total = Int.random(in: 1_000_000...3_000_000, using: &random)
      while expected.count < total {
        // Pieces of 64 KiB and more are written in another way than smaller ones.
        let size =
          switch Int.random(in: 0...3, using: &random) {
          case 0: Int.random(in: 0...100, using: &random)
          case 1: Int.random(in: 0...10_000, using: &random)
          case 2: 1 << 16
          default: Int.random(in: 60_000...300_000, using: &random)
          }
        let start = expected.count % 256
        let piece = pattern[start..<start + size]
        try sink.write(piece.span)
        expected += piece
        #expect(sink.offset == expected.count)
      }
      if Int.random(in: 0...1, using: &random) == 0 {
        sink.insert(Array("inserted".utf8), at: 500_000)
        expected.insert(contentsOf: Array("inserted".utf8), at: 500_000)
      }
      try sink.finish()
      let written = try Data(contentsOf: URL(filePath: folder.file("out")))
      #expect(written == Data(expected))
    }
  }

  @Test("An existing file is unchanged until the new one is finished")
  func oldFileIsKept() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "out.gpx")
    func drop() throws {
      var sink = try ByteSink(path: folder.file("out.gpx"))
      try sink.write(String(repeating: "new", count: 100_000))
      #expect(try folder.text("out.gpx") == "old")
    }
    try drop()
    #expect(try folder.names() == ["out.gpx"])
    #expect(try folder.text("out.gpx") == "old")
    var sink = try ByteSink(path: folder.file("out.gpx"))
    try sink.write("new")
    try sink.finish()
    #expect(try folder.text("out.gpx") == "new")
    #expect(try folder.names() == ["out.gpx"])
  }

  @Test("The reader of an existing file reads it to its end while a new one replaces it")
  func replacedWhileRead() throws {
    let folder = try TemporaryFolder()
    try folder.write("old content", to: "f")
    var input = try ByteInput(path: folder.file("f"), chunk: 3)
    #expect(try input.fill())
    var sink = try ByteSink(path: folder.file("f"))
    try sink.write("new")
    try sink.finish()
    try input.fill(atLeast: 100)
    #expect(input.available.count == 11)
  }

  @Test("A symbolic link is kept, and its target is replaced")
  func symbolicLink() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: true)
    try folder.write("old", to: "real/target.gpx")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.gpx"), withDestinationPath: "real/target.gpx")
    var sink = try ByteSink(path: folder.file("link.gpx"))
    try sink.write("new")
    try sink.finish()
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.gpx")) == "real/target.gpx")
    #expect(try folder.text("real/target.gpx") == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("real")) == ["target.gpx"])
    #expect(try folder.names() == ["link.gpx", "real"])
  }

  @Test("The permissions of the replaced file are kept", arguments: [0o600, 0o644, 0o640, 0o755])
  func permissions(_ mode: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "f")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("f"))
    var sink = try ByteSink(path: folder.file("f"))
    sink.insert(Array("x".utf8), at: 0)
    try sink.write(String(repeating: "new", count: 100_000))
    try sink.finish()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("f"))
    #expect(attributes[.posixPermissions] as? Int == mode)
  }

  @Test("The set-user-ID and set-group-ID bits are not copied to the new file")
  func ownerBits() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.file("f")))
    try FileManager.default.setAttributes([.posixPermissions: 0o6755], ofItemAtPath: folder.file("f"))
    var sink = try ByteSink(path: folder.file("f"))
    try sink.finish()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("f"))
    #expect(attributes[.posixPermissions] as? Int == 0o755)
  }

  @Test("A file without a name is accessible only to its owner")
  func anonymous() throws {
    let file = try FileDescriptor.anonymous()
    #expect(file.permissions == 0o600)
  }

  @Test("A device is written to and not replaced")
  func device() throws {
    var sink = try ByteSink(path: "/dev/null")
    try sink.write(String(repeating: "x", count: 1_000_000))
    try sink.finish()
    let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
    #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test(
    "A full disk is an error",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full"))
  func fullDisk() throws {
    var sink = try ByteSink(path: "/dev/full")
    var error: TrackError?
    do throws(TrackError) {
      try sink.write("x")
      try sink.finish()
    } catch let caught {
      error = caught
    }
    #expect(error?.code == .noSpace)
  }

  @Test("A file cannot be created in a missing folder or inside a file")
  func notCreatable() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    for path in [folder.file("missing/out.gpx"), folder.file("file") + "/out.gpx", folder.path, ""] {
      let error = #expect(throws: TrackError.self) { _ = try ByteSink(path: path).offset }
      #expect(error?.code == .notCreatable, "\(path)")
    }
    #expect(try folder.names() == ["file"])
  }

  @Test(
    "A file cannot be created in a folder without write permission",
    // The superuser can write everywhere.
    .enabled(if: NSUserName() != "root", "runs as root"))
  func unwritableFolder() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
    let error = #expect(throws: TrackError.self) { _ = try ByteSink(path: folder.file("out")).offset }
    #expect(error?.code == .notCreatable)
  }

  @Test("Memory contains the output with its insertions")
  func memory() throws {
    var sink = ByteSink()
    try sink.write("head ")
    let place = sink.offset
    #expect(place == 5)
    try sink.write("tail")
    sink.insert(Array("one ".utf8), at: place)
    sink.insert(Array("two ".utf8), at: place)
    sink.insert(Array("!".utf8), at: sink.offset)
    try sink.finish()
    #expect(String(decoding: sink.bytes, as: UTF8.self) == "head one two tail!")
  }

  @Test(
    "Insertions are at the right offsets of a file, whatever was flushed before",
    arguments: [10, 65_535, 65_536, 200_000, 1_000_000])
  func insertions(_ length: Int) throws {
    let folder = try TemporaryFolder()
    var sink = try ByteSink(path: folder.file("f"))
    var expected = ""
    var places: [Int] = []
    for part in 0..<3 {
      let text = String(repeating: "\(part)", count: length)
      // In pieces, so that the sink flushes between them.
      for start in stride(from: 0, to: length, by: 5000) {
        try sink.write(String(text.prefix(min(5000, length - start))))
      }
      places.append(sink.offset)
      expected += text + "<\(part)>"
    }
    for (part, place) in places.enumerated() { sink.insert(Array("<\(part)>".utf8), at: place) }
    try sink.finish()
    #expect(try folder.text("f") == expected)
    #expect(try folder.names() == ["f"])
  }

  @Test(
    "Late insertions in a pipe are written at the correct position or are an error, and are never lost",
    arguments: [1000, 70_000])
  func lateOnPipe(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    let isMade = unsafe mkfifo(path, 0o600) == 0
    try #require(isMade)
    // On a separate thread: opening a pipe waits for the other side, and tasks share few threads.
    let received = Mutex<[UInt8]?>(nil)
    let reader = Thread {
      guard var input = try? ByteInput(path: path) else { return }
      // Reads as long as there is a writer.
      while (try? input.fill()) == true {}
      let bytes = input.available.array
      received.withLock { $0 = bytes }
    }
    reader.start()
    var failure: TrackError?
    func write() {
      do throws(TrackError) {
        var writer = GPXWriter(try ByteSink(path: path))
        var batch = PointBatch(capacity: 1000)
        try writer.write(.header(FileInfo()), batch)
        try writer.write(.beginTrack(TrackInfo()), batch)
        try writer.write(.beginSegment, batch)
        for _ in 0..<1000 {
          batch.append(latitude: 47.123456789, longitude: 8.123456789, time: 1_700_000_000_123_456)
        }
        try writer.write(.points, batch)
        try writer.write(.endSegment, batch)
        try writer.write(.endTrack, batch)
        try writer.write(
          .waypoint(
            Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2), details: PointDetails(name: "late"))),
          batch)
        try writer.write(.beginTrack(TrackInfo()), batch)
        try writer.write(.beginSegment, batch)
        for _ in 0..<(count / 1000) { try writer.write(.points, batch) }
        try writer.write(.endSegment, batch)
        try writer.write(.endTrack, batch)
        try writer.finish()
      } catch {
        failure = error
      }
    }
    write()
    while !reader.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    let bytes = try #require(received.withLock { $0 })
    // A point has about 80 bytes, so the larger count exceeds everything that a stream can hold back.
    if let failure {
      #expect(count > 1000)
      #expect(failure.code == .unwritable)
    } else {
      let points = Transcript(gpx: bytes).points
      #expect(points.first?.hasPrefix("waypoint 1 2") == true)
      #expect(points.count == 1 + 1000 + count)
    }
  }
}
