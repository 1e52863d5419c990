package import TrackModel

/// The output of a KML writer: a sink, or an entry of an archive.
package struct KMLOutput: ~Copyable {
  private var sink: ByteSink
  private let archive: (any FileContainer)?

  package init(_ sink: consuming ByteSink) {
    self.sink = sink
    archive = nil
  }

  /// - Parameter archive: an archive with an open entry.
  package init(_ archive: any FileContainer) {
    sink = ByteSink()
    self.archive = archive
  }

  /// The pending output. Writers append to it and then call ``flush()``.
  package var buffer: ByteBuffer {
    _read { yield sink.buffer }
    _modify { yield &sink.buffer }
  }

  /// The number of bytes written so far; valid only for a sink.
  var offset: Int { sink.offset }

  /// The output in memory; empty for other targets, and before ``finish()``.
  package var bytes: [UInt8] { archive == nil ? sink.bytes : [] }

  /// Writes the buffer if it is large enough.
  package mutating func flush() throws(TrackError) {
    guard let archive else {
      try sink.flush()
      return
    }
    guard sink.buffer.count >= 1 << 16 else { return }
    try archive.write(sink.buffer.bytes)
    sink.buffer.removeAll()
  }

  /// Whether output can be held until the content before it is known.
  var canWait: Bool { archive == nil }

  /// Appends the content of a spool. Requires ``canWait``.
  mutating func drain(_ spool: inout Spool) throws(TrackError) { try spool.drain(into: &sink) }

  /// Whether bytes can still be inserted at an earlier offset.
  var canInsert: Bool { archive == nil && sink.canInsert }

  /// Inserts bytes at an earlier offset. Requires ``canInsert``.
  mutating func insert(_ bytes: [UInt8], at offset: Int) { sink.insert(bytes, at: offset) }

  /// Ends the entry of an archive. Others may follow.
  package mutating func finishEntry() throws(TrackError) {
    guard let archive else { return }
    try archive.write(sink.buffer.bytes)
    sink.buffer.removeAll()
  }

  package mutating func finish() throws(TrackError) {
    guard let archive else {
      try sink.finish()
      return
    }
    try finishEntry()
    try archive.finish()
  }
}
