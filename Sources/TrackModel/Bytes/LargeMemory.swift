#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory for large buffers.
enum LargeMemory {
  /// The size of a huge page of the system, and the buffer size above which they are requested, in bytes.
  private static let page = 1 << 21
  private static let minimum = 1 << 22

  /// Allocates memory.
  ///
  /// - Parameter isFilled: whether all of it will be used. Large buffers then use huge pages if the system
  ///   allows it: providing memory in pages of 4 KiB takes as long as filling it.
  static func allocate(_ count: Int, isFilled: Bool = true) -> UnsafeMutablePointer<UInt8> {
    #if os(Linux)
      if count >= minimum, isFilled {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: page)
        // An optimization: a failure changes nothing.
        _ = unsafe madvise(memory, count, MADV_HUGEPAGE)
        return unsafe memory.bindMemory(to: UInt8.self, capacity: count)
      }
    #endif
    return .allocate(capacity: count)
  }
}
