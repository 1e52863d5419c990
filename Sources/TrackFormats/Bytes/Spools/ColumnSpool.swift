import TrackModel

/// A growing list of values: packed in memory up to a megabyte, the rest in an unnamed temporary file.
///
/// A megabyte stores a million times or half a million coordinates of typical recordings (``ColumnBlock``).
/// It is optimized for filling first and reading sequentially afterwards, which costs very little per value.
/// Other orders work as well. A copy shares the file, so only one of the copies may still be used.
struct ColumnSpool<Value: PackableValue> {
  /// The last values, fewer than a block.
  private var tail: [Value] = []
  /// The full blocks before these values, and their size in bytes, which does not exceed the limit after an
  /// append.
  private var blocks: [[UInt8]] = []
  private(set) var memorySize = 0
  /// The file with the blocks before these, the offset of each block in it, and its size in bytes.
  private var file: FileDescriptor?
  private var places: [Int] = []
  private var fileSize = 0
  /// The values of the most recently used block, and the index of the first one.
  private var window: [Value] = []
  private var windowStart = 0
  /// The bytes last read from the file, and their offset.
  private var fileWindow: [UInt8] = []
  private var fileWindowStart = 0
  private let limit: Int

  /// The number of bytes read from the file at a time: more than the size of a block.
  private static var fileWindowSize: Int { 1 << 16 }

  /// - Parameter memoryLimit: the number of bytes to keep in memory.
  init(memoryLimit: Int = 1 << 20) { limit = memoryLimit }

  /// The number of values in blocks.
  private var packedCount: Int { (places.count + blocks.count) * ColumnBlock<Value>.count }

  /// The number of values.
  var count: Int { packedCount + tail.count }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ value: Value) throws(TrackError) {
    tail.append(value)
    if tail.count == ColumnBlock<Value>.count { try pack() }
  }

  /// Returns the value at an index, or nil after the last.
  @inline(__always)
  mutating func value(at index: Int) throws(TrackError) -> Value? {
    let place = index &- windowStart
    if place >= 0, place < window.count { return window[place] }
    return try valueBeyondWindow(at: index)
  }

  private mutating func valueBeyondWindow(at index: Int) throws(TrackError) -> Value? {
    if index >= packedCount {
      let place = index - packedCount
      return place < tail.count ? tail[place] : nil
    }
    try moveWindow(to: index / ColumnBlock<Value>.count)
    let place = index - windowStart
    return place < window.count ? window[place] : nil
  }

  /// Removes the values from an index on.
  mutating func removeValues(from index: Int) throws(TrackError) {
    guard index < count else { return }
    if index >= packedCount {
      tail.removeSubrange((index - packedCount)...)
      return
    }
    let block = index / ColumnBlock<Value>.count
    try moveWindow(to: block)
    tail = Array(window[..<(index - windowStart)])
    window = []
    if block >= places.count {
      blocks.removeSubrange((block - places.count)...)
    } else {
      blocks = []
      fileSize = places[block]
      places.removeSubrange(block...)
      fileWindow = []
    }
    memorySize = blocks.reduce(0) { $0 + $1.count }
  }

  /// Removes some values.
  ///
  /// - Parameter indices: the indices in ascending order.
  mutating func remove(at indices: [Int]) throws(TrackError) {
    guard !indices.isEmpty else { return }
    var kept = ColumnSpool(memoryLimit: limit)
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

  // MARK: Blocks

  private mutating func pack() throws(TrackError) {
    let block = ColumnBlock.pack(tail.span)
    tail.removeAll(keepingCapacity: true)
    blocks.append(block)
    memorySize += block.count
    if memorySize > limit { try moveToFile() }
  }

  private mutating func moveWindow(to block: Int) throws(TrackError) {
    windowStart = block * ColumnBlock<Value>.count
    if block >= places.count {
      ColumnBlock.unpack(blocks[block - places.count], to: &window)
      return
    }
    window.removeAll(keepingCapacity: true)
    let start = places[block]
    let end = block + 1 < places.count ? places[block + 1] : fileSize
    if start < fileWindowStart || end > fileWindowStart + fileWindow.count {
      guard let file else { return }
      fileWindow = []
      let bytes = try file.bytes(from: start, count: min(ColumnSpool.fileWindowSize, fileSize - start))
      guard bytes.count >= end - start else {
        throw TrackError(.unreadable, "the temporary file ends too early")
      }
      fileWindow = bytes
      fileWindowStart = start
    }
    ColumnBlock.unpack(fileWindow, at: start - fileWindowStart, to: &window)
  }

  private mutating func moveToFile() throws(TrackError) {
    if file == nil { file = try FileDescriptor.anonymous() }
    guard let file else { return }
    try file.seek(to: fileSize)
    var bytes = ByteBuffer(capacity: ColumnSpool.fileWindowSize)
    for block in blocks {
      bytes.append(contentsOf: block.span)
      places.append(fileSize)
      fileSize += block.count
      guard bytes.count >= ColumnSpool.fileWindowSize / 2 else { continue }
      try file.write(bytes.bytes)
      bytes.removeAll()
    }
    try file.write(bytes.bytes)
    blocks = []
    memorySize = 0
  }
}
