import TrackModel

/// Writes the points of a track, one per line.
enum KMLPoints {
  /// Appends the tuples of a `coordinates`.
  static func append(
    coordinates block: borrowing KMLPointSpool.Block, _ rows: Range<Int>, to bytes: inout ByteBuffer
  ) {
    let elevations = block.column(.elevation)
    for row in rows {
      append(block, row, elevations, ",", to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Appends a `gx:coord` per row.
  static func append(
    coords block: borrowing KMLPointSpool.Block, _ rows: Range<Int>, to bytes: inout ByteBuffer
  ) {
    let elevations = block.column(.elevation)
    for row in rows {
      bytes.append("    <gx:coord>")
      append(block, row, elevations, " ", to: &bytes)
      bytes.append("</gx:coord>\n")
    }
  }

  private static func append(
    _ block: borrowing KMLPointSpool.Block, _ row: Int, _ elevations: [Double]?, _ separator: Unicode.Scalar,
    to bytes: inout ByteBuffer
  ) {
    let separator = UInt8(ascii: separator)
    bytes.append(decimal: block.longitudes[row])
    bytes.append(separator)
    bytes.append(decimal: block.latitudes[row])
    if let elevations, !elevations[row].isNaN {
      bytes.append(separator)
      bytes.append(decimal: elevations[row])
    }
  }

  /// Appends a `gx:value` per row, empty for a missing value.
  static func append(
    values channel: Channel, _ block: borrowing KMLPointSpool.Block, _ rows: Range<Int>,
    to bytes: inout ByteBuffer
  ) {
    let column = block.column(channel)
    for row in rows {
      if let column, !column[row].isNaN {
        bytes.append("       <gx:value>")
        bytes.append(decimal: column[row])
        bytes.append("</gx:value>\n")
      } else {
        bytes.append("       <gx:value/>\n")
      }
    }
  }

  /// Appends a `gx:value` per row: 1 if its time was interpolated.
  static func append(
    untimed block: borrowing KMLPointSpool.Block, _ rows: Range<Int>, to bytes: inout ByteBuffer
  ) {
    for row in rows {
      bytes.append(
        Instant(microseconds: block.times[row]).hasXMLYear
          ? "       <gx:value>0</gx:value>\n" : "       <gx:value>1</gx:value>\n")
    }
  }

  /// Appends a `when` per row. Missing times are distributed evenly between their neighbours, or repeat the
  /// only one.
  struct Times {
    private var last: Int64?
    /// The number of rows without a time since the last time.
    private var pending = 0
    private var clock = ISO8601Clock()

    mutating func append(
      _ block: borrowing KMLPointSpool.Block, _ rows: Range<Int>, to bytes: inout ByteBuffer
    ) {
      for row in rows {
        let time = block.times[row]
        guard Instant(microseconds: time).hasXMLYear else {
          pending += 1
          continue
        }
        if pending > 0 { fill(until: time, &bytes) }
        append(time, to: &bytes)
        last = time
      }
    }

    /// Appends the remaining rows, after which no time follows.
    mutating func end(_ bytes: inout ByteBuffer) {
      if pending > 0, let last { fill(until: last, &bytes) }
    }

    private mutating func fill(until time: Int64, _ bytes: inout ByteBuffer) {
      let first = last ?? time
      let step = Double(time - first) / Double(pending + 1)
      for index in 1...pending {
        // Interpolated times are in whole milliseconds, because they were not measured.
        append(first + Int64((step * Double(index) / 1000).rounded()) * 1000, to: &bytes)
      }
      pending = 0
    }

    private mutating func append(_ time: Int64, to bytes: inout ByteBuffer) {
      bytes.append("    <when>")
      clock.append(Instant(microseconds: time), to: &bytes)
      bytes.append("</when>\n")
    }
  }
}
