import TrackModel

/// A fix that a camera stored in a film.
struct CameraFix {
  var coordinate: Coordinate
  /// Microseconds since 1970, or ``Instant/absent`` if the time follows from ``media``.
  var time = Instant.absent
  /// Seconds since the start of the film.
  var media = 0.0
  /// Metres, metres per second, degrees and a dilution of precision; NaN if unknown.
  var elevation = Double.nan
  var speed = Double.nan
  var course = Double.nan
  var precision = Double.nan
  /// The dimensions of the fix: 2, 3, or 0 if unknown.
  var dimensions = 0

  /// Appends the fix as a row.
  func append(to batch: inout PointBatch, time: Int64) {
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude, time: time)
    if elevation.isFinite { batch.set(.elevation, elevation) }
    if speed.isFinite, speed >= 0 { batch.set(.speed, speed) }
    if course.isFinite, course >= 0, course <= 360 { batch.set(.course, course == 360 ? 0 : course) }
    if precision.isFinite { batch.set(.pdop, precision) }
    if dimensions > 0 {
      var details = PointDetails()
      details.fix = "\(dimensions)d"
      batch.set(details)
    }
  }
}
