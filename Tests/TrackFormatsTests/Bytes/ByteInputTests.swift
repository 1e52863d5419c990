import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Byte input")
struct ByteInputTests {
  /// Returns the window as an array.
  private func window(_ input: borrowing ByteInput) -> [UInt8] {
    let available = input.available
    return (0..<available.count).map { available[$0] }
  }

  @Test("Reading to the end yields every byte once", arguments: [1, 2, 3, 7, 61, 4096, 100_000])
  func wholeFile(_ chunk: Int) throws {
    let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let folder = try TemporaryFolder()
    try Data(content).write(to: URL(filePath: folder.file("bytes")))
    var inputs = 0
    func check(_ input: consuming ByteInput) throws {
      var read: [UInt8] = []
      while try input.fill() {
        #expect(input.offset == read.count)
        read += window(input)
        input.consumeAll()
      }
      #expect(read == content)
      #expect(input.offset == content.count)
      #expect(try !input.fill())
      inputs += 1
    }
    try check(ByteInput(bytes: content, chunk: chunk))
    try check(ByteInput(path: folder.file("bytes"), chunk: chunk))
    #expect(inputs == 2)
  }

  @Test("The window grows if nothing is consumed, and moves when bytes are consumed")
  func growth() throws {
    var input = ByteInput(bytes: Array(0..<200), chunk: 8)
    try input.fill(atLeast: 50)
    #expect(window(input).starts(with: 0..<50))
    #expect(input.available.count < 60)
    input.consume(45)
    #expect(input.offset == 45 && input.available[0] == 45)
    try input.fill(atLeast: 100)
    #expect(window(input).starts(with: 45..<145))
    input.consume(0)
    try input.fill(atLeast: 1000)
    #expect(window(input) == Array(45..<200))
    #expect(try !input.fill())
    input.consume(155)
    #expect(input.offset == 200 && input.available.isEmpty)
    #expect(try !input.fill())
  }

  @Test("An empty input ends immediately")
  func empty() throws {
    var input = ByteInput(bytes: [])
    #expect(try !input.fill())
    try input.fill(atLeast: 10)
    #expect(input.available.isEmpty && input.offset == 0)
  }

  @Test("A chunk size below one byte is treated as one")
  func smallestChunk() throws {
    var input = ByteInput(bytes: [1, 2], chunk: 0)
    #expect(try input.fill())
    #expect(input.available.count == 1)
  }

  @Test("A file has its size and name, and progress counts the bytes read")
  func progress() throws {
    let folder = try TemporaryFolder()
    try folder.write("0123456789", to: "ten")
    let progress = ByteProgress()
    var input = try ByteInput(path: folder.file("ten"), chunk: 4, progress: progress)
    #expect(input.size == 10 && input.name == folder.file("ten"))
    #expect(progress.bytesRead == 0)
    #expect(try input.fill())
    #expect(progress.bytesRead == 4)
    try input.fill(atLeast: 100)
    #expect(progress.bytesRead == 10)
    #expect(ByteInput(bytes: [1]).size == nil)
  }

  @Test("A missing file, a folder and an empty name are distinct errors")
  func errors() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("missing.gpx")
    let error = #expect(throws: TrackError.self) { _ = try ByteInput(path: missing).offset }
    #expect(error?.code == .notFound && error?.file == missing)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.gpx"), withDestinationPath: "missing.gpx")
    let link = #expect(throws: TrackError.self) { _ = try ByteInput(path: folder.file("link.gpx")).offset }
    #expect(link?.suggestion == .text("it is a link to missing.gpx, which does not exist"))
    let isFolder = #expect(throws: TrackError.self) { _ = try ByteInput(path: folder.path).offset }
    #expect(isFolder?.code == .unreadable && isFolder?.file == folder.path)
    let empty = #expect(throws: TrackError.self) { _ = try ByteInput(path: "").offset }
    #expect(empty?.code == .notFound)
    try folder.write("x", to: "file")
    let inside = #expect(throws: TrackError.self) {
      _ = try ByteInput(path: folder.file("file") + "/x").offset
    }
    #expect(inside != nil)
  }

  @Test("A device is read to its end")
  func device() throws {
    var input = try ByteInput(path: "/dev/null")
    #expect(input.size == nil)
    #expect(try !input.fill())
  }

  @Test(
    "Files and memory support seeking, and progress counts no byte twice",
    arguments: [1, 3, 64])
  func seeking(_ chunk: Int) throws {
    let content = Array(UInt8(0)..<50)
    let folder = try TemporaryFolder()
    try Data(content).write(to: URL(filePath: folder.file("bytes")))
    let progress = ByteProgress()
    func check(_ input: consuming ByteInput) throws {
      let isSeekable = input.isSeekable
      #expect(isSeekable)
      // To the start, into the window, before it, after it, to the end, and back.
      for place in [0, 10, 12, 5, 30, 50, 49, 0, 60, 20] {
        try input.seek(to: place)
        #expect(input.offset == place)
        try input.fill(atLeast: 7)
        let expected = content.dropFirst(place).prefix(7)
        #expect(window(input).prefix(7).elementsEqual(expected), "from \(place)")
        input.consume(min(3, input.available.count))
      }
      while try input.fill() {}
      #expect(window(input).elementsEqual(content[23...]))
    }
    try check(ByteInput(bytes: content, chunk: chunk))
    try check(ByteInput(path: folder.file("bytes"), chunk: chunk, progress: progress))
    #expect(progress.bytesRead == 50)
  }

  @Test("Streams do not support seeking")
  func streams() throws {
    let error = #expect(throws: TrackError.self) {
      var pipe = ByteInput(stream: BytePieces([1, 2], chunk: 1), name: "pipe")
      try pipe.seek(to: 0)
    }
    #expect(error?.code == .unreadable && error?.file == "pipe")
    let pipe = ByteInput(stream: BytePieces([1, 2], chunk: 1), name: nil).isSeekable
    let device = try ByteInput(path: "/dev/null").isSeekable
    #expect(!pipe && !device)
  }
}
