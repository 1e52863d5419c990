import TrackModel

/// An array of sensor values that runs beside the coordinates of a track, waiting for them to end: elements
/// parted by commas, lines parted by `],[`, without the brackets around them.
///
/// It begins only with the first value; before that there may be none at all.
final class GeoJSONColumnSpool {
  private var spool = Spool(memoryLimit: GeoJSONLines.memoryLimit)
  private(set) var hasValues = false

  /// Begins with nulls for the positions before.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last.
  private func begin(_ counts: [Int]) throws(TrackError) {
    hasValues = true
    for (line, count) in counts.enumerated() {
      if line > 0 { spool.buffer.append("],[") }
      for index in 0..<count {
        if index > 0 { spool.buffer.append(UInt8(ascii: ",")) }
        spool.buffer.append("null")
        if index & 0xFFFF == 0 { try spool.flush() }
      }
    }
  }

  func beginLine() {
    if hasValues { spool.buffer.append("],[") }
  }

  /// Appends rows of a channel; NaN becomes null, and no values at all as many nulls.
  ///
  /// - Parameter counts: of the lines so far, the one at hand last, without these rows.
  func append(_ values: Span<Double>, _ rows: Range<Int>, counts: [Int]) throws(TrackError) {
    if !hasValues {
      guard !values.isEmpty, rows.contains(where: { !values[$0].isNaN }) else { return }
      try begin(counts)
    }
    GeoJSONColumnSpool.append(values, rows, isFirst: counts.last == 0, to: &spool.buffer)
    try spool.flush()
  }

  private static func append(
    _ values: Span<Double>, _ rows: Range<Int>, isFirst: Bool, to bytes: inout ByteBuffer
  ) {
    var isFirst = isFirst
    for row in rows {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      if values.isEmpty || values[row].isNaN {
        bytes.append("null")
      } else {
        bytes.append(decimal: values[row])
      }
    }
  }

  /// Moves everything to a sink, in brackets.
  func drain(into sink: inout ByteSink, isNested: Bool) throws(TrackError) {
    sink.buffer.append(isNested ? "[[" : "[")
    try spool.drain(into: &sink)
    sink.buffer.append(isNested ? "]]" : "]")
  }

  func removeAll() throws(TrackError) {
    guard hasValues else { return }
    hasValues = false
    try spool.removeAll()
  }
}
