import TrackModel

/// Decoding of sentence fields.
extension NMEAEpoch {
  mutating func takeRMC(
    _ sentence: borrowing NMEASentence, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) {
    let date = sentence.date(9)
    if date == nil, !sentence.isEmpty(9) {
      try warnings.warn(.invalidTime, "invalid date, ignored", line: line, quoting: sentence.string(9))
    }
    self.date = date ?? self.date
    guard sentence.hasFix else { return }
    merge(
      speed: try sentence.speed(7, perHour: Geodesy.metresPerNauticalMile, line, &warnings),
      course: try sentence.course(8, line, &warnings),
      variation: try sentence.variation(10, line, &warnings))
  }

  mutating func takeGGA(
    _ sentence: borrowing NMEASentence, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) {
    guard sentence.hasFix else { return }
    let station = try sentence.number(14, line, &warnings)
    merge(
      quality: Int(sentence.number(6) ?? 0),
      satellites: try sentence.number(7, line, &warnings), hdop: try sentence.number(8, line, &warnings),
      elevation: try sentence.number(9, line, &warnings),
      geoidHeight: try sentence.number(11, line, &warnings),
      differentialAge: try sentence.number(13, line, &warnings),
      // Receivers without a station write 0.
      station: station.flatMap { (1...1023).contains($0) ? Int($0) : nil })
  }

  /// Talkers of single systems, which some receivers send after the one of all systems, state only their own
  /// satellites.
  mutating func takeGNS(
    _ sentence: borrowing NMEASentence, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) {
    guard sentence.hasFix else { return }
    let station = try sentence.number(12, line, &warnings)
    merge(
      quality: sentence.bestMode.quality,
      satellites: try sentence.number(7, line, &warnings).map { max($0, satellites.isNaN ? 0 : satellites) },
      hdop: try sentence.number(8, line, &warnings),
      elevation: try sentence.number(9, line, &warnings),
      geoidHeight: try sentence.number(10, line, &warnings),
      differentialAge: try sentence.number(11, line, &warnings),
      station: station.flatMap { (1...1023).contains($0) ? Int($0) : nil })
  }
}

extension NMEAEpoch.Precision {
  /// Reads a GSA.
  init(
    _ sentence: borrowing NMEASentence, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) {
    isKnown = true
    switch sentence.letter(2) {
    case UInt8(ascii: "2"): dimensions = 2
    case UInt8(ascii: "3"): dimensions = 3
    default: dimensions = 0
    }
    pdop = try sentence.number(15, line, &warnings) ?? .nan
    hdop = try sentence.number(16, line, &warnings) ?? .nan
    vdop = try sentence.number(17, line, &warnings) ?? .nan
  }
}

extension NMEAEpoch.Deviation {
  /// Reads a GST.
  init(
    _ sentence: borrowing NMEASentence, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) {
    if let north = try sentence.number(6, line, &warnings),
      let east = try sentence.number(7, line, &warnings),
      north >= 0, east >= 0
    {
      horizontal = (north * north + east * east).squareRoot()
    }
    if let up = try sentence.number(8, line, &warnings), up >= 0 { vertical = up }
  }
}

extension NMEAEpoch.Motion {
  /// Reads a VTG.
  init(
    _ sentence: borrowing NMEASentence, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) {
    isKnown = true
    course = try sentence.course(1, line, &warnings) ?? .nan
    // Versions before 2.0 have no letters of the units between the numbers.
    let isOld = sentence.fieldCount < 8 && sentence.number(2) != nil
    speed =
      try sentence.speed(isOld ? 3 : 5, perHour: Geodesy.metresPerNauticalMile, line, &warnings) ?? .nan
    if speed.isNaN { speed = try sentence.speed(isOld ? 4 : 7, perHour: 1000, line, &warnings) ?? .nan }
  }
}

extension NMEASentence {
  /// Whether the sentence has a valid position: status `A` (or `D`, differential) and a quality above 0.
  var hasFix: Bool {
    switch kind {
    case .rmc: isActive(2) && letter(12) != UInt8(ascii: "N")
    // Versions before 2.0 have no time and no status.
    case .gll: (fieldCount < 6 || isActive(6)) && letter(7) != UInt8(ascii: "N")
    case .gga: number(6).map { (1...9).contains($0) } ?? false
    // Talkers of single systems have no position if another talker gives it.
    case .gns: bestMode != .none && !isEmpty(2)
    default: false
    }
  }

  /// The best mode of GNS among those of the satellite systems.
  fileprivate var bestMode: Mode {
    let modes = field(6)
    var best = Mode.none
    for index in modes.indices { best = max(best, Mode(modes[index])) }
    return best
  }

  /// How a satellite system is used, in ascending order of accuracy.
  fileprivate enum Mode: Comparable {
    case none, other, autonomous, differential, precise, float, realTimeKinematic

    init(_ letter: UInt8) {
      self =
        switch letter {
        case UInt8(ascii: "A"): .autonomous
        case UInt8(ascii: "D"): .differential
        case UInt8(ascii: "P"): .precise
        case UInt8(ascii: "F"): .float
        case UInt8(ascii: "R"): .realTimeKinematic
        // Dead reckoning, manual input and simulator.
        case UInt8(ascii: "E"), UInt8(ascii: "M"), UInt8(ascii: "S"): .other
        default: .none
        }
    }

    /// The quality that GGA has for the mode.
    var quality: Int {
      switch self {
      case .none: 0
      case .autonomous: 1
      case .differential: 2
      case .precise: 3
      case .realTimeKinematic: 4
      case .float: 5
      case .other: 6
      }
    }
  }

  private func isActive(_ field: Int) -> Bool {
    letter(field) == UInt8(ascii: "A") || letter(field) == UInt8(ascii: "D")
  }

  /// Returns the number in a field, or `nil` if it is empty or invalid. Invalid numbers are counted.
  fileprivate func number(
    _ field: Int, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) -> Double? {
    if let value = number(field) { return value }
    if !isEmpty(field) {
      try warnings.warn(.invalidValue, "invalid number, ignored", line: line, quoting: string(field))
    }
    return nil
  }

  /// Returns a speed in metres per second, given the metres per hour of its unit, or `nil` if missing or
  /// negative.
  fileprivate func speed(
    _ field: Int, perHour metres: Double, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) -> Double? {
    guard let value = try number(field, line, &warnings), value >= 0 else { return nil }
    let speed = value * metres / 3600
    return speed.isFinite ? speed : nil
  }

  /// Returns a course in 0..<360, or `nil` if missing or out of range.
  fileprivate func course(
    _ field: Int, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) -> Double? {
    try number(field, line, &warnings).flatMap(Channel.course.known)
  }

  /// Returns the magnetic variation from a field and its direction from the next, eastwards in 0..<360 as in
  /// GPX.
  fileprivate func variation(
    _ field: Int, _ line: Int, _ warnings: inout NMEAWarnings
  ) throws(TrackError) -> Double? {
    guard let value = try number(field, line, &warnings), value >= 0, value <= 180 else { return nil }
    return letter(field + 1) == UInt8(ascii: "W") && value > 0 ? 360 - value : value
  }
}
