import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Background writer")
struct BackgroundWriterTests {
  private func line(_ index: Int) -> String {
    "line \(index) " + String(repeating: "x", count: index % 97) + "\n"
  }

  @Test("A large file written by the thread has the same bytes as a small one, in order")
  func largeFile() throws {
    let folder = try TemporaryFolder()
    var sink = try ByteSink(path: folder.file("out"))
    var expected = ""
    for index in 0..<60_000 {
      try sink.write(line(index))
      expected += line(index)
      // Large buffers, which are written without a copy, keep their order as well.
      if index % 20_000 == 19_999 {
        let block = [UInt8](repeating: 0x23, count: 200_000)
        try sink.write(block.span)
        expected += String(repeating: "#", count: 200_000)
      }
    }
    #expect(expected.utf8.count > 3 << 20, "large enough for a thread")
    try sink.finish()
    #expect(try folder.text("out") == expected)
    #expect(try folder.names() == ["out"])
  }

  @Test("Bytes inserted into a large file are written at their offset")
  func insertion() throws {
    let folder = try TemporaryFolder()
    var sink = try ByteSink(path: folder.file("out"))
    try sink.write("head\n")
    let place = sink.offset
    var expected = "head\ninserted\n"
    for index in 0..<60_000 {
      try sink.write(line(index))
      expected += line(index)
    }
    sink.insert(Array("inserted\n".utf8), at: place)
    try sink.finish()
    #expect(try folder.text("out") == expected)
  }

  @Test("Dropping a large file leaves no file")
  func dropped() throws {
    let folder = try TemporaryFolder()
    func drop() throws {
      var sink = try ByteSink(path: folder.file("out"))
      for index in 0..<60_000 { try sink.write(line(index)) }
    }
    try drop()
    #expect(try folder.names() == [])
  }

  @Test("A failure is thrown by the next call and all later ones", .enabled(if: hasFullDevice))
  func failure() throws {
    let writer = BackgroundWriter(try FileDescriptor.writing(existing: "/dev/full"), synchronizes: true)
    var buffer = ByteBuffer()
    buffer.append("lost")
    try writer.write(&buffer)
    for _ in 0..<3 {
      let error = #expect(throws: TrackError.self) { try writer.settle() }
      #expect(error?.code == .noSpace)
    }
    buffer.append("more")
    #expect(throws: TrackError.self) { try writer.write(&buffer) }
    #expect(throws: TrackError.self) { try writer.settle() }
  }
}

private let hasFullDevice = FileDescriptor.kind(at: "/dev/full") == .other
