import TrackModel

/// Writes the lines of a track.
///
/// The coordinates of the first line are buffered, because their brackets depend on whether a second line
/// follows; further lines are written directly. If the buffer becomes too large and the output is seekable,
/// the first line is written as a single line, and corrected if another follows. Times and sensors are
/// spooled until the end of the coordinates. Lines are cut at the antimeridian (RFC 7946, section 3.1.9).
struct GeoJSONLines: ~Copyable {
  /// The number of bytes of each array that are kept in memory.
  static let memoryLimit = 1 << 19
  /// The number of buffered bytes of coordinates for a seekable output: about twenty hours at one point per
  /// second, because correcting the output requires copying it.
  private static let heldCoordinates = 1 << 21
  /// The number of buffered bytes of coordinates in memory for other outputs.
  private static let spooledCoordinates = 1 << 22

  /// The number of positions of each line, the current one last.
  private(set) var counts: [Int] = []
  private(set) var losses = LossReport()
  /// Whether the current segment has a line.
  private(set) var isLineOpen = false
  /// The coordinates of the first line.
  private var spool = Spool(memoryLimit: GeoJSONLines.spooledCoordinates)
  /// The offsets of the geometry's type and coordinates in the output, after the first line was written as
  /// the only one.
  private var begun: (type: Int, coordinates: Int)?
  private var times = GeoJSONTimeSpool()
  /// The arrays by raw value of the channel, or `nil` for unused channels.
  private var sensors: [GeoJSONColumnSpool?] = Array(repeating: nil, count: Channel.allCases.count)
  /// The arrays of other channels.
  private var extras: [(name: ExtraValues.Name, spool: GeoJSONColumnSpool)] = []
  /// The first point of a line until the second arrives.
  private(set) var pending = PointBatch(capacity: 1)

  /// Whether a line was cut at the antimeridian.
  private var isCut = false

  // The last written position.
  private var lastLongitude = Double.nan
  private var lastLatitude = 0.0
  private var lastElevation = Double.nan
  private var lastTime = Instant.absent

