import TrackModel

/// The `gx:Track` that is being read. Its times, positions and sensor values are separate lists, stored in
/// columns until its end. The n-th values of all lists belong together.
///
/// Columns are packed, and long ones are stored in temporary files, so memory is bounded.
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
  private var isResuming = false

  private enum Target {
    case nothing, untimed
    case array(Int)
  }

  /// The number of positions, including empty ones.
  var count: Int { latitudes.count }
  var timeCount: Int { times.count }

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

  /// Adds positions to a batch, starting at `row`, until the batch is full or a segment ends.
  ///
  /// - Returns: the row to continue with, and whether it begins a segment.
  mutating func fill(
    _ batch: inout PointBatch, from row: Int
  ) throws(TrackError) -> (row: Int, beginsSegment: Bool) {
    var row = row
    while row < count, !batch.isFull {
      guard let latitude = try latitudes.value(at: row), latitude.isFinite,
        let longitude = try longitudes.value(at: row)
      else {
        if try latitudes.value(at: row) == .infinity { isResuming = segmentHasPoint }
        row += 1
        continue
      }
      if isResuming {
        isResuming = false
        return (row, true)
      }
      defer { row += 1 }
      segmentHasPoint = true
      var time = try times.value(at: row) ?? Instant.absent
      if !untimed.isEmpty, let value = try untimed.value(at: row), value > 0 { time = Instant.absent }
      batch.append(latitude: latitude, longitude: longitude, time: time)
      for index in arrays.indices {
        if let value = try arrays[index].values.value(at: row), !value.isNaN {
          batch.set(arrays[index].channel, value)
        }
      }
      if hasElevations, let elevation = try elevations.value(at: row), !elevation.isNaN {
        batch.set(.elevation, elevation)
      }
    }
    return (row, false)
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
