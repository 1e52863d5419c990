import TrackModel

/// The fast path for nearly all points: a position with any of elevation, time, and the sensor values that
/// GPX keeps in extensions.
///
/// The output is the same as that of ``GPXPointWriter``, without a check of each point for other values.
struct GPXPlainPoints {
  /// The channels that these points can have.
  private(set) var channels: ChannelSet = [ChannelSet(.elevation)]

  /// The text before and after the sensor values of a TrackPointExtension.
  private var opening: [UInt8] = []
  private var closing: [UInt8] = []
  /// The values in a TrackPointExtension, followed by those after it, in the order of the output.
  private var sensors: [Sensor] = []
  /// The sensors of ``current``, and the number of them in a TrackPointExtension.
  private var used: [Sensor] = []
  private var inner = 0
  private var current: ChannelSet = []
  private var clock = ISO8601Clock()
  private var latitude = CoordinateWriter()
  private var longitude = CoordinateWriter(after: "\" lon=\"")
  private var elevation = RepeatedDecimalWriter()

  /// An element with a value.
  private struct Sensor {
    let channel: Channel
    /// The range of valid values, which are whole numbers. `nil` if all values are valid.
    let range: ClosedRange<Double>?
    let isInner: Bool
    let start: ShortText
    let end: ShortText
  }

  /// Creates the fast path for points with an elevation and a time, but no sensor values.
  init() {}

  /// - Parameters:
  ///   - trackPoint: the namespace of the TrackPointExtension.
  ///   - hasVersion2: whether it is the namespace of version 2.
  init(
    trackPoint: GPXPointWriter.Declared, hasVersion2: Bool, power: GPXPointWriter.Declared,
    distance: GPXPointWriter.Declared, accuracy: GPXPointWriter.Declared
  ) {
    opening = Array("<\(trackPoint.prefix):TrackPointExtension\(trackPoint.attribute)>".utf8)
    closing = Array("</\(trackPoint.prefix):TrackPointExtension>".utf8)
    add(.temperature, "atemp", in: trackPoint)
    add(.waterTemperature, "wtemp", in: trackPoint)
    add(.depth, "depth", in: trackPoint)
    add(.heartRate, "hr", 1...255, in: trackPoint)
    add(.cadence, "cad", 0...254, in: trackPoint)
    if hasVersion2 {
      add(.speed, "speed", in: trackPoint)
      add(.course, "course", in: trackPoint)
      add(.bearing, "bearing", in: trackPoint)
    }
    add(.power, "PowerInWatts", 0...65_535, beside: power)
    add(.distance, "distance", beside: distance)
    add(.horizontalAccuracy, "accuracy_horizontal", beside: accuracy)
    add(.verticalAccuracy, "accuracy_vertical", beside: accuracy)
  }

  private mutating func add(
    _ channel: Channel, _ name: String, _ range: ClosedRange<Double>? = nil,
    in parent: GPXPointWriter.Declared
  ) {
    add(channel, "\(parent.prefix):\(name)", attribute: "", range, isInner: true)
  }

  private mutating func add(
    _ channel: Channel, _ name: String, _ range: ClosedRange<Double>? = nil,
    beside declared: GPXPointWriter.Declared
  ) {
    add(channel, "\(declared.prefix):\(name)", attribute: declared.attribute, range, isInner: false)
  }

  /// Adds a channel, unless its tags are too long for the fast path.
  private mutating func add(
    _ channel: Channel, _ name: String, attribute: String, _ range: ClosedRange<Double>?, isInner: Bool
  ) {
    guard let start = ShortText("<\(name)\(attribute)>"), let end = ShortText("</\(name)>") else { return }
    sensors.append(Sensor(channel: channel, range: range, isInner: isInner, start: start, end: end))
    channels.insert(ChannelSet(channel))
  }

  /// Appends points as lines, up to the first that needs the general path.
  ///
  /// - Parameters:
  ///   - batch: points with ``channels`` and without details.
  ///   - rows: the rows.
  ///   - element: the five letters of their element's name, the first in the lowest bits.
  /// - Returns: the number of the row that needs the general path, or the end of the rows.
  mutating func append(
    _ batch: borrowing PointBatch, _ rows: Range<Int>, as element: UInt64, to bytes: inout ByteBuffer
  ) -> Int {
    if batch.channels != current {
      current = batch.channels
      used = sensors.filter { current.contains($0.channel) }
      inner = used.count { $0.isInner }
    }
    let times = batch.times
    let latitudes = batch.latitudes
    let longitudes = batch.longitudes
    let elevations = batch.values(of: .elevation)
    // `   <trkpt lat="` and `</trkpt>`, 15 and 8 bytes.
    let head = UInt64(0x3C20_2020) | element << 32
    let latitudeName = element >> 32 | 0x223D_7461_6C20 << 8
    let tail = UInt64(0x2F3C) | element << 16 | UInt64(UInt8(ascii: ">")) << 56
    for row in rows {
      let time = times[row]
      let hasTime = time != Instant.absent
      guard !hasTime || Instant(microseconds: time).hasXMLYear else { return row }
      let elevation = elevations.isEmpty ? Double.nan : elevations[row]
      let start = bytes.count
      bytes.append(word: head, count: 8, then: latitudeName, count: 7)
      latitude.append(latitudes[row], to: &bytes)
      // The schema allows -180 but not 180, which is the same meridian.
      longitude.append(longitudes[row] == 180 ? -180 : longitudes[row], to: &bytes)
      if elevation.isNaN {
        bytes.append("\">")
        if hasTime { bytes.append("<time>") }
      } else {
        bytes.append("\"><ele>")
        self.elevation.append(elevation, to: &bytes)
        if hasTime { bytes.append("</ele><time>") } else { bytes.append("</ele>") }
      }
      if hasTime {
        clock.append(Instant(microseconds: time), to: &bytes)
        bytes.append("</time>")
      }
      let end = bytes.count
      let hasValues = hasTime || !elevation.isNaN
      guard used.isEmpty || appendSensors(batch, row, to: &bytes), hasValues || bytes.count > end else {
        bytes.truncate(to: start)
        return row
      }
      bytes.append(word: tail, count: 8)
      bytes.append(UInt8(ascii: "\n"))
    }
    return rows.upperBound
  }

  /// - Returns: whether all values are valid.
  private func appendSensors(_ batch: borrowing PointBatch, _ row: Int, to bytes: inout ByteBuffer) -> Bool {
    let start = bytes.count
    bytes.append("<extensions>")
    let empty = bytes.count
    if inner > 0 {
      bytes.append(contentsOf: opening.span)
      let opened = bytes.count
      guard appendValues(0..<inner, batch, row, to: &bytes) else { return false }
      if bytes.count > opened {
        bytes.append(contentsOf: closing.span)
      } else {
        bytes.truncate(to: empty)
      }
    }
    guard appendValues(inner..<used.count, batch, row, to: &bytes) else { return false }
    if bytes.count > empty {
      bytes.append("</extensions>")
    } else {
      bytes.truncate(to: start)
    }
    return true
  }

  @inline(__always)
  private func appendValues(
    _ range: Range<Int>, _ batch: borrowing PointBatch, _ row: Int, to bytes: inout ByteBuffer
  ) -> Bool {
    let used = used.span
    for index in range {
      guard let value = batch.value(used[index].channel, at: row) else { continue }
      if let range = used[index].range {
        guard range.contains(value), value == Double(Int(value)) else { return false }
      }
      bytes.append(used[index].start)
      bytes.append(decimal: value)
      bytes.append(used[index].end)
    }
    return true
  }
}
