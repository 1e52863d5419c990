#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory for large buffers.
///
/// Large buffers use huge pages if the system allows it: providing memory in pages of 4 KiB takes as long as
/// filling it.
package enum LargeMemory {
  /// The size of a huge page of the system in bytes. Smaller buffers cannot use one.
  private static let page = 1 << 21

  /// Allocates memory.
  ///
  /// - Parameter isFilled: whether all of it will be used. Otherwise it has no huge pages.
  static func allocate(_ count: Int, isFilled: Bool = true) -> UnsafeMutablePointer<UInt8> {
    guard count >= page, isFilled else { return .allocate(capacity: count) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: page)
    unsafe requestHugePages(memory, count)
    return unsafe memory.bindMemory(to: UInt8.self, capacity: count)
  }

  /// Requests huge pages for memory that is about to be filled.
  ///
  /// - Parameters:
  ///   - start: the start of allocated memory.
  ///   - count: its size in bytes. Nothing is done below 2 MiB.
  package static func requestHugePages(_ start: UnsafeRawPointer, _ count: Int) {
    #if os(Linux)
      // The system takes whole pages of its usual size.
      let ahead = 4095 & (0 &- Int(bitPattern: start))
      guard count >= page else { return }
      // An optimization: a failure changes nothing.
      _ = unsafe madvise(UnsafeMutableRawPointer(mutating: start + ahead), count - ahead, MADV_HUGEPAGE)
    #endif
  }
}
