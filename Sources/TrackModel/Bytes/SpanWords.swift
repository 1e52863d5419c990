extension Span<UInt8> {
  /// The length of the UTF-8 byte order mark at the start, or 0 without one.
  package var byteOrderMarkLength: Int {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0
  }

  /// Returns up to eight bytes at an index as a little-endian word, padded with zeros after the end.
  ///
  /// - Precondition: `0 <= index <= count`.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count, "index out of range")
    if index <= count &- 8 { return uncheckedWord(at: index) }
    guard count >= 8, index < count else { return rest(at: index) }
    // Shifts the preceding bytes out of the last eight.
    return uncheckedWord(at: count &- 8) &>> UInt64(8 &* (index &+ 8 &- count))
  }

  /// Returns eight bytes at an index as a little-endian word.
  ///
  /// - Precondition: `0 <= index <= count - 8`, which only debug builds check.
  @inlinable @inline(__always)
  func uncheckedWord(at index: Int) -> UInt64 {
    assert(index >= 0 && index <= count - 8, "index out of range")
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Whether a byte is zero.
  package var containsZero: Bool {
    var index = 0
    while index <= count &- 8 {
      let word = uncheckedWord(at: index)
      // Only a zero borrows from the bit above it without having it.
      if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
      index &+= 8
    }
    while index < count {
      if self[index] == 0 { return true }
      index &+= 1
    }
    return false
  }

  /// Returns the byte at an index.
  ///
  /// - Precondition: `0 <= index < count`, which only debug builds check.
  @inlinable @inline(__always)
  func uncheckedByte(at index: Int) -> UInt8 {
    assert(index >= 0 && index < count, "index out of range")
    return unsafe self[unchecked: index]
  }

  /// Loads fewer than eight bytes as two overlapping halves.
  private func rest(at index: Int) -> UInt64 {
    let left = count &- index
    switch left {
    case 4..<8:
      let first = unsafe UInt32(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
      let last = unsafe UInt32(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return UInt64(first) | UInt64(last) &<< UInt64(8 &* (left &- 4))
    case 2..<4:
      return UInt64(self[index]) | UInt64(self[index &+ 1]) << 8
        | UInt64(self[count &- 1]) &<< UInt64(8 &* (left &- 1))
    case 1: return UInt64(self[index])
    default: return 0
    }
  }

  /// Returns the number of line feeds and the index of the last one.
  package func lineFeeds() -> (count: Int, last: Int?) {
    var count = 0
    var last: Int?
    var index = 0
    while index < self.count {
      // Many files are a single long line.
      while index <= self.count &- 32 {
        let here = feeds(uncheckedWord(at: index)) | feeds(uncheckedWord(at: index &+ 8))
        let next = feeds(uncheckedWord(at: index &+ 16)) | feeds(uncheckedWord(at: index &+ 24))
        guard (here | next) & 0x8080_8080_8080_8080 == 0 else { break }
        index &+= 32
      }
      let found = feeds(word(at: index)) & 0x8080_8080_8080_8080
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

  /// Returns a word with the top bit set for each byte that is a line feed. The bit of the byte above may be
  /// set too, and so may the lower bits of any byte.
  @inline(__always)
  private func feeds(_ word: UInt64) -> UInt64 {
    let others = word ^ 0x0A0A_0A0A_0A0A_0A0A
    // A byte is zero if subtracting 1 sets its top bit and the bit was clear before.
    return (others &- 0x0101_0101_0101_0101) & ~others
  }
}

extension MutableSpan<UInt8> {
  /// Writes eight bytes at `offset`, least significant byte first.
  ///
  /// - Precondition: the bytes are within the span, which only debug builds check.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func storeUnchecked(_ word: UInt64, at offset: Int) {
    assert(offset >= 0 && offset <= count - 8, "a word beyond the end")
    unsafe withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}
