import TrackModel

/// Bytes that a format forces to wait: in memory up to a few megabytes, beyond that in a file without a name.
struct Spool: ~Copyable {
  /// What was appended last; writers append to it and then call ``flush()``.
  var buffer = ByteBuffer(capacity: 1 << 12)
  private var file: FileDescriptor?
  private var fileCount = 0
  private let memoryLimit: Int

  /// - Parameter memoryLimit: how many bytes stay in memory.
  init(memoryLimit: Int = 1 << 22) { self.memoryLimit = memoryLimit }

  /// How many bytes wait.
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

  /// Hands all bytes over in their order, piece by piece, and forgets them.
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

  /// Appends all bytes to a sink and forgets them.
  mutating func drain(into sink: inout ByteSink) throws(TrackError) {
    try drain { bytes throws(TrackError) in try sink.write(bytes) }
  }

  /// Appends all bytes to another spool and forgets them.
  mutating func drain(into other: inout Spool) throws(TrackError) {
    try drain { bytes throws(TrackError) in
      other.buffer.append(contentsOf: bytes)
      try other.flush()
    }
  }

  /// All bytes as an input, in their order, for an output that has to put something between them.
  ///
  /// The first ``count`` bytes of the input are meant. They stay in the spool, to which nothing may be
  /// appended before ``removeAll()``.
  mutating func input() throws(TrackError) -> ByteInput {
    guard let file, fileCount > 0 else { return ByteInput(bytes: buffer.array) }
    try file.write(buffer.bytes)
    fileCount += buffer.count
    buffer.removeAll()
    try file.seek(to: 0)
    return ByteInput(file: file)
  }

  /// Forgets all bytes; a file that was needed once is kept for the next.
  mutating func removeAll() throws(TrackError) {
    if let file { try file.seek(to: 0) }
    fileCount = 0
    buffer.removeAll()
  }
}
