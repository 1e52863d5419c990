import TrackFormats
import TrackModel

/// An archive in memory.
@safe
final class ArchiveMemory {
  /// The bytes, at a fixed address once the archive is complete.
  @unsafe private(set) var base: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  private(set) var count = 0
  private var capacity = 1 << 16

  /// Reads the rest of an input.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` for more than `limit` bytes.
  init(reading input: inout ByteInput, limit: Int) throws(TrackError) {
    if let size = input.size { capacity = min(max(size + 1, capacity), limit) }
    unsafe base = .allocate(capacity: capacity)
    repeat {
      guard count + input.available.count <= limit else {
        throw TrackError(
          .limitExceeded, "the archive has more than \(ReadingLimits.text(size: limit))",
          suggestion: .text("unpack it and read its contents"))
      }
      append(input.available)
      input.consumeAll()
    } while try input.fill()
  }

  deinit { unsafe base.deallocate() }

  /// Returns a copy of up to `length` bytes from an offset.
  func bytes(from offset: Int, count length: Int) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: base + offset, count: min(length, count - offset)))
  }

  /// Copies up to `length` bytes from an offset. Returns their number, 0 at the end.
  @unsafe
  func copy(to start: UnsafeMutablePointer<UInt8>, count length: Int, from offset: Int) -> Int {
    let length = min(length, count - offset)
    unsafe start.update(from: base + offset, count: length)
    return length
  }

  /// Returns a copy of the bytes.
  var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  private func append(_ bytes: Span<UInt8>) {
    if count + bytes.count > capacity {
      let larger = max(capacity * 2, count + bytes.count)
      let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
      unsafe moved.update(from: base, count: count)
      unsafe base.deallocate()
      unsafe base = unsafe moved
      capacity = larger
    }
    unsafe bytes.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { unsafe (base + count).update(from: start, count: buffer.count) }
    }
    count += bytes.count
  }
}
