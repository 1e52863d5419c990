import TrackModel

/// An array of sensor values that is spooled until the end of a track's coordinates. Elements are separated
/// by commas, and lines by `],[`, without the outer brackets.
///
/// It is created with the first value.
final class GeoJSONColumnSpool {
  private var spool = Spool(memoryLimit: GeoJSONLines.memoryLimit)
  private(set) var hasValues = false

  /// Creates the array with nulls for the preceding positions.
  ///
  /// - Parameter counts: the number of positions in each line so far, the current line last.
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

  /// Appends rows of a channel. NaN and missing columns become null.
  ///
  /// - Parameter counts: the number of positions in each line so far, the current line last, without these
  ///   rows.
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

  /// Moves the array to a sink, with brackets.
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
