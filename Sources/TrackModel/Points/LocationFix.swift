/// A position fix of a receiver.
public struct LocationFix: Sendable, Hashable {
  /// The position.
  public var coordinate: Coordinate
  /// The time of measurement, which can be long before the fix arrives.
  public var time: Instant
  /// The elevation in metres, or `nil` if unknown.
  public var altitude: Double?
  /// The radius in metres that contains the true position with 68 % probability. `nil` if unknown, negative
  /// if the receiver reports an invalid position.
  public var horizontalAccuracy: Double?
  /// The speed in metres per second. `nil` or negative if unknown.
  public var speed: Double?
  /// The course in degrees clockwise from north. `nil` or negative if unknown.
  public var course: Double?

  /// Whether the receiver knew its position.
  public var isValid: Bool { coordinate.isValid && (horizontalAccuracy ?? 0) >= 0 }

  /// Creates a fix.
  ///
  /// Accuracies and altitudes are in metres, the speed is in metres per second, the course in degrees.
  public init(
    coordinate: Coordinate, time: Instant, altitude: Double? = nil, horizontalAccuracy: Double? = nil,
    speed: Double? = nil, course: Double? = nil
  ) {
    self.coordinate = coordinate
    self.time = time
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.speed = speed
    self.course = course
  }
}

extension LocationFix {
  /// The estimated accuracy in metres for a dilution of precision of 1: the typical range error of a simple
  /// receiver under an open sky.
  public static let metresPerDilution = 5.0

  /// Creates a fix from the row of a batch. Returns `nil` if the row has no time.
  ///
  /// A missing accuracy is estimated from the horizontal dilution of precision (``metresPerDilution``). It is
  /// -1 if the row had no fix (`none` in ``PointDetails/fix``).
  public init?(_ batch: borrowing PointBatch, row: Int) {
    guard let time = batch.time(at: row) else { return nil }
    var accuracy =
      batch.value(.horizontalAccuracy, at: row)
      ?? batch.value(.hdop, at: row).map { $0 * Self.metresPerDilution }
    if batch.details.contains(where: { $0.row == row && $0.details.fix == "none" }) { accuracy = -1 }
    self.init(
      coordinate: batch.coordinate(at: row), time: time, altitude: batch.value(.elevation, at: row),
      horizontalAccuracy: accuracy, speed: batch.value(.speed, at: row), course: batch.value(.course, at: row)
    )
  }
}
