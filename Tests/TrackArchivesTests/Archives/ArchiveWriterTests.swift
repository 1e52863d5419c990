import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Writing archives")
struct ArchiveWriterTests {
  @Test("A full disk is reported by the call that writes, and by all later calls")
  func fullDisk() throws {
    var generator = SeededGenerator(seed: 1)
    // Random bytes, repeated beyond the reach of deflate, so that they cannot be compressed. They are more
    // than the sink holds back.
    let block = (0..<(1 << 16)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var bytes: [UInt8] = []
    for _ in 0..<80 { bytes += block }
    let writer = try ArchiveWriter(ByteSink(path: "/dev/full"))
    try writer.beginEntry("doc.kml")
    expectError(.noSpace) { try writer.write(bytes.span) }
    expectError(.noSpace) { try writer.write([1].span) }
    expectError(.noSpace) { try writer.beginEntry("other.kml") }
    expectError(.noSpace) { try writer.finish() }
  }
}
