/// A 128-bit hash of a file's content: `MurmurHash3` (x64, seed 0).
///
/// The probability of an accidental collision among a billion contents is 10⁻²¹. The hash does not protect
/// against deliberate collisions.
public struct ContentHash: Sendable, Hashable, CustomStringConvertible {
  let low: UInt64
  let high: UInt64

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Creates the hash of bytes.
  public init(_ bytes: Span<UInt8>) {
    var hash = MurmurHash3()
    (low, high) = hash.finish(bytes)
  }

  /// Parses the format of ``description``. Returns `nil` for any other text.
  public init?(_ text: String) {
    var words: [UInt64] = [0, 0]
    var digits = 0
    for byte in text.utf8 {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      guard digits < 32 else { return nil }
      // Least significant byte first, the high digit of each byte first.
      let shift = UInt64(digits % 16 / 2 * 8 + (digits % 2 == 0 ? 4 : 0))
      words[digits / 16] |= UInt64(value) << shift
      digits += 1
    }
    guard digits == 32 else { return nil }
    low = words[0]
    high = words[1]
  }

  /// The 16 bytes of the hash as hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for word in [low, high] {
      for index in 0..<8 {
        let byte = Int(truncatingIfNeeded: word >> UInt64(index * 8)) & 0xFF
        text += [digits[byte >> 4], digits[byte & 15]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Computes a ``ContentHash`` incrementally.
public struct ContentHasher: Sendable {
  private var hash = MurmurHash3()
  /// The bytes of the incomplete last block, fewer than 16.
  private var rest: [UInt8] = []
  /// The number of bytes so far.
  public private(set) var count = 0

  /// Creates a hash of no bytes.
  public init() {}

  /// Adds bytes to the hash.
  public mutating func update(_ bytes: Span<UInt8>) {
    count += bytes.count
    var start = 0
    if !rest.isEmpty {
      start = min(16 - rest.count, bytes.count)
      for index in 0..<start { rest.append(bytes[index]) }
      guard rest.count == 16 else { return }
      let block = rest
      hash.mixBlocks(of: block.span, 16)
      rest.removeAll(keepingCapacity: true)
    }
    let blocks = (bytes.count - start) / 16 * 16
    hash.mixBlocks(of: bytes.extracting(start..<bytes.count), blocks)
    for index in (start + blocks)..<bytes.count { rest.append(bytes[index]) }
  }

  /// The hash of all bytes so far.
  public var result: ContentHash {
    var hash = self.hash
    let rest = self.rest
    let (low, high) = hash.finish(rest.span)
    return ContentHash(low: low, high: high)
  }
}

/// The identity of a file's content: its hash and size.
public struct ContentIdentity: Sendable, Hashable {
  /// The hash of the content.
  public var hash: ContentHash
  /// The size in bytes.
  public var size: Int

  /// Creates an identity from a hash and a size in bytes.
  public init(hash: ContentHash, size: Int) {
    self.hash = hash
    self.size = size
  }
}
