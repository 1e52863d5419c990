import TrackModel

/// Buffered rows of a table whose heading is not known yet, in memory up to a few megabytes and in an
/// anonymous file beyond that. When columns are added, earlier rows are padded with empty fields at the end.
struct CSVBufferedRows: ~Copyable {
  /// The buffer. The writer appends complete rows and then flushes it.
  var spool: Spool
  private let separator: UInt8
  /// The numbers of bytes written when a column was added.
  private var ends: [(offset: Int, width: Int)] = []
  /// The number of columns.
  private(set) var width: Int

  /// - Parameter memoryLimit: the maximum number of bytes in memory.
  init(width: Int, separator: UInt8 = UInt8(ascii: ","), memoryLimit: Int = 1 << 22) {
    self.width = width
    self.separator = separator
    spool = Spool(memoryLimit: memoryLimit)
  }

  /// Adds a column at the end. Must be called between rows.
  mutating func addColumn() {
    let offset = spool.count
    if offset > (ends.last?.offset ?? 0) { ends.append((offset, width)) }
    width += 1
  }

  /// Moves all rows to a sink, padded to the number of columns.
  mutating func drain(into sink: inout ByteSink) throws(TrackError) {
    var padding = Padding(ends: ends, width: width, separator: separator)
    try spool.drain { bytes throws(TrackError) in try padding.write(bytes, to: &sink) }
    ends = []
  }

  /// Pads rows with fewer columns.
  private struct Padding {
    let ends: [(offset: Int, width: Int)]
    let width: Int
    let separator: UInt8
    private var offset = 0
    private var stretch = 0
    private var isQuoted = false

    init(ends: [(offset: Int, width: Int)], width: Int, separator: UInt8) {
      self.ends = ends
      self.width = width
      self.separator = separator
    }

    mutating func write(_ bytes: Span<UInt8>, to sink: inout ByteSink) throws(TrackError) {
      var position = 0
      while stretch < ends.count, position < bytes.count {
        let missing = width - ends[stretch].width
        let end = min(bytes.count, position + ends[stretch].offset - offset)
        for index in position..<end {
          let byte = bytes[index]
          // Rows end at line feeds outside quotes, and quotes inside quotes are doubled.
          if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
          if byte == 0x0A, !isQuoted {
            for _ in 0..<missing { sink.buffer.append(separator) }
          }
          sink.buffer.append(byte)
        }
        try sink.flush()
        offset += end - position
        position = end
        if offset == ends[stretch].offset { stretch += 1 }
      }
      if position < bytes.count {
        offset += bytes.count - position
        try sink.write(bytes.extracting(position..<bytes.count))
      }
    }
  }
}
