import TrackModel

/// Values of one kind that wait, in their order: in memory up to a megabyte, beyond that in a file without a name.
///
/// Made for being filled first and then gone through from the first to the last, when a value costs next to nothing;
/// any other order works as well. A copy shares the file: only one of two may go on.
struct ColumnSpool<Value: BitwiseCopyable & ExpressibleByIntegerLiteral> {
  /// What is in memory, behind what is in the file.
  private var tail: [Value] = []
  private var file: FileDescriptor?
  private var fileCount = 0
  /// What of the file was read last, and the index of its first value.
  private var window: [Value] = []
  private var windowStart = 0
  private let limit: Int

  /// How many values of the file are read at a time.
  private static var windowCount: Int { 8192 }

  /// - Parameter memoryLimit: how many bytes stay in memory.
  init(memoryLimit: Int = 1 << 20) { limit = max(memoryLimit / MemoryLayout<Value>.stride, 1) }

  /// How many values there are.
  var count: Int { fileCount + tail.count }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ value: Value) throws(TrackError) {
    if tail.count == limit { try moveToFile() }
    tail.append(value)
  }

  /// The value at an index; nil behind the last.
  @inline(__always)
  mutating func value(at index: Int) throws(TrackError) -> Value? {
    if index >= fileCount {
      let place = index &- fileCount
      return place < tail.count ? tail[place] : nil
    }
    let place = index &- windowStart
    if place < 0 || place >= window.count { try moveWindow(to: index) }
    return window[index - windowStart]
  }

  /// Forgets the values from an index on.
  mutating func removeValues(from index: Int) {
    guard index < count else { return }
    window = []
    if index >= fileCount {
      tail.removeSubrange((index - fileCount)...)
    } else {
      tail = []
      fileCount = max(index, 0)
    }
  }

  /// Leaves some values out.
  ///
  /// - Parameter indices: in ascending order.
  mutating func remove(at indices: [Int]) throws(TrackError) {
    guard !indices.isEmpty else { return }
    var kept = ColumnSpool(memoryLimit: limit * MemoryLayout<Value>.stride)
    var next = 0
    for index in 0..<count {
      if next < indices.count, indices[next] == index {
        next += 1
      } else if let value = try value(at: index) {
        try kept.append(value)
      }
    }
    self = kept
  }

  // MARK: The file

  private mutating func moveWindow(to index: Int) throws(TrackError) {
    window = []
    guard let file else { return }
    try file.seek(to: index * MemoryLayout<Value>.stride)
    window = try file.values(min(ColumnSpool.windowCount, fileCount - index), like: 0)
    windowStart = index
  }

  private mutating func moveToFile() throws(TrackError) {
    if file == nil { file = try FileDescriptor.anonymous() }
    guard let file else { return }
    try file.seek(to: fileCount * MemoryLayout<Value>.stride)
    try file.write(values: tail)
    fileCount += tail.count
    tail.removeAll(keepingCapacity: true)
  }
}

extension FileDescriptor {
  /// Writes values as they lie in memory.
  func write<Value: BitwiseCopyable>(values: [Value]) throws(TrackError) {
    var fault: TrackError?
    unsafe values.withUnsafeBytes { bytes in
      let bytes = unsafe Span<UInt8>(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self))
      do throws(TrackError) { try write(bytes) } catch { fault = error }
    }
    if let fault { throw fault }
  }

  /// Reads values that ``write(values:)`` wrote.
  ///
  /// - Parameter filler: any value.
  func values<Value: BitwiseCopyable>(_ count: Int, like filler: Value) throws(TrackError) -> [Value] {
    var values = [Value](repeating: filler, count: count)
    var fault: TrackError?
    unsafe values.withUnsafeMutableBytes { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      var done = 0
      do throws(TrackError) {
        while done < bytes.count {
          let count = try unsafe read(to: start + done, count: bytes.count - done)
          guard count > 0 else { throw TrackError(.unreadable, "the temporary file ends too early") }
          done += count
        }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    return values
  }
}
