import Testing

@testable import TrackModel

@Suite struct MurmurHash3Tests {
  private func hash(_ bytes: [UInt8], seed: UInt32) -> [UInt8] {
    var hash = MurmurHash3(seed: seed)
    let (low, high) = hash.finish(bytes.span)
    return [low, high].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
    }
  }

  @Test("A block has the same hash as words and as bytes")
  func words() {
    let bytes = (0..<43).map { UInt8($0 * 5) }
    var whole = MurmurHash3()
    let expected = whole.finish(bytes.span)
    var split = MurmurHash3()
    split.mix(bytes.span.word(at: 0), bytes.span.word(at: 8))
    let rest = Array(bytes.dropFirst(16))
    let result = split.finish(rest.span)
    #expect(result == expected)
  }

  @Test("The verification value matches SMHasher's")
  func verification() {
    // SMHasher's VerificationTest: keys 0, 0…1, 0…2, … with the seeds 256 − length, and the hash of their
    // hashes.
    var hashes: [UInt8] = []
    for length in 0..<256 {
      hashes += hash((0..<length).map { UInt8($0) }, seed: UInt32(256 - length))
    }
    let value = hash(hashes, seed: 0).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    #expect(value == 0x6384_BA69)
  }
}
