import TrackModel

/// A gpsd report of the class TPV (time, position, velocity) or SKY (satellites). Others are not decoded.
struct GPSDReport {
  /// Whether the line is a gpsd report: an object with a class.
  private(set) var isReport = false
  private var isPosition = false
  /// Whether the report is about the satellites of the following positions.
  private(set) var isSky = false
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
    /// In SKY. The number of satellites is that of those in use.
    case hdop, vdop, pdop
    case satellites = "uSat"
    /// 2 is a differential fix; 3 and 4 are real-time kinematic.
    case status
    case differentialAge = "dgpsAge", differentialStation = "dgpsSta"
    case depth, temperature = "temp", waterTemperature = "wtemp"
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
        let name = try lexer.stringOrNothing()
        isPosition = name == "TPV"
        isSky = name == "SKY"
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

  /// Whether the reports are known to be of different receivers.
  func isOfOther(_ other: GPSDReport) -> Bool {
    if let device, let name = other.device { device != name } else { false }
  }

  /// Whether the report has a position.
  var hasFix: Bool { isPosition && mode >= 2 && values[.latitude] != nil && values[.longitude] != nil }

  /// Appends the report as a row if it has a fix.
  ///
  /// - Parameter sky: the last report about satellites.
  /// - Returns: false if its position is out of range.
  func append(to batch: inout PointBatch, _ sky: GPSDReport?) -> Bool {
    guard isPosition, mode >= 2, let latitude = values[.latitude], let longitude = values[.longitude] else {
      return true
    }
    guard Coordinate(latitude: latitude, longitude: longitude).isValid else { return false }
    batch.append(latitude: latitude, longitude: longitude, time: time?.microseconds ?? Instant.absent)
    batch.set(.elevation, ifKnown: mode >= 3 ? elevation : nil)
    var details = PointDetails()
    if isInvalid {
      details.fix = "none"
    } else if let status = values[.status], (2...4).contains(status) {
      details.fix = "dgps"
    }
    details.differentialStation = values[.differentialStation].flatMap { Int(exactly: $0) }
      .flatMap { (1...1023).contains($0) ? $0 : nil }
    batch.set(details)
    batch.set(.horizontalAccuracy, ifKnown: horizontalAccuracy)
    // From 95 % to 68 % of a normal distribution.
    batch.set(.verticalAccuracy, ifKnown: values[.epv].map { $0 / 1.96 })
    batch.set(.speed, ifKnown: values[.speed])
    batch.set(.course, ifKnown: values[.track])
    batch.set(.geoidHeight, ifKnown: values[.geoidSeparation])
    batch.set(.magneticVariation, ifKnown: values[.magneticVariation])
    batch.set(.differentialAge, ifKnown: values[.differentialAge])
    batch.set(.depth, ifKnown: values[.depth])
    batch.set(.temperature, ifKnown: values[.temperature])
    batch.set(.waterTemperature, ifKnown: values[.waterTemperature])
    batch.set(.hdop, ifKnown: sky?.values[.hdop])
    batch.set(.vdop, ifKnown: sky?.values[.vdop])
    batch.set(.pdop, ifKnown: sky?.values[.pdop])
    batch.set(.satellites, ifKnown: sky?.values[.satellites])
    return true
  }

  /// Whether the report has a negative error, which marks an invalid position.
  private var isInvalid: Bool { [.eph, .epx, .epy].contains { (values[$0] ?? 0) < 0 } }

  /// The horizontal error in metres, scaled from 95 % (H_UERE in gpsd.h) to the 68 % used by phones and file
  /// formats. Two-dimensional errors are Rayleigh distributed, and √(ln 0.32 / ln 0.05) is 0.617.
  /// The elevation above the sea, if the report has it; otherwise the deprecated one, or that above the
  /// ellipsoid.
  private var elevation: Double? {
    if let sea = values[.altitudeMSL] { return sea }
    if let ellipsoid = values[.altitudeHAE], let geoid = values[.geoidSeparation] { return ellipsoid - geoid }
    return values[.altitude] ?? values[.altitudeHAE]
  }

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
