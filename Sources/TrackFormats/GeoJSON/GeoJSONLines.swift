import TrackModel

/// The lines of one track on their way out.
///
/// Coordinates wait as long as there is one line, because its brackets depend on whether another follows;
/// from the second on they go out at once. Where they become too many, and the output is one that can be
/// added to later, they go out as one line; another line then adds what is missing before them. Times and
/// sensors wait for the end of the coordinates. A line over the antimeridian is cut there (RFC 7946, section
/// 3.1.9).
struct GeoJSONLines: ~Copyable {
  /// How many bytes of each array wait in memory rather than in a file.
  static let memoryLimit = 1 << 19
  /// How many bytes of coordinates wait for a second line where they need not: some twenty hours with a point
  /// every second, because adding to what has gone out means to copy it.
  private static let heldCoordinates = 1 << 21
  /// How many of them wait in memory where they have to.
  private static let spooledCoordinates = 1 << 22

  /// How many positions each line has, the one at hand last.
  private(set) var counts: [Int] = []
  private(set) var losses = LossReport()
  /// Whether the segment at hand has a line.
  private(set) var isLineOpen = false
  /// Coordinates of the first line.
  private var spool = Spool(memoryLimit: GeoJSONLines.spooledCoordinates)
  /// Where the geometry's type and its coordinates stand in the output, once the first line has gone out as
  /// the only one.
  private var begun: (type: Int, coordinates: Int)?
  private var times = GeoJSONTimeSpool()
  /// By the raw values of channels; nil for one that no point has had.
  private var sensors: [GeoJSONColumnSpool?] = Array(repeating: nil, count: Channel.allCases.count)
  /// The first point of a line as long as no second one has come.
  private(set) var pending = PointBatch(capacity: 1)

  // The last position that was written.
  private var lastLongitude = Double.nan
  private var lastLatitude = 0.0
  private var lastElevation = Double.nan
  private var lastTime = Instant.absent

