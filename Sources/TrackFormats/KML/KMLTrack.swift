import TrackModel

/// A `gx:Track` while it is read: its times, positions and sensors come one list after the other, so that the
/// track waits in columns until its end. The n-th of each list belong together.
struct KMLTrack {
  /// One per `when`; absent for those that are empty or no times.
  private(set) var times: [Int64] = []
  // One per `gx:coord`; NaN for those that are empty or no position.
  private var latitudes: [Double] = []
  private var longitudes: [Double] = []
  private var elevations: [Double] = []
  /// One list per sensor, in the order of the file; NaN where there is no value.
  private var arrays: [(channel: Channel, values: [Double])] = []
  /// One per `when`: above zero where the time was only filled in by ``KMLWriter``.
  private var untimed: [Double] = []
  /// What the next values go into.
  private var target = Target.nothing
  /// Whether altitudes are heights above the ground.
  var isRelative = false

  private enum Target {
    case nothing, untimed
    case array(Int)
  }

  /// How many positions there are, those that are empty included.
  var count: Int { latitudes.count }

  mutating func removeAll() { self = KMLTrack() }

  mutating func append(time: Int64) { times.append(time) }

  mutating func append(latitude: Double, longitude: Double, elevation: Double) {
    latitudes.append(latitude)
    longitudes.append(longitude)
    elevations.append(elevation)
  }

  mutating func appendEmpty() { append(latitude: .nan, longitude: .nan, elevation: .nan) }

  // MARK: Sensors

  /// Begins the list of a channel; one that comes twice goes on.
  mutating func beginArray(_ channel: Channel) {
    if let known = arrays.firstIndex(where: { $0.channel == channel }) {
      target = .array(known)
    } else {
      target = .array(arrays.count)
      arrays.append((channel, []))
    }
  }

  /// Begins the list that says which times were filled in.
  mutating func beginUntimed() { target = .untimed }

  /// Begins a list that nothing is known of.
  mutating func beginUnknown() { target = .nothing }

  /// Adds a value to the list that was begun last.
  mutating func append(value: Double) {
    switch target {
    case .nothing: break
    case .untimed: untimed.append(value)
    case .array(let index): arrays[index].values.append(value)
    }
  }

  /// The channel of the list that was begun last.
  var channel: Channel? { if case .array(let index) = target { arrays[index].channel } else { nil } }

  // MARK: Rows

  /// Adds the positions from `row` on to a batch until that is full.
  ///
  /// - Returns: the row to go on with.
  func fill(_ batch: inout PointBatch, from row: Int) -> Int {
    var row = row
    while row < latitudes.count, !batch.isFull {
      defer { row += 1 }
      guard !latitudes[row].isNaN else { continue }
      var time = row < times.count ? times[row] : Instant.absent
      if row < untimed.count, untimed[row] > 0 { time = Instant.absent }
      batch.append(latitude: latitudes[row], longitude: longitudes[row], time: time)
      for array in arrays where row < array.values.count && !array.values[row].isNaN {
        batch.set(array.channel, array.values[row])
      }
      if !elevations[row].isNaN, !isRelative { batch.set(.elevation, elevations[row]) }
    }
    return row
  }

  /// Whether a position has a height above the ground other than zero.
  var hasHeights: Bool { isRelative && elevations.contains { !$0.isNaN && $0 != 0 } }

  /// Whether a position is none of the empty ones.
  var hasPosition: Bool { latitudes.contains { !$0.isNaN } }
}
