import TrackModel

/// The trackpoint that is being read. In TCX all its values, including the position, are separate elements.
struct TCXTrackpoint {
  var time = Instant.absent
  var latitude = Double.nan
  var longitude = Double.nan
  /// Whether the latitude or longitude was invalid and has been counted.
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

  /// Whether both coordinates are present and in range.
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
