import TrackModel

/// The offsets of the values in a block of a dashcam with a Novatek processor, from the start of the block.
///
/// The values are those of ExifTool's documentation of "freeGPS". Numbers are little-endian.
struct NovatekLayout {
  /// The hour, minute and second, and the year, month and day, as numbers of four bytes.
  private let clock: Int
  private let date: Int
  /// `A` with a fix or `V` without, `N` or `S`, and `E` or `W`.
  private let status: Int
  private let north: Int
  private let east: Int
  /// Whether zeros follow each letter up to four bytes.
  private let hasWideLetters: Bool
  private let latitude: Int
  private let longitude: Int
  private let speed: Int
  private let course: Int
  /// Whether numbers have eight bytes.
  private let isDouble: Bool
  /// The metres per second in a unit of speed.
  private let speedUnit: Double

  private static let knot = Geodesy.metresPerNauticalMile / 3600
  /// Smaller coordinates in degrees and minutes, except zero, are other values in the same bytes.
  private static let smallest = 0.001

  /// A layout with all values in order after the time, as most cameras write it.
  private init(from start: Int) {
    self.init(
      clock: start, date: start + 12, letters: (start + 24, start + 25, start + 26), latitude: start + 28,
      longitude: start + 32, speed: start + 36, course: start + 40)
  }

  private init(
    clock: Int, date: Int, letters: (status: Int, north: Int, east: Int), hasWideLetters: Bool = false,
    latitude: Int, longitude: Int, speed: Int, course: Int, isDouble: Bool = false, speedUnit: Double = knot
  ) {
    self.clock = clock
    self.date = date
    status = letters.status
    north = letters.north
    east = letters.east
    self.hasWideLetters = hasWideLetters
    self.latitude = latitude
    self.longitude = longitude
    self.speed = speed
    self.course = course
    self.isDouble = isDouble
    self.speedUnit = speedUnit
  }

  /// The layouts in the order in which they are tried.
  static let all = [
    NovatekLayout(from: 16), NovatekLayout(from: 48),
    // Akaso.
    NovatekLayout(
      clock: 48, date: 88, letters: (60, 68, 76), hasWideLetters: true, latitude: 64, longitude: 72,
      speed: 80, course: 84, speedUnit: 1 / SpeedUnits.kilometresPerHour),
    NovatekLayout(
      clock: 48, date: 112, letters: (60, 72, 88), hasWideLetters: true, latitude: 64, longitude: 80,
      speed: 96, course: 104, isDouble: true),
    // Vantrue N4, Rove.
    NovatekLayout(
      clock: 16, date: 80, letters: (28, 40, 56), hasWideLetters: true, latitude: 32, longitude: 48,
      speed: 64, course: 72, isDouble: true),
    // Vantrue S1.
    NovatekLayout(
      clock: 80, date: 68, letters: (64, 65, 66), latitude: 96, longitude: 92, speed: 100, course: 104),
    NovatekLayout(from: 20),
    // Kenwood.
    NovatekLayout(from: 64),
  ]

  /// The layout of Viofo's A329 and others, whose values are in the usual order at an offset that differs
  /// between models: returns the fix of the first plausible one, or nil.
  static func fix(anywhereIn bytes: Span<UInt8>) -> CameraFix? {
    for start in stride(from: 16, through: min(bytes.count, searchedLength) - 44, by: 4) {
      // Most offsets fail here.
      guard bytes[start + 24] == UInt8(ascii: "A"), bytes[start + 27] == 0,
        case .fixes(let fixes) = NovatekLayout(from: start).read(bytes), let fix = fixes.first,
        (0..<maximumSpeed).contains(fix.speed), (0...360).contains(fix.course)
      else { continue }
      return fix
    }
    return nil
  }

  /// The bytes of a block that are searched, and the largest plausible speed in metres per second.
  private static let searchedLength = 512
  private static let maximumSpeed = 200.0

  /// Reads a block; `unknown` if it has another layout.
  func read(_ bytes: Span<UInt8>) -> NovatekBlock {
    guard bytes.count >= max(course + (isDouble ? 8 : 4), date + 12), let time = time(bytes) else {
      return .unknown
    }
    guard isLetter(bytes, status, "A", "A") else {
      // Without a fix, some cameras write a space or zero.
      let isLost = isLetter(bytes, status, "V", "V") || !hasWideLetters && isLetter(bytes, status, " ", "\0")
      return isLost ? .lost : .unknown
    }
    guard isLetter(bytes, north, "N", "S"), isLetter(bytes, east, "E", "W") else { return .unknown }
    let (rawLatitude, rawLongitude) = (number(bytes, latitude), number(bytes, longitude))
    guard rawLatitude.isFinite, rawLongitude.isFinite, rawLatitude >= NovatekLayout.smallest,
      rawLongitude >= NovatekLayout.smallest
    else { return rawLatitude == 0 && rawLongitude == 0 ? .lost : .unknown }
    // In degrees and minutes, such small numbers would be in the sea south of Ghana.
    let isDegrees = rawLatitude <= 90 && rawLongitude <= 180
    guard
      let latitude = isDegrees ? rawLatitude : NovatekLayout.degrees(rawLatitude),
      let longitude = isDegrees ? rawLongitude : NovatekLayout.degrees(rawLongitude),
      case let coordinate = Coordinate(
        latitude: bytes[north] == UInt8(ascii: "S") ? 0 - latitude : latitude,
        longitude: bytes[east] == UInt8(ascii: "W") ? 0 - longitude : longitude), coordinate.isValid
    else { return .unknown }
    return .fixes([
      CameraFix(
        coordinate: coordinate, time: time,
        speed: number(bytes, speed) * (isDegrees ? 1 / SpeedUnits.kilometresPerHour : speedUnit),
        course: number(bytes, course))
    ])
  }

  private func isLetter(
    _ bytes: Span<UInt8>, _ offset: Int, _ first: Unicode.Scalar, _ second: Unicode.Scalar
  ) -> Bool {
    guard bytes[offset] == UInt8(ascii: first) || bytes[offset] == UInt8(ascii: second) else { return false }
    return !hasWideLetters || bytes.littleEndian(offset) <= 0xFF
  }

  private func time(_ bytes: Span<UInt8>) -> Int64? {
    func field(_ offset: Int) -> Int { Int(bytes.littleEndian(offset)) }
    guard field(date) < 3000 else { return nil }
    return CameraTime.microseconds(
      field(date), field(date + 4), field(date + 8), field(clock), field(clock + 4), field(clock + 8))
  }

  private func number(_ bytes: Span<UInt8>, _ offset: Int) -> Double {
    let low = bytes.littleEndian(offset)
    guard isDouble else { return Double(Float(bitPattern: low)) }
    return Double(bitPattern: UInt64(bytes.littleEndian(offset + 4)) << 32 | UInt64(low))
  }

  /// Converts degrees and minutes, `ddmm.mmmm`.
  static func degrees(_ value: Double) -> Double? {
    guard value.isFinite, value >= 0, value < 18_100 else { return nil }
    let degrees = (value / 100).rounded(.down)
    let minutes = value - degrees * 100
    return minutes < 60 ? degrees + minutes / 60 : nil
  }
}
