import TrackModel

/// The trackpoint that is being read: TCX puts everything, the position too, into elements of their own.
struct TCXTrackpoint {
  var time = Instant.absent
  var latitude = Double.nan
  var longitude = Double.nan
  /// Whether a latitude or longitude was none and has been counted as such.
  var isFlawed = false
  var details = PointDetails()
  var hasDetails = false

  private var values = [6 of Double](repeating: .nan)
  /// The channels that a trackpoint can have.
  private static let channels: [6 of Channel] = [
    .elevation, .distance, .heartRate, .cadence, .speed, .power,
  ]

  enum Slot: Int { case elevation, distance, heartRate, cadence, speed, power }

  subscript(slot: Slot) -> Double {
    get { values[slot.rawValue] }
    set { values[slot.rawValue] = newValue }
  }

  /// Whether there is a position, both numbers in their ranges.
  var hasPosition: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

  /// Adds the point as a row.
  func append(to batch: inout PointBatch) {
    batch.append(latitude: latitude, longitude: longitude, time: time)
    for index in values.indices where !values[index].isNaN {
      batch.set(TCXTrackpoint.channels[index], values[index])
    }
    if hasDetails { batch.set(details) }
  }
}
