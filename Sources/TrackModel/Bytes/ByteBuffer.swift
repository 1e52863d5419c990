/// A growable output buffer, written without a bounds check per byte.
///
/// Numbers and times are formatted directly into it. Only this file accesses its memory.
///
/// Intended for the writers of this package. It is public because the compiler inlines only public functions
/// across modules, and these are called dozens of times per point.
@safe
public struct ByteBuffer: ~Copyable, @unchecked Sendable {  // Sendable, because it has a single owner.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var length = 0

  /// The number of bytes in the buffer.
  @inlinable public var count: Int { length }

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    unsafe base = LargeMemory.allocate(self.capacity)
  }

  /// Returns the memory, to be deallocated by the caller, and the number of bytes in it.
  package consuming func release() -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = unsafe UnsafeMutableBufferPointer(start: base, count: length)
    discard self
    return unsafe bytes
  }

  deinit { unsafe base.deallocate() }

  /// The bytes.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self) get {
      let span = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes as text. Invalid UTF-8 becomes U+FFFD.
  package var string: String {
    unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  package mutating func removeAll() { length = 0 }

  /// Removes all bytes after the first `count`.
  package mutating func truncate(to count: Int) { length = min(length, max(count, 0)) }

  /// Reserves space for `count` further bytes.
  @inlinable @inline(__always)
  public mutating func reserve(_ more: Int) {
    if capacity - length < more { grow(more) }
  }

  /// Enlarges the buffer to `capacity` bytes, most of which will be used.
  package mutating func enlarge(to capacity: Int) {
    if capacity > self.capacity { move(to: capacity, isFilled: true) }
  }

  @usableFromInline @inline(never)
  mutating func grow(_ more: Int) { move(to: max(capacity * 2, length + more), isFilled: false) }

  private mutating func move(to larger: Int, isFilled: Bool) {
    let moved = unsafe LargeMemory.allocate(larger, isFilled: isFilled)
    unsafe moved.update(from: base, count: length)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }

  /// Appends a byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[length] = byte
    length &+= 1
  }

  /// Appends the lowest `count` bytes of a word, least significant byte first.
  ///
  /// - Precondition: `0 <= count <= 8`.
  @inlinable @inline(__always)
  public mutating func append(word: UInt64, count: Int) {
    precondition(count >= 0 && count <= 8, "a word has eight bytes")
    reserve(8)
    unsafe UnsafeMutableRawPointer(base + length).storeBytes(of: word.littleEndian, as: UInt64.self)
    length &+= count
  }

  /// Appends the lowest bytes of two words, as ``append(word:count:)`` does.
  @inlinable @inline(__always)
  public mutating func append(word: UInt64, count: Int, then second: UInt64, count secondCount: Int) {
    precondition(
      count >= 0 && count <= 8 && secondCount >= 0 && secondCount <= 8, "a word has eight bytes")
    reserve(16)
    unsafe UnsafeMutableRawPointer(base + length).storeBytes(of: word.littleEndian, as: UInt64.self)
    unsafe UnsafeMutableRawPointer(base + length + count)
      .storeBytes(of: second.littleEndian, as: UInt64.self)
    length &+= count &+ secondCount
  }

  /// Appends a text and the lowest bytes of two words, least significant byte first.
  ///
  /// - Precondition: the counts are from 0 to 8.
  @inlinable @inline(__always)
  public mutating func append(
    _ text: WordPair, then word: UInt64, _ count: Int, then second: UInt64, _ secondCount: Int
  ) {
    precondition(
      count >= 0 && count <= 8 && secondCount >= 0 && secondCount <= 8, "a word has eight bytes")
    reserve(32)
    let end = unsafe UnsafeMutableRawPointer(base + length)
    unsafe end.storeBytes(of: text.words, as: SIMD2<UInt64>.self)
    unsafe (end + text.count).storeBytes(of: word.littleEndian, as: UInt64.self)
    unsafe (end + text.count + count).storeBytes(of: second.littleEndian, as: UInt64.self)
    length &+= text.count &+ count &+ secondCount
  }

  /// Appends a string literal. Inlined as a few word stores.
  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    if text.hasPointerRepresentation {
      let count = text.utf8CodeUnitCount
      reserve(count)
      unsafe (base + length).update(from: text.utf8Start, count: count)
      length &+= count
    } else {
      append(text.unicodeScalar)
    }
  }

  @usableFromInline
  mutating func append(_ scalar: Unicode.Scalar) { append(String(scalar)) }

  /// Appends a string. Literals use the faster overload above.
  @_disfavoredOverload
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + length).update(from: start, count: source.count)
      length += source.count
    }
  }

  /// Appends a short text. Inlined as a few word stores.
  @inlinable @inline(__always)
  public mutating func append(_ text: ShortText) {
    reserve(ShortText.capacity)
    unsafe UnsafeMutableRawPointer(base + length).storeBytes(of: text.words, as: InlineArray<6, UInt64>.self)
    length &+= text.count
  }

  package mutating func append(contentsOf other: Span<UInt8>) {
    reserve(other.count)
    unsafe other.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + length).update(from: start, count: source.count)
    }
    length += other.count
  }

  /// Appends the lowest `width` decimal digits of a non-negative number, with leading zeros.
  package mutating func append(_ value: Int, width: Int) {
    reserve(width)
    var rest = UInt(bitPattern: value)
    var index = length + width
    while index > length {
      index -= 1
      unsafe base[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    length += width
  }
}

/// A text of up to 16 bytes that is appended often.
public struct WordPair: Sendable, BitwiseCopyable {
  @usableFromInline let words: SIMD2<UInt64>
  @usableFromInline let count: Int

  /// - Precondition: `text` has at most 16 bytes.
  init(_ text: StaticString) {
    var words = SIMD2<UInt64>.zero
    text.withUTF8Buffer { bytes in
      for index in bytes.indices {
        words[index / 8] |= unsafe UInt64(bytes[index]) << UInt64(index % 8 * 8)
      }
    }
    self.words = SIMD2(words.x.littleEndian, words.y.littleEndian)
    count = text.utf8CodeUnitCount
  }
}

/// A text of up to 48 bytes that is appended often. Appending copies all 48 bytes, which needs no loop.
public struct ShortText: Sendable, BitwiseCopyable {
  @usableFromInline static let capacity = 48
  @usableFromInline var words: InlineArray<6, UInt64>
  @usableFromInline var count: Int

  /// Creates a text, or returns `nil` if it is too long.
  package init?(_ text: String) {
    words = InlineArray(repeating: 0)
    count = 0
    for byte in text.utf8 {
      guard count < ShortText.capacity else { return nil }
      words[count / 8] |= UInt64(byte) << UInt64(count % 8 * 8)
      count += 1
    }
    for index in words.indices { words[index] = words[index].littleEndian }
  }
}