  /// What a Feature begins with whose geometry is more than one line.
  static let headOfMany: StaticString =
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[["

  var hasTimes: Bool { times.hasValues }
  var channels: [Channel] { Channel.allCases.filter { sensors[Int($0.rawValue)]?.hasValues == true } }

  // MARK: Segments

  /// Begins a segment; its line begins with its second point.
  mutating func beginSegment() {
    isLineOpen = false
    pending.removeAll()
    lastLongitude = .nan
  }

  mutating func endSegment() {
    isLineOpen = false
    pending.removeAll()
  }

  /// Appends points to the segment.
  ///
  /// - Parameters:
  ///   - beginMany: writes what comes before the feature to the sink; called once, before the second line.
  mutating func append(
    _ batch: borrowing PointBatch, to sink: inout ByteSink,
    beginMany: (inout ByteSink) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard batch.count > 0 else { return }
    if !isLineOpen {
      if pending.count == 0, batch.count == 1 {
        GeoJSONLines.copyRow(of: batch, to: &pending)
        return
      }
      try openLine(&sink, beginMany)
      if pending.count > 0 {
        var first = PointBatch(capacity: 1)
        swap(&first, &pending)
        try emit(first, following: batch.longitudes[0], &sink, beginMany)
      }
    }
    try emit(batch, following: .nan, &sink, beginMany)
    if counts.count == 1, begun == nil, spool.count >= GeoJSONLines.heldCoordinates, sink.canAlwaysInsert {
      try beginMany(&sink)
      begun = GeoJSONLines.appendHeadOfOne(to: &sink)
      try spool.drain(into: &sink)
    }
  }

  /// Begins the Feature of a single line.
  ///
  /// - Returns: where its type and its coordinates stand.
  private static func appendHeadOfOne(to sink: inout ByteSink) -> (type: Int, coordinates: Int) {
    sink.buffer.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"")
    let type = sink.offset
    sink.buffer.append("LineString\",\"coordinates\":[")
    return (type, sink.offset)
  }

  private static func copyRow(of batch: borrowing PointBatch, to copy: inout PointBatch) {
    copy.removeAll()
    copy.append(latitude: batch.latitudes[0], longitude: batch.longitudes[0], time: batch.times[0])
    for channel in batch.channels.channels {
      if let value = batch.value(channel, at: 0) { copy.set(channel, value) }
    }
  }

  /// Begins a line, before its first position.
  private mutating func openLine(
    _ sink: inout ByteSink, _ beginMany: (inout ByteSink) throws(TrackError) -> Void
  ) throws(TrackError) {
    isLineOpen = true
    if counts.count == 1 {
      if let begun {
        sink.insert(Array("Multi".utf8), at: begun.type)
        sink.insert([UInt8(ascii: "[")], at: begun.coordinates)
      } else {
        try beginMany(&sink)
        sink.buffer.append(GeoJSONLines.headOfMany)
        try spool.drain(into: &sink)
      }
    }
    if !counts.isEmpty {
      sink.buffer.append("],[")
      for sensor in sensors { sensor?.beginLine() }
    }
    counts.append(0)
  }

  // MARK: Points

  /// Writes the rows of a batch, cut where they cross the antimeridian.
  ///
  /// - Parameter following: the longitude of the point behind the batch, where that is known.
  private mutating func emit(
    _ batch: borrowing PointBatch, following: Double, _ sink: inout ByteSink,
    _ beginMany: (inout ByteSink) throws(TrackError) -> Void
  ) throws(TrackError) {
    let longitudes = batch.longitudes
    var first = 0
    var previous = lastLongitude
    for row in 0..<longitudes.count {
      let longitude = longitudes[row]
      // Without a previous one the difference is NaN, and so not greater.
      if abs(longitude) != 180, !(abs(longitude - previous) > 180) {
        previous = longitude
        continue
      }
      try write(batch, first..<row, to: &sink)
      first = row
      if abs(longitude) == 180 {
        // On the meridian itself a point is on the side of the one before, or of the one behind.
        let next = row + 1 < longitudes.count ? longitudes[row + 1] : following
        let neighbour = previous.isNaN ? (abs(next) < 180 ? next : longitude) : previous
        try write(batch, row..<(row + 1), longitude: neighbour < 0 ? -180 : 180, to: &sink)
        first = row + 1
        previous = lastLongitude
      } else {
        try cut(batch, before: row, &sink, beginMany)
        previous = longitude
      }
    }
    try write(batch, first..<longitudes.count, to: &sink)
  }

  /// Ends the line at the antimeridian and begins another one on its other side.
  private mutating func cut(
    _ batch: borrowing PointBatch, before row: Int, _ sink: inout ByteSink,
    _ beginMany: (inout ByteSink) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard let crossing = AntimeridianCrossing(from: lastLongitude, to: batch.longitudes[row]) else { return }
    losses.add("crossings of the antimeridian (lines cut there, points added)")
    let latitude = crossing.interpolate(lastLatitude, batch.latitudes[row])
    let elevation = batch.value(.elevation, at: row).map { crossing.interpolate(lastElevation, $0) } ?? .nan
    var time = Instant.absent
    if lastTime != Instant.absent, batch.times[row] != Instant.absent {
      time = crossing.interpolate(lastTime, batch.times[row])
    }
    var point = PointBatch(capacity: 1)
    point.append(latitude: latitude, longitude: crossing.longitude, time: time)
    if !elevation.isNaN { point.set(.elevation, elevation) }
    // A line that ends on the meridian needs no other point there.
    if crossing.fraction > 0 { try write(point, 0..<1, to: &sink) }
    try openLine(&sink, beginMany)
    try write(point, 0..<1, longitude: -crossing.longitude, to: &sink)
  }

  /// Writes rows to the line at hand.
  ///
  /// - Parameter longitude: what stands for the longitude of a single row.
  private mutating func write(
    _ batch: borrowing PointBatch, _ rows: Range<Int>, longitude: Double? = nil, to sink: inout ByteSink
  ) throws(TrackError) {
    guard let last = rows.last, let count = counts.last else { return }
    if counts.count == 1, begun == nil {
      GeoJSONLines.append(batch, rows, longitude: longitude, isFirst: count == 0, to: &spool.buffer)
      try spool.flush()
    } else {
      GeoJSONLines.append(batch, rows, longitude: longitude, isFirst: count == 0, to: &sink.buffer)
      try sink.flush()
    }
    let unwritable = try times.append(batch.times, rows, counts: counts)
    losses.add("times before year 0 or after 9999", unwritable)
    for channel in Channel.allCases where channel != .elevation {
      let index = Int(channel.rawValue)
      if sensors[index] == nil {
        guard batch.channels.contains(channel) else { continue }
        sensors[index] = GeoJSONColumnSpool()
      }
      try sensors[index]?.append(batch.values(of: channel), rows, counts: counts)
    }
    counts[counts.count - 1] = count + rows.count
    lastLongitude = longitude ?? batch.longitudes[last]
    lastLatitude = batch.latitudes[last]
    lastElevation = batch.value(.elevation, at: last) ?? .nan
    lastTime = batch.times[last]
  }

  private static func append(
    _ batch: borrowing PointBatch, _ rows: Range<Int>, longitude: Double?, isFirst: Bool,
    to bytes: inout ByteBuffer
  ) {
    let latitudes = batch.latitudes
    let longitudes = batch.longitudes
    let elevations = batch.values(of: .elevation)
    var isFirst = isFirst
    for row in rows {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.append(UInt8(ascii: "["))
      bytes.append(decimal: longitude ?? longitudes[row])
      bytes.append(UInt8(ascii: ","))
      bytes.append(decimal: latitudes[row])
      if !elevations.isEmpty, !elevations[row].isNaN {
        bytes.append(UInt8(ascii: ","))
        bytes.append(decimal: elevations[row])
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  // MARK: The end of the track

  /// Writes what stands between the lines and the properties: for one line the whole geometry.
  mutating func finishGeometry(_ sink: inout ByteSink) throws(TrackError) {
    if counts.count == 1 {
      if begun == nil {
        _ = GeoJSONLines.appendHeadOfOne(to: &sink)
        try spool.drain(into: &sink)
      }
      sink.buffer.append("]}")
    } else {
      sink.buffer.append("]]}")
    }
  }

  /// Writes the members `coordTimes` and `coordinateProperties` where there is something in them.
  mutating func finishColumns(_ sink: inout ByteSink) throws(TrackError) {
    let isNested = counts.count > 1
    if times.hasValues {
      sink.buffer.append(member: "coordTimes")
      try times.drain(into: &sink, counts: counts)
    }
    let channels = channels
    guard !channels.isEmpty else { return }
    sink.buffer.append(member: "coordinateProperties")
    sink.buffer.append(UInt8(ascii: "{"))
    for (index, channel) in channels.enumerated() {
      // The sink may just have been emptied, so that nothing can be told from its last byte.
      if index > 0 { sink.buffer.append(UInt8(ascii: ",")) }
      sink.buffer.append(json: GeoJSONSensor.arrayName(channel))
      sink.buffer.append(UInt8(ascii: ":"))
      try sensors[Int(channel.rawValue)]?.drain(into: &sink, isNested: isNested)
    }
    sink.buffer.append(UInt8(ascii: "}"))
  }

  /// Forgets the track; its losses stay.
  mutating func removeAll() throws(TrackError) {
    counts = []
    begun = nil
    isLineOpen = false
    pending.removeAll()
    try spool.removeAll()
    try times.removeAll()
    for sensor in sensors { try sensor?.removeAll() }
    lastLongitude = .nan
  }
}
