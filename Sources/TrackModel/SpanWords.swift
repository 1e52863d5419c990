extension Span<UInt8> {
  /// Up to eight bytes from an index on as a word, the first in the lowest bits, zeros behind the end.
  ///
  /// - Precondition: `0 <= index <= count`.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count, "no such byte")
    if index <= count &- 8 {
      return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
    return rest(at: index)
  }

  /// What is left of a text that ends within eight bytes.
  private func rest(at index: Int) -> UInt64 {
    if count >= 8, index < count {
      // The last eight bytes, without those before.
      let last = unsafe UInt64(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      return last &>> UInt64(8 &* (index &+ 8 &- count))
    }
    var word: UInt64 = 0
    for position in stride(from: count - 1, through: index, by: -1) {
      word = word << 8 | UInt64(self[position])
    }
    return word
  }

  /// How many line feeds there are, and where the last one is.
  package func lineFeeds() -> (count: Int, last: Int?) {
    var count = 0
    var last: Int?
    var index = 0
    while index < self.count {
      // Many files are one long line.
      while index <= self.count &- 32 {
        let here = feeds(at: index) | feeds(at: index &+ 8)
        guard here | feeds(at: index &+ 16) | feeds(at: index &+ 24) == 0 else { break }
        index &+= 32
      }
      let found = feeds(at: index)
      if found == 0 {
        index += 8
        continue
      }
      index += found.trailingZeroBitCount >> 3
      count += 1
      last = index
      index += 1
    }
    return (count, last)
  }

  /// The top bit of each of eight bytes that is a line feed; of one above such a byte it may be set as well.
  @inline(__always)
  private func feeds(at index: Int) -> UInt64 {
    let others = word(at: index) ^ 0x0A0A_0A0A_0A0A_0A0A
    // A byte is zero where subtracting 1 sets its top bit and it was not set before.
    return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
  }
}