  /// The start of a Feature with several lines.
  static let headOfMany: StaticString =
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[["

  var hasTimes: Bool { times.hasValues }
  var channels: [Channel] { Channel.allCases.filter { sensors[Int($0.rawValue)]?.hasValues == true } }

  // MARK: Segments

  /// Starts a segment. Its line starts with the second point.
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
  ///   - beginMany: writes the start of the feature to the sink. Called once, before the second line.
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

  /// Starts the Feature of a single line.
  ///
  /// - Returns: the offsets of its type and coordinates.
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
    if let details = batch.details.first?.details { copy.set(details) }
  }

  /// Starts a line before its first position.
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
      for extra in extras { extra.spool.beginLine() }
    }
    counts.append(0)
  }

  // MARK: Points

  /// Writes the rows of a batch, cut at the antimeridian.
  ///
  /// - Parameter following: the longitude of the point after the batch, if known.
  private mutating func emit(
    _ batch: borrowing PointBatch, following: Double, _ sink: inout ByteSink,
    _ beginMany: (inout ByteSink) throws(TrackError) -> Void
  ) throws(TrackError) {
    let longitudes = batch.longitudes
    var first = 0
    var previous = lastLongitude
    for row in 0..<longitudes.count {
      let longitude = longitudes[row]
      // Without a previous point the difference is NaN, so the comparison is false.
      if abs(longitude) != 180, !(abs(longitude - previous) > 180) {
        previous = longitude
        continue
      }
      try write(batch, first..<row, to: &sink)
      first = row
      if abs(longitude) == 180 {
        // A point on the meridian is on the side of the previous point, or of the next.
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

  /// Ends the line at the antimeridian and starts another on the other side.
  private mutating func cut(
    _ batch: borrowing PointBatch, before row: Int, _ sink: inout ByteSink,
    _ beginMany: (inout ByteSink) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard let crossing = AntimeridianCrossing(from: lastLongitude, to: batch.longitudes[row]) else { return }
    isCut = true
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
    // A recorded point on the meridian is repeated, because the reader removes the added points.
    try write(point, 0..<1, to: &sink)
    try openLine(&sink, beginMany)
    try write(point, 0..<1, longitude: -crossing.longitude, to: &sink)
  }

  /// Writes rows to the current line.
  ///
  /// - Parameter longitude: replaces the longitude of a single row.
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
    try appendExtras(of: batch, rows)
    counts[counts.count - 1] = count + rows.count
    lastLongitude = longitude ?? batch.longitudes[last]
    lastLatitude = batch.latitudes[last]
    lastElevation = batch.value(.elevation, at: last) ?? .nan
    lastTime = batch.times[last]
  }

  private mutating func appendExtras(of batch: borrowing PointBatch, _ rows: Range<Int>) throws(TrackError) {
    guard !extras.isEmpty || batch.hasExtraValues else { return }
    var columns = extras.map { _ in [Double](repeating: .nan, count: batch.count) }
    // The column of each value of the last names.
    var indices: [Int] = []
    var names: [ExtraValues.Name] = []
    for row in batch.details {
      guard let values = row.details.extraValues else { continue }
      if indices.isEmpty || values.names != names {
        names = values.names
        indices = names.map { name in
          if let index = extras.firstIndex(where: { $0.name == name }) { return index }
          extras.append((name, GeoJSONColumnSpool()))
          columns.append(Array(repeating: .nan, count: batch.count))
          return extras.count - 1
        }
      }
      for (index, value) in zip(indices, values.values) { columns[index][row.row] = value }
    }
    for (extra, column) in zip(extras, columns) {
      try extra.spool.append(column.span, rows, counts: counts)
    }
  }

  private static func append(
    _ batch: borrowing PointBatch, _ rows: Range<Int>, longitude given: Double?, isFirst: Bool,
    to bytes: inout ByteBuffer
  ) {
    let latitudes = batch.latitudes
    let longitudes = batch.longitudes
    let elevations = batch.values(of: .elevation)
    var latitude = CoordinateWriter(after: ",")
    var longitude = CoordinateWriter(after: ",[")
    var elevation = RepeatedDecimalWriter()
    var isFirst = isFirst
    for row in rows {
      if isFirst {
        bytes.append(UInt8(ascii: "["))
        bytes.append(decimal: given ?? longitudes[row])
        isFirst = false
      } else {
        longitude.append(given ?? longitudes[row], to: &bytes)
      }
      latitude.append(latitudes[row], to: &bytes)
      if !elevations.isEmpty, !elevations[row].isNaN {
        bytes.append(UInt8(ascii: ","))
        elevation.append(elevations[row], to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  // MARK: The end of the track

  /// Writes the end of the geometry, or the whole geometry for a single line.
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

  /// Writes the mark of cut lines, and the members `coordTimes` and `coordinateProperties` if they are not
  /// empty.
  mutating func finishColumns(_ sink: inout ByteSink) throws(TrackError) {
    let isNested = counts.count > 1
    if isCut { sink.buffer.append(member: "_cutAt", GeoJSONProperty.antimeridian) }
    if times.hasValues {
      sink.buffer.append(member: "coordTimes")
      try times.drain(into: &sink, counts: counts)
    }
    let channels = channels
    let extras = extras.filter(\.spool.hasValues)
    guard !channels.isEmpty || !extras.isEmpty else { return }
    sink.buffer.append(member: "coordinateProperties")
    sink.buffer.append(UInt8(ascii: "{"))
    for (index, channel) in channels.enumerated() {
      // The sink may have been flushed, so its last byte is unknown.
      if index > 0 { sink.buffer.append(UInt8(ascii: ",")) }
      sink.buffer.append(json: GeoJSONSensor.arrayName(channel))
      sink.buffer.append(UInt8(ascii: ":"))
      try sensors[Int(channel.rawValue)]?.drain(into: &sink, isNested: isNested)
    }
    for (index, extra) in extras.enumerated() {
      if index > 0 || !channels.isEmpty { sink.buffer.append(UInt8(ascii: ",")) }
      sink.buffer.append(json: GeoJSONChannelName.arrayName(extra.name.heading))
      sink.buffer.append(UInt8(ascii: ":"))
      try extra.spool.drain(into: &sink, isNested: isNested)
    }
    sink.buffer.append(UInt8(ascii: "}"))
  }

  /// Resets everything except the losses.
  mutating func removeAll() throws(TrackError) {
    counts = []
    isCut = false
    begun = nil
    isLineOpen = false
    pending.removeAll()
    try spool.removeAll()
    try times.removeAll()
    for sensor in sensors { try sensor?.removeAll() }
    for extra in extras { try extra.spool.removeAll() }
    extras = []
    lastLongitude = .nan
  }
}
