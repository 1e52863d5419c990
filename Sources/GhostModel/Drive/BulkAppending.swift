import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Appending a whole span fills columns ten times as fast as value by value.

extension Array where Element: BitwiseCopyable {
  /// Appends the elements of a span.
  mutating func append(copying span: Span<Element>) {
    reserve(span.count)
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Reserves space for further elements of a column.
  ///
  /// Columns of more than a batch grow by a factor of 16 instead of 2. Fewer elements are copied, and the
  /// system provides no memory for the part that is never used, except for the rest of a huge page.
  mutating func reserve(_ more: Int) {
    guard count + more > capacity, count >= 4096, count < 1 << 20 else { return }
    reserveMemory(Swift.max(count * 16, count + more))
  }

  /// Reserves space for elements that are about to be appended, in huge pages if it is large.
  mutating func reserveMemory(_ count: Int) {
    guard count > capacity else { return }
    self = unsafe Array(unsafeUninitializedCapacity: count) { memory, filled in
      // Before the elements are copied: a page that is in use does not become part of a huge one.
      if let start = memory.baseAddress {
        unsafe LargeMemory.requestHugePages(start, memory.count * MemoryLayout<Element>.stride)
      }
      filled = unsafe withUnsafeBufferPointer { unsafe memory.initialize(fromContentsOf: $0) }
    }
  }
}

extension ByteBuffer {
  /// Returns the bytes as data that owns the memory.
  consuming func data() -> Data {
    let bytes = unsafe release()
    guard let start = bytes.baseAddress else { return Data() }
    return unsafe Data(
      bytesNoCopy: start, count: bytes.count,
      deallocator: .custom { memory, _ in unsafe memory.deallocate() })
  }
}
