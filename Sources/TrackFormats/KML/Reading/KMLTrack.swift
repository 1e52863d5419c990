import TrackModel

/// The `gx:Track` that is being read. Its times, positions and sensor values are separate lists, stored in
/// columns until its end. The n-th values of all lists belong together.
///
/// Columns are packed, and long ones are stored in temporary files, so memory is bounded. If only positions
/// follow the times and sensor values, they are delivered at once instead (``isStreamed``).
struct KMLTrack {
  /// One value per `when`; absent for empty and invalid times.
  private var times = ColumnSpool<Int64>()
  // One value per `gx:coord`; NaN for empty and invalid positions.
  private var latitudes = ColumnSpool<Double>()
  private var longitudes = ColumnSpool<Double>()
  private var elevations = ColumnSpool<Double>()
  /// One list per sensor, in the order of the file, with NaN for missing values.
  private var arrays: [(channel: Channel, values: ColumnSpool<Double>)] = []
  /// One value per `when`, above zero if ``KMLWriter`` interpolated the time.
  private var untimed = ColumnSpool<Double>()
  /// Whether there is a position that is not empty.
  private(set) var hasPosition = false
  /// Whether a position has an altitude other than zero.
  private var hasAltitude = false
  /// The list that receives the next values.
  private var target = Target.nothing
  /// Whether a position has no altitude.
  private var lacksAltitude = false
  /// The altitude mode.
  var altitudeMode = KMLAltitudeMode.clampedToGround
  /// Whether the current segment has a delivered point.
  private var segmentHasPoint = false
  /// Whether the next point begins a segment because a pause ended before it.
  private(set) var isResuming = false
  /// Whether the track has begun, because only positions follow.
  var isStreamed = false
  /// The number of positions of a streamed track that are no longer held.
  private(set) var removedCount = 0

  private enum Target {
    case nothing, untimed
    case array(Int)
  }

  /// The number of positions, including empty ones.
  var count: Int { removedCount + latitudes.count }
  var timeCount: Int { times.count }
  /// Whether a streamed track holds positions that must be delivered first.
  var mustDeliver: Bool { isStreamed && !latitudes.isEmpty }

  mutating func removeAll() { self = KMLTrack() }

  mutating func append(time: Int64) throws(TrackError) { try times.append(time) }

  mutating func append(latitude: Double, longitude: Double, elevation: Double) throws(TrackError) {
    try latitudes.append(latitude)
    try longitudes.append(longitude)
    try elevations.append(elevation)
    if !latitude.isNaN { hasPosition = true }
    if !latitude.isNaN, elevation.isNaN { lacksAltitude = true }
    if !elevation.isNaN, elevation != 0 { hasAltitude = true }
  }

  mutating func appendEmpty() throws(TrackError) {
    try append(latitude: .nan, longitude: .nan, elevation: .nan)
  }

  /// Adds the start or end of a pause, which is not a point.
  mutating func appendPause() throws(TrackError) {
    try latitudes.append(.infinity)
    try longitudes.append(.nan)
    try elevations.append(.nan)
  }

  // MARK: Sensors

  /// Begins the list of a channel. A repeated channel continues its list.
  mutating func beginArray(_ channel: Channel) {
    if let known = arrays.firstIndex(where: { $0.channel == channel }) {
      target = .array(known)
    } else {
      target = .array(arrays.count)
      arrays.append((channel, ColumnSpool()))
    }
  }

  /// Begins the list that marks interpolated times.
  mutating func beginUntimed() { target = .untimed }

  /// Begins an unknown list, whose values are ignored.
  mutating func beginUnknown() { target = .nothing }

  /// Adds a value to the most recently begun list.
  mutating func append(value: Double) throws(TrackError) {
    switch target {
    case .nothing: break
    case .untimed: try untimed.append(value)
    case .array(let index): try arrays[index].values.append(value)
    }
  }

  /// The channel of the most recently begun list.
  var channel: Channel? { if case .array(let index) = target { arrays[index].channel } else { nil } }

  // MARK: Rows

  /// Whether further positions do not change how the first ones are delivered.
  var canBeStreamed: Bool { hasElevations || altitudeMode == .relative }

  /// Adds held positions to a batch, starting at `row`, until the batch is full or a segment ends.
  ///
  /// - Returns: the row to continue with, and whether it begins a segment.
  mutating func fill(
    _ batch: inout PointBatch, from row: Int
  ) throws(TrackError) -> (row: Int, beginsSegment: Bool) {
    var row = row
    while row < count, !batch.isFull {
      let place = row - removedCount
      guard let latitude = try latitudes.value(at: place), latitude.isFinite,
        let longitude = try longitudes.value(at: place)
      else {
        if try latitudes.value(at: place) == .infinity { isResuming = segmentHasPoint }
        row += 1
        continue
      }
      if isResuming {
        isResuming = false
        return (row, true)
      }
      let elevation = hasElevations ? try elevations.value(at: place) ?? .nan : .nan
      try add(row, latitude, longitude, elevation, to: &batch)
      row += 1
    }
    return (row, false)
  }

  /// Moves the held positions of a streamed track to a batch that is not full, up to the end of a segment.
  ///
  /// - Returns: whether the next position begins a segment.
  mutating func moveHeld(to batch: inout PointBatch) throws(TrackError) -> Bool {
    let (row, beginsSegment) = try fill(&batch, from: removedCount)
    guard row == count else { return beginsSegment }
    removedCount = row
    try latitudes.removeValues(from: 0)
    try longitudes.removeValues(from: 0)
    try elevations.removeValues(from: 0)
    return false
  }

  /// Adds a position of a streamed track, which holds no others, to a batch that is not full.
  @inline(__always)
  mutating func append(
    latitude: Double, longitude: Double, elevation: Double, to batch: inout PointBatch
  ) throws(TrackError) {
    if !elevation.isNaN, elevation != 0 { hasAltitude = true }
    try add(removedCount, latitude, longitude, hasElevations ? elevation : .nan, to: &batch)
    removedCount += 1
  }

  /// Adds a row to a batch, with its time and sensor values.
  @inline(__always)
  private mutating func add(
    _ row: Int, _ latitude: Double, _ longitude: Double, _ elevation: Double, to batch: inout PointBatch
  ) throws(TrackError) {
    segmentHasPoint = true
    var time = try times.value(at: row) ?? Instant.absent
    if !untimed.isEmpty, let value = try untimed.value(at: row), value > 0 { time = Instant.absent }
    batch.append(latitude: latitude, longitude: longitude, time: time)
    for index in arrays.indices {
      if let value = try arrays[index].values.value(at: row), !value.isNaN {
        batch.set(arrays[index].channel, value)
      }
    }
    if !elevation.isNaN { batch.set(.elevation, elevation) }
  }

  /// Whether a position has a height above the ground other than zero.
  var hasHeights: Bool { altitudeMode == .relative && hasAltitude }

  /// Whether altitudes are elevations.
  private var hasElevations: Bool {
    switch altitudeMode {
    case .absolute: true
    case .clampedToGround: hasAltitude || lacksAltitude
    case .relative: false
    }
  }
}
