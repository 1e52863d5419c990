import TrackModel

/// The merged sentences of one time of day.
struct NMEAEpoch {
  /// Microseconds since midnight, or `nil` if no sentence has a time.
  var time: Int64?
  /// Days since 1970, from RMC.
  var date: Int?
  /// The position, or `nil` without a fix.
  var coordinate: Coordinate?
  /// The line of the first sentence.
  var line: Int
  /// One bit for each merged kind of sentence.
  private var kinds: UInt16 = 0

  private var elevation = Double.nan
  private var geoidHeight = Double.nan
  private var speed = Double.nan
  private var course = Double.nan
  private(set) var satellites = Double.nan
  private var hdop = Double.nan
  private var variation = Double.nan
  private var differentialAge = Double.nan
  private var station: Int?
  /// The quality of GGA or GNS, or 0 if none was read.
  private var quality = 0
  var precision = Precision()
  var motion = Motion()
  var deviation = Deviation()

  /// The values of GSA, which has no time.
  struct Precision {
    var pdop = Double.nan
    var hdop = Double.nan
    var vdop = Double.nan
    /// The dimensions of the fix: 2, 3, or 0 if unknown.
    var dimensions = 0
    var isKnown = false
  }

  /// The values of VTG, which has no time.
  struct Motion {
    var speed = Double.nan
    var course = Double.nan
    var isKnown = false
  }

  /// The values of GST: standard deviations in metres.
  struct Deviation {
    /// The horizontal deviation, from latitude and longitude together.
    var horizontal = Double.nan
    var vertical = Double.nan
  }

  init(time: Int64?, line: Int) {
    self.time = time
    self.line = line
  }

  /// Whether a sentence of the given kind, with or without a time of day, belongs to the epoch.
  func takes(_ kind: NMEASentence.Kind, time: Int64?) -> Bool {
    if let time, let own = self.time { return time == own }
    return !has(kind)
  }

  private func has(_ kind: NMEASentence.Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

  /// Sets the time from a sentence, and the position if it is still missing.
  mutating func merge(_ kind: NMEASentence.Kind, time: Int64?, coordinate: Coordinate?) {
    kinds |= 1 << kind.rawValue
    self.time = self.time ?? time
    self.coordinate = self.coordinate ?? coordinate
  }

  mutating func merge(speed: Double?, course: Double?, variation: Double?) {
    self.speed = speed ?? self.speed
    self.course = course ?? self.course
    self.variation = variation ?? self.variation
  }

  mutating func merge(
    quality: Int, satellites: Double?, hdop: Double?, elevation: Double?, geoidHeight: Double?,
    differentialAge: Double?, station: Int?
  ) {
    self.quality = quality
    self.satellites = satellites ?? self.satellites
    self.hdop = hdop ?? self.hdop
    self.elevation = elevation ?? self.elevation
    self.geoidHeight = geoidHeight ?? self.geoidHeight
    self.differentialAge = differentialAge ?? self.differentialAge
    self.station = station ?? self.station
  }

  /// Appends the epoch as a row.
  ///
  /// - Parameter microseconds: the time, or ``Instant/absent``.
  func append(to batch: inout PointBatch, time microseconds: Int64) {
    guard let coordinate else { return }
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude, time: microseconds)
    set(.elevation, elevation, in: &batch)
    set(.geoidHeight, geoidHeight, in: &batch)
    set(.horizontalAccuracy, deviation.horizontal, in: &batch)
    set(.verticalAccuracy, deviation.vertical, in: &batch)
    set(.speed, speed.isNaN ? motion.speed : speed, in: &batch)
    set(.course, course.isNaN ? motion.course : course, in: &batch)
    set(.satellites, satellites, in: &batch)
    set(.hdop, hdop.isNaN ? precision.hdop : hdop, in: &batch)
    set(.vdop, precision.vdop, in: &batch)
    set(.pdop, precision.pdop, in: &batch)
    set(.magneticVariation, variation, in: &batch)
    set(.differentialAge, differentialAge, in: &batch)
    let fix = fix
    if fix != nil || station != nil {
      var details = PointDetails()
      details.fix = fix
      details.differentialStation = station
      batch.set(details)
    }
  }

  private func set(_ channel: Channel, _ value: Double, in batch: inout PointBatch) {
    if !value.isNaN { batch.set(channel, value) }
  }

  /// The fix type for ``PointDetails/fix``, or `nil` if unknown.
  private var fix: String? {
    switch quality {
    // Differential; 4 and 5 are real-time kinematic.
    case 2, 4, 5: "dgps"
    case 3: "pps"
    case 0, 1:
      switch precision.dimensions {
      case 2: "2d"
      case 3: "3d"
      default: nil
      }
    // Dead reckoning, manual input, simulator.
    default: nil
    }
  }
}
