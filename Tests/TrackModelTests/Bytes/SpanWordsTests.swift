import TestSupport
import Testing

@testable import TrackModel

@Suite("Reading spans by words")
struct SpanWordsTests {
  @Test("A word is the next eight bytes, padded with zeros at the end", arguments: 0...20)
  func words(count: Int) {
    let bytes = (0..<count).map { UInt8($0 * 12 + 7) }
    for index in 0...count {
      var expected: UInt64 = 0
      for offset in 0..<min(8, count - index) { expected |= UInt64(bytes[index + offset]) << (8 * offset) }
      #expect(bytes.span.word(at: index) == expected)
    }
  }

  @Test("A zero is found at any position, and other bytes are not zeros", arguments: 0...20)
  func zeros(count: Int) {
    for byte: UInt8 in [1, 0x7F, 0x80, 0x81, 0xFF] {
      var bytes = [UInt8](repeating: byte, count: count)
      let isFree = !bytes.span.containsZero
      #expect(isFree)
      for index in 0..<count {
        bytes[index] = 0
        let isFound = bytes.span.containsZero
        #expect(isFound)
        bytes[index] = byte
      }
    }
  }

  @Test("Exactly the line feeds are counted, at any position")
  func lineFeeds() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(5000) {
      // Long ranges without line feeds are skipped in larger steps.
      let isSparse = random.integer(0...1) == 1
      let bytes = (0..<random.integer(0...150)).map { _ -> UInt8 in
        if isSparse, random.integer(0...20) > 0 { return 0x0B }
        return [0x0A, 0x0A, 0x0B, 0x09, 0x8A, 0x00, 0xFF, UInt8(truncatingIfNeeded: random.next())][
          random.integer(0...7)]
      }
      let found = bytes.span.lineFeeds()
      #expect(found.count == bytes.count { $0 == 0x0A }, "\(bytes)")
      #expect(found.last == bytes.lastIndex(of: 0x0A), "\(bytes)")
    }
  }
}
