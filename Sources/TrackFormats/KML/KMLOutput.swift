package import TrackModel

/// Where a KML goes: to a sink as it is, or into an archive as it is made.
package struct KMLOutput: ~Copyable {
  private var sink: ByteSink
  private let archive: (any FileContainer)?

  package init(_ sink: consuming ByteSink) {
    self.sink = sink
    archive = nil
  }

  /// - Parameter archive: with an entry that is open.
  package init(_ archive: any FileContainer) {
    sink = ByteSink()
    self.archive = archive
  }

  /// What is not yet on its way; writers append to it and then call ``flush()``.
  package var buffer: ByteBuffer {
    _read { yield sink.buffer }
    _modify { yield &sink.buffer }
  }

  /// How many bytes were written so far; only of a sink.
  var offset: Int { sink.offset }

  /// What was written to memory; empty for other targets, and before ``finish()``.
  package var bytes: [UInt8] { archive == nil ? sink.bytes : [] }

  /// Hands the buffer on where it is large enough to be worth it.
  package mutating func flush() throws(TrackError) {
    guard let archive else {
      try sink.flush()
      return
    }
    guard sink.buffer.count >= 1 << 16 else { return }
    try archive.write(sink.buffer.bytes)
    sink.buffer.removeAll()
  }

  /// Whether bytes that come early can wait for others that belong before them.
  var canWait: Bool { archive == nil }

  /// Appends what waited in a spool, where output can wait.
  mutating func drain(_ spool: inout Spool) throws(TrackError) { try spool.drain(into: &sink) }

  /// Whether bytes can still be put in at an earlier place.
  var canInsert: Bool { archive == nil && sink.canInsert }

  /// Puts bytes in at an earlier place, where that can be done.
  mutating func insert(_ bytes: [UInt8], at offset: Int) { sink.insert(bytes, at: offset) }

  /// Ends the entry of an archive; others may follow.
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
