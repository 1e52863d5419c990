/// MurmurHash3_x64_128 by Austin Appleby (public domain): a fast, non-cryptographic 128-bit hash. The result
/// is the same on every platform.
package struct MurmurHash3 {
  private var first: UInt64
  private var second: UInt64
  private var length = 0

  package init(seed: UInt32 = 0) {
    first = UInt64(seed)
    second = UInt64(seed)
  }

  private static let firstFactor: UInt64 = 0x87C3_7B91_1142_53D5
  private static let secondFactor: UInt64 = 0x4CF5_AD43_2745_937F

  /// Adds a block of 16 bytes, given as two little-endian words.
  @inline(__always)
  package mutating func mix(_ low: UInt64, _ high: UInt64) {
    first ^= Self.rotate(low &* Self.firstFactor, 31) &* Self.secondFactor
    first = (Self.rotate(first, 27) &+ second) &* 5 &+ 0x52DC_E729
    second ^= Self.rotate(high &* Self.secondFactor, 33) &* Self.firstFactor
    second = (Self.rotate(second, 31) &+ first) &* 5 &+ 0x3849_5AB5
    length &+= 16
  }

  /// Adds the first bytes of a span.
  ///
  /// - Parameter count: the number of bytes, a multiple of 16.
  mutating func mixBlocks(of bytes: Span<UInt8>, _ count: Int) {
    precondition(count >= 0 && count % 16 == 0 && count <= bytes.count, "blocks beyond the end")
    // A copy, so that the state stays in registers.
    var hash = self
    var offset = 0
    while offset < count {
      hash.mix(bytes.uncheckedWord(at: offset), bytes.uncheckedWord(at: offset &+ 8))
      offset &+= 16
    }
    self = hash
  }

  /// Adds the remaining bytes and returns the hash as bytes 0…7 and 8…15, little-endian.
  package mutating func finish(_ bytes: Span<UInt8>) -> (low: UInt64, high: UInt64) {
    let blocks = bytes.count / 16 * 16
    mixBlocks(of: bytes, blocks)
    var low: UInt64 = 0
    var high: UInt64 = 0
    for offset in blocks..<bytes.count {
      let position = UInt64(offset - blocks)
      if position < 8 {
        low |= UInt64(bytes[offset]) << (8 * position)
      } else {
        high |= UInt64(bytes[offset]) << (8 * (position - 8))
      }
    }
    second ^= Self.rotate(high &* Self.secondFactor, 33) &* Self.firstFactor
    first ^= Self.rotate(low &* Self.firstFactor, 31) &* Self.secondFactor
    let total = UInt64(length + bytes.count - blocks)
    first ^= total
    second ^= total
    first = first &+ second
    second = second &+ first
    first = Self.avalanche(first)
    second = Self.avalanche(second)
    first = first &+ second
    second = second &+ first
    return (first, second)
  }

  @inline(__always)
  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }

  private static func avalanche(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ word >> 33) &* 0xFF51_AFD7_ED55_8CCD
    word = (word ^ word >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return word ^ word >> 33
  }
}
