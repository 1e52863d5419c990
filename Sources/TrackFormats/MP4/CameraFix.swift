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
  /// The values of ``TeslaFrame/channels``, or nothing.
  var channels: [Double] = []

  /// Appends the fix as a row.
  func append(to batch: inout PointBatch, time: Int64) {
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude, time: time)
    batch.set(.elevation, ifKnown: elevation)
    batch.set(.speed, ifKnown: speed)
    batch.set(.course, ifKnown: course)
    batch.set(.pdop, ifKnown: precision)
    guard dimensions > 0 || !channels.isEmpty else { return }
    var details = PointDetails()
    if dimensions > 0 { details.fix = "\(dimensions)d" }
    if !channels.isEmpty { details.extraValues = ExtraValues(TeslaFrame.channels, channels) }
    batch.set(details)
  }
}
