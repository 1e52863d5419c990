import TestSupport
import Testing

@testable import TrackModel

@Suite struct ContentHashTests {
  private func hash(_ bytes: [UInt8]) -> ContentHash { ContentHash(bytes.span) }

  @Test("The hashes match Guava's documented values of MurmurHash3")
  func known() {
    #expect(hash([]).description == "00000000000000000000000000000000")
    #expect(hash(Array("hello".utf8)).description == "029bbd41b3a7d8cb191dae486a901e5b")
  }

  @Test("Bytes added in pieces have the same hash as the whole")
  func pieces() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(2000) {
      let bytes = (0..<random.integer(0...200)).map { _ in UInt8(random.integer(0...255)) }
      var hasher = ContentHasher()
      var start = 0
      while start < bytes.count {
        let end = min(start + random.integer(0...40), bytes.count)
        hasher.update(bytes.span.extracting(start..<end))
        start = end
      }
      #expect(hasher.result == hash(bytes))
      #expect(hasher.count == bytes.count)
    }
  }

  @Test("The text of a hash is parsed; other text is rejected")
  func text() {
    for count in 0..<50 {
      let hash = hash((0..<count).map { UInt8($0 * 7 & 255) })
      #expect(ContentHash(hash.description) == hash)
      #expect(ContentHash(String(hash.description.dropLast())) == nil)
      #expect(ContentHash(hash.description + "0") == nil)
    }
    #expect(ContentHash("029BBD41B3A7D8CB191DAE486A901E5B") == nil)
  }
}
