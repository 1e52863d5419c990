import TrackModel

/// The latest values of rows without a position since the last point of a table.
struct CSVHeldValues {
  /// Values by column: those of channels, then the extra ones. The times are in microseconds.
  private var values: [Int: (value: Double, time: Int64)] = [:]

  /// The values of tables with a row for each value of a sensor.
  private var sensors: [(name: ExtraValues.Name, value: Double, time: Int64)] = []

  /// The maximum age of a value at a point, in microseconds.
  private static let maximumAge: Int64 = 1_000_000

  /// Keeps a value for the next point.
  mutating func keep(_ value: Double, at column: Int, _ time: Int64) { values[column] = (value, time) }

  /// Completes the missing values of a point with those that are kept and at most one second older.
  mutating func complete(_ channels: inout [Double], _ extra: inout [Double], at time: Int64) {
    guard !values.isEmpty else { return }
    for (column, (value, kept)) in values where time != Instant.absent {
      guard (0...Self.maximumAge).contains(time - kept) else { continue }
      if column < channels.count {
        if channels[column].isNaN { channels[column] = value }
      } else if extra[column - channels.count].isNaN {
        extra[column - channels.count] = value
      }
    }
    values.removeAll(keepingCapacity: true)
  }

  /// The maximum number of sensors.
  static let maximumSensors = 256

  /// Keeps the value of a sensor for the next point.
  ///
  /// - Returns: false if there are already ``maximumSensors`` others.
  mutating func keep(_ value: Double, of sensor: ExtraValues.Name, _ time: Int64) -> Bool {
    sensors.removeAll { $0.name == sensor }
    guard sensors.count < Self.maximumSensors else { return false }
    sensors.append((sensor, value, time))
    return true
  }

  /// Returns the values of the sensors at a point: its own and those that are kept and at most one second
  /// older.
  mutating func complete(
    _ own: (name: ExtraValues.Name, value: Double)?, at time: Int64
  ) -> ExtraValues? {
    var result = own.map { [$0] } ?? []
    for (name, value, kept) in sensors where name != own?.name && time != Instant.absent {
      if (0...Self.maximumAge).contains(time - kept) { result.append((name, value)) }
    }
    sensors.removeAll(keepingCapacity: true)
    return result.isEmpty ? nil : ExtraValues(result.map(\.name), result.map(\.value))
  }
}
