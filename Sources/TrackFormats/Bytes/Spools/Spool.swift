import TrackModel

/// Buffered bytes of a format: in memory up to a few megabytes, the rest in an unnamed temporary file.
struct Spool: ~Copyable {
  /// The last bytes. Writers append to it and then call ``flush()``.
  var buffer = ByteBuffer(capacity: 1 << 12)
  private var file: FileDescriptor?
  private var fileCount = 0
  private let memoryLimit: Int

  /// - Parameter memoryLimit: the number of bytes to keep in memory.
  init(memoryLimit: Int = 1 << 22) { self.memoryLimit = memoryLimit }

  /// The number of buffered bytes.
  var count: Int { fileCount + buffer.count }

  var isEmpty: Bool { count == 0 }

  /// Moves the buffer to the file once it is too large for memory.
  mutating func flush() throws(TrackError) {
    guard buffer.count >= memoryLimit else { return }
    if file == nil { file = try FileDescriptor.anonymous() }
    try file?.write(buffer.bytes)
    fileCount += buffer.count
    buffer.removeAll()
  }

  /// Delivers all bytes in order, in pieces, and removes them.
  mutating func drain(_ take: (Span<UInt8>) throws(TrackError) -> Void) throws(TrackError) {
    if let file, fileCount > 0 {
      try file.seek(to: 0)
      var input = ByteInput(file: file)
      while input.offset < fileCount {
        if input.available.isEmpty, try !input.fill() { break }
        try take(input.available.extracting(0..<min(input.available.count, fileCount - input.offset)))
        input.consumeAll()
      }
    }
    try take(buffer.bytes)
    try removeAll()
  }

  /// Appends all bytes to a sink and removes them.
  mutating func drain(into sink: inout ByteSink) throws(TrackError) {
    try drain { bytes throws(TrackError) in try sink.write(bytes) }
  }

  /// Appends all bytes to another spool and removes them.
  mutating func drain(into other: inout Spool) throws(TrackError) {
    try drain { bytes throws(TrackError) in
      other.buffer.append(contentsOf: bytes)
      try other.flush()
    }
  }

  /// Returns an input of all bytes in order, for output with insertions between them.
  ///
  /// Only the first ``count`` bytes of the input are valid. They remain in the spool; nothing may be
  /// appended to it before ``removeAll()``.
  mutating func input() throws(TrackError) -> ByteInput {
    guard let file, fileCount > 0 else { return ByteInput(bytes: buffer.array) }
    try file.write(buffer.bytes)
    fileCount += buffer.count
    buffer.removeAll()
    try file.seek(to: 0)
    return ByteInput(file: file)
  }

  /// Removes all bytes. An existing file is reused.
  mutating func removeAll() throws(TrackError) {
    if let file { try file.seek(to: 0) }
    fileCount = 0
    buffer.removeAll()
  }
}
