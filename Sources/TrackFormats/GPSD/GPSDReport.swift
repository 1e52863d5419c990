import TrackModel

/// A gpsd report. Only the class TPV (time, position, velocity) is decoded.
struct GPSDReport {
  /// Whether the line is a gpsd report: an object with a class.
  private(set) var isReport = false
  private var isPosition = false
  /// The mode: 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
  private var mode = 0.0
  private(set) var time: Instant?
  /// The path of the receiver.
  private(set) var device: String?
  private var values: [Field: Double] = [:]

  private enum Field: String {
    case latitude = "lat", longitude = "lon"
    /// The altitude in metres above mean sea level, above the ellipsoid, and in the field of older versions.
    case altitudeMSL = "altMSL", altitudeHAE = "altHAE", altitude = "alt"
    case speed, track, climb
    /// Estimated errors in metres.
    case eph, epx, epy, epv
    case geoidSeparation = "geoidSep", magneticVariation = "magvar"
  }

  /// - Throws: if the line is not a JSON object.
  mutating func read(_ line: [UInt8]) throws(TrackError) {
    var lexer = JSONLexer(ByteInput(bytes: line))
    try lexer.beginObject()
    while try lexer.nextMember() {
      let name = lexer.text
      switch name {
      case "class":
        isReport = true
        isPosition = try lexer.stringOrNothing() == "TPV"
      case "mode": mode = try lexer.numberOrNothing() ?? 0
      case "device": device = try lexer.stringOrNothing()
      case "time": time = try JSONTime.read(&lexer)
      default:
        if let field = Field(rawValue: name) {
          values[field] = try lexer.numberOrNothing()
        } else {
          try lexer.skip()
        }
      }
    }
  }

  /// Whether the report has a position.
  var hasFix: Bool { isPosition && mode >= 2 && values[.latitude] != nil && values[.longitude] != nil }

  /// Appends the report as a row if it has a fix.
  ///
  /// - Returns: false if its position is out of range.
  func append(to batch: inout PointBatch) -> Bool {
    guard isPosition, mode >= 2, let latitude = values[.latitude], let longitude = values[.longitude] else {
      return true
    }
    guard Coordinate(latitude: latitude, longitude: longitude).isValid else { return false }
    batch.append(latitude: latitude, longitude: longitude, time: time?.microseconds ?? Instant.absent)
    batch.set(
      .elevation,
      ifKnown: mode >= 3 ? values[.altitudeMSL] ?? values[.altitudeHAE] ?? values[.altitude] : nil)
    if isInvalid {
      var details = PointDetails()
      details.fix = "none"
      batch.set(details)
    }
    batch.set(.horizontalAccuracy, ifKnown: horizontalAccuracy)
    batch.set(.verticalAccuracy, ifKnown: values[.epv])
    batch.set(.speed, ifKnown: values[.speed])
    batch.set(.course, ifKnown: values[.track])
    batch.set(.geoidHeight, ifKnown: values[.geoidSeparation])
    batch.set(.magneticVariation, ifKnown: values[.magneticVariation])
    return true
  }

  /// Whether the report has a negative error, which marks an invalid position.
  private var isInvalid: Bool { [.eph, .epx, .epy].contains { (values[$0] ?? 0) < 0 } }

  /// The horizontal error in metres, scaled from 95 % (H_UERE in gpsd.h) to the 68 % used by phones and file
  /// formats. Two-dimensional errors are Rayleigh distributed, and √(ln 0.32 / ln 0.05) is 0.617.
  private var horizontalAccuracy: Double? {
    var error: Double?
    if let eph = values[.eph], eph >= 0 {
      error = eph
    } else if let epx = values[.epx], let epy = values[.epy], epx >= 0, epy >= 0 {
      error = (epx * epx + epy * epy).squareRoot()
    }
    return error.map { $0 * 0.617 }
  }
}
