/// What a receiver says about where it is.
public struct LocationFix: Sendable, Hashable {
  public var coordinate: Coordinate
  /// When it was measured, which can be long before it arrives.
  public var time: Instant
  /// Metres; nil where it is not known.
  public var altitude: Double?
  /// Metres within which the true place lies in two of three cases (68 %); nil where it is not known,
  /// negative where the receiver says that the position is invalid.
  public var horizontalAccuracy: Double?
  /// Metres per second; nil or negative where it is not known.
  public var speed: Double?
  /// Degrees clockwise from north; nil or negative where it is not known.
  public var course: Double?

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
  /// Metres that a dilution of precision of 1 stands for where nothing better is known. An estimate: it is
  /// what a plain receiver's distances to the satellites are off by under an open sky.
  public static let metresPerDilution = 5.0

  /// The row of a batch as a fix; nil where it has no time.
  ///
  /// Where the row has no accuracy, it is estimated from the horizontal dilution of precision
  /// (``metresPerDilution``); where it says that there was no fix (`none` in ``PointDetails/fix``), it is -1.
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
