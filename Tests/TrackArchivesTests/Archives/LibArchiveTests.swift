import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

/// Reading archives by entry and as streams: from memory, from a file, from another archive.
@Suite("Archives")
struct LibArchiveTests {
  private static func archive(_ entries: [(name: String, content: [UInt8])]) throws -> [UInt8] {
    let writer = try ArchiveWriter(ByteSink())
    for entry in entries {
      try writer.beginEntry(entry.name)
      try writer.write(entry.content.span)
    }
    try writer.finish()
    return writer.bytes
  }

  /// Returns all entries as `name: content`.
  private static func contents(_ archive: ArchiveReader) throws -> [String] {
    var result: [String] = []
    while let entry = try archive.nextEntry() {
      var input = ByteInput(stream: archive, name: nil)
      var text = ""
      while try input.fill() {}
      text = input.available.indices.map { String(UnicodeScalar(input.available[$0])) }.joined()
      result.append("\(entry.name): \(text)")
    }
    return result
  }

  private static func reader(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws
    -> ArchiveReader
  {
    var input = ByteInput(bytes: bytes)
    let memory = try ArchiveMemory(reading: &input, limit: 1 << 20)
    return try ArchiveReader(memory: memory, formats: [.zip, .tar, .gzip], budget: ArchiveBudget(limits))
  }

  private static let entries: [(name: String, content: [UInt8])] = [
    ("a.gpx", Array("first".utf8)), ("Größe/日本.kml", Array("second".utf8)), ("empty", []),
  ]
  private static let listing = ["a.gpx: first", "Größe/日本.kml: second", "empty: "]

  @Test("Entries have their names and contents, from memory, a file and a stream")
  func sources() throws {
    let bytes = try LibArchiveTests.archive(LibArchiveTests.entries)
    #expect(try LibArchiveTests.contents(LibArchiveTests.reader(bytes)) == LibArchiveTests.listing)
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: folder.file("a.zip")))
    let file = try FileDescriptor.reading(folder.file("a.zip"))
    #expect(try LibArchiveTests.contents(ArchiveReader(file: file, formats: .zip)) == LibArchiveTests.listing)
    let stream = try ArchiveReader(stream: BytePieces(bytes, chunk: 7), formats: .zip)
    #expect(try LibArchiveTests.contents(stream) == LibArchiveTests.listing)
  }

  @Test("A writer that is released within an entry frees its memory")
  func abandonedWriters() async {
    await #expect(processExitsWith: .success) {
      let text = Array(String(repeating: "an incomplete entry ", count: 100).utf8)
      func abandon(_ count: Int) throws {
        for _ in 0..<count {
          let writer = try ArchiveWriter(ByteSink())
          try writer.beginEntry("doc.kml")
          try writer.write(text.span)
        }
      }
      // The first writers may load libraries.
      try abandon(20)
      let before = peakMemory()
      try abandon(400)
      // Each used to leak 268 kB.
      #expect(peakMemory() - before < 16 << 20)
    }
  }

  @Test("A nested archive is read without temporary files")
  func nested() throws {
    var bytes = try LibArchiveTests.archive(LibArchiveTests.entries)
    for level in 0..<3 { bytes = try LibArchiveTests.archive([("\(level).zip", bytes)]) }
    var archive = try LibArchiveTests.reader(bytes)
    for level in (0..<3).reversed() {
      #expect(try archive.nextEntry()?.name == "\(level).zip")
      archive = try ArchiveReader(stream: archive, formats: .zip)
    }
    #expect(try LibArchiveTests.contents(archive) == LibArchiveTests.listing)
  }

  @Test("Unread content of an entry is skipped")
  func skipping() throws {
    let large = [UInt8](repeating: 65, count: 300_000)
    let bytes = try LibArchiveTests.archive([("large", large), ("b", [66])])
    for reader in [
      try LibArchiveTests.reader(bytes),
      try ArchiveReader(stream: BytePieces(bytes, chunk: 1000), formats: .zip),
    ] {
      #expect(try reader.nextEntry()?.name == "large")
      #expect(try reader.nextEntry()?.name == "b")
      #expect(try reader.nextEntry() == nil)
    }
  }

  /// Returns a header block (POSIX 1003.1-1988, ustar) and a block with `hello`.
  private static func tarEntry(_ name: String) -> [UInt8] {
    var tar = [UInt8](repeating: 0, count: 2 * 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { tar[offset + index] = byte }
    }
    put(name, at: 0)
    put("0000644", at: 100)
    put("00000000005", at: 124)
    put("00000000000", at: 136)
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put("hello", at: 512)
    let sum = tar[..<512].reduce(0) { $0 + Int($1) }
    let octal = String(sum, radix: 8)
    put(String(repeating: "0", count: 6 - octal.count) + octal, at: 148)
    tar[154] = 0
    return tar
  }

  /// Two blocks of zeros end an archive.
  private static let endOfTar = [UInt8](repeating: 0, count: 2 * 512)

  @Test("A tar archive is read")
  func tar() throws {
    let tar = LibArchiveTests.tarEntry("ride.kml") + LibArchiveTests.endOfTar
    #expect(try LibArchiveTests.contents(LibArchiveTests.reader(tar)) == ["ride.kml: hello"])
  }

  @Test("After a lost header of a tar archive, the other entries are read and the loss is an error")
  func lostHeaders() throws {
    let whole = ["a", "b", "c"].flatMap(LibArchiveTests.tarEntry) + LibArchiveTests.endOfTar
    var blank = whole
    blank.replaceSubrange(1024..<1536, with: repeatElement(0, count: 512))
    var flipped = whole
    flipped[1024 + 124] ^= 1
    for damaged in [blank, flipped] {
      let reader = try LibArchiveTests.reader(damaged)
      #expect(try reader.nextEntry()?.name == "a")
      #expect(try reader.nextEntry()?.name == "c")
      expectError(.malformed) { try reader.nextEntry() }
      #expect(try reader.nextEntry() == nil)
    }
  }

  @Test("A wrong checksum of a compressed tar archive is an error after its entries")
  func tarChecksum() throws {
    let tar = LibArchiveTests.tarEntry("ride.kml") + LibArchiveTests.endOfTar
    var gzip = Gzip.stored(tar)
    let whole = try LibArchiveTests.reader(gzip)
    #expect(try LibArchiveTests.contents(whole) == ["ride.kml: hello"])
    #expect(whole.position == gzip.count)
    // The header of gzip has 10 bytes, that of its block 5 and that of the entry 512.
    gzip[10 + 5 + 512] = UInt8(ascii: "j")
    let folder = try TemporaryFolder()
    let file = try FileDescriptor.reading(folder.write(gzip, to: "a.tgz"))
    for reader in [
      try LibArchiveTests.reader(gzip), try ArchiveReader(file: file, formats: .archives),
      try ArchiveReader(stream: BytePieces(gzip, chunk: 7), formats: .archives),
    ] {
      #expect(try reader.nextEntry()?.name == "ride.kml")
      expectError(.malformed) { try reader.nextEntry() }
      #expect(try reader.nextEntry() == nil)
    }
  }

  @Test("The middle of a name that is too long for a path is omitted")
  func longName() throws {
    let name = String(repeating: "a", count: 3000) + String(repeating: "b", count: 3000) + ".gpx"
    var zip = ZIPBuilder()
    zip.add(name, [])
    let half = ArchiveReader.maximumName / 2
    #expect(
      try LibArchiveTests.reader(zip.bytes).nextEntry()?.name == "\(name.prefix(half))…\(name.suffix(half))")
  }

  @Test("Reading an archive beyond its limits throws an error")
  func limits() throws {
    let bytes = try LibArchiveTests.archive([("a", [UInt8](repeating: 65, count: 100_000)), ("b", [66])])
    var limits = ArchiveLimits()
    limits.entrySize = 99_999
    expectError(.limitExceeded) {
      try LibArchiveTests.contents(LibArchiveTests.reader(bytes, limits: limits))
    }
    limits = ArchiveLimits()
    limits.freeSize = 1000
    limits.ratio = 10
    expectError(.limitExceeded) {
      try LibArchiveTests.contents(LibArchiveTests.reader(bytes, limits: limits))
    }
    limits = ArchiveLimits()
    limits.entryCount = 1
    expectError(.limitExceeded) {
      try LibArchiveTests.contents(LibArchiveTests.reader(bytes, limits: limits))
    }
    var input = ByteInput(bytes: bytes)
    expectError(.limitExceeded) { try ArchiveMemory(reading: &input, limit: 100) }
  }

  @Test("Data that is not an archive is rejected", arguments: ["", "text", "PK\u{3}\u{4}", "<kml/>"])
  func noArchive(_ text: String) {
    #expect(throws: TrackError.self) {
      let reader = try LibArchiveTests.reader(Array(text.utf8))
      while try reader.nextEntry() != nil {}
      // An empty archive has no entries, which callers may treat as an error.
      if text.isEmpty { throw TrackError(.truncated, "") }
    }
  }

  @Test("An error of the source is thrown by the archive reader")
  func sourceFault() throws {
    let bytes = try LibArchiveTests.archive([("a", [UInt8](repeating: 65, count: 100))])
    let stream = BytePieces(bytes, chunk: 10)
    stream.failsAt = 40
    expectError(.unreadable) {
      try LibArchiveTests.contents(ArchiveReader(stream: stream, formats: .zip))
    }
  }

  @Test("A ZIP writer that is not finished leaves no file")
  func dropped() throws {
    let folder = try TemporaryFolder()
    do {
      let writer = try ArchiveWriter(ByteSink(path: folder.file("a.kmz")))
      try writer.beginEntry("doc.kml")
      try writer.write([UInt8](repeating: 65, count: 100).span)
    }
    #expect(try folder.names() == [])
  }

  @Test(
    "Messages of libarchive are adapted for use within a sentence",
    arguments: [
      ("ZIP bad CRC: 0x1 should be 0x2", "ZIP bad CRC: 0x1 should be 0x2"),
      ("Truncated ZIP file header", "truncated ZIP file header"), ("ZIP wrong size\n", "ZIP wrong size"),
      ("", ""),
    ])
  func messages(_ message: String, _ text: String) {
    #expect(ArchiveReader.inSentence(message) == text)
  }
}
