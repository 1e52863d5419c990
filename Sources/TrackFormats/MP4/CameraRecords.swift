import TrackModel

/// Records of fixes in a box `uuid` of a film, as Garmin's DriveAssist and 360fly write them. Numbers are
/// big-endian.
struct CameraRecords {
  private enum Kind { case garmin, fly }

  private let kind: Kind
  /// The bytes of the records that were not read.
  private var rest: Range<Int>

  /// The identifiers of the boxes.
  private static let garmin: [UInt8] = [
    0x9B, 0x63, 0x0F, 0x8D, 0x63, 0x74, 0x40, 0xEC, 0x82, 0x04, 0xBC, 0x5F, 0xF5, 0x09, 0x17, 0x28,
  ]
  private static let fly: [UInt8] = [
    0xEF, 0xE1, 0x58, 0x9A, 0xBB, 0x77, 0x49, 0xEF, 0x80, 0x95, 0x27, 0x75, 0x9E, 0xB1, 0xDC, 0x6F,
  ]

  /// Returns the records of a box, or nil for other boxes.
  init?(_ input: inout MP4Input, _ content: Range<Int>) throws(TrackError) {
    guard content.count > 33, try input.load(16, at: content.lowerBound) == 16 else { return nil }
    switch input.loaded.array {
    case CameraRecords.garmin:
      kind = .garmin
      rest = (content.lowerBound + 33)..<content.upperBound
    case CameraRecords.fly:
      kind = .fly
      rest = (content.lowerBound + 16)..<content.upperBound
    default: return nil
    }
  }

  /// The camera.
  var camera: String { kind == .garmin ? "Garmin dashcam" : "360fly" }

  /// The fix of a record.
  enum Record {
    case fix(CameraFix)
    /// The receiver has no fix.
    case lost
    /// Values of other sensors.
    case other
  }

  /// Reads the next record; nil after the last one.
  mutating func next(_ input: inout MP4Input) throws(TrackError) -> Record? {
    let size = kind == .garmin ? 20 : 32
    guard rest.count >= size, try input.load(size, at: rest.lowerBound) == size else { return nil }
    rest = (rest.lowerBound + size)..<rest.upperBound
    return kind == .garmin ? CameraRecords.garmin(input.loaded) : CameraRecords.fly(input.loaded)
  }

  /// Reads seconds since 1904, miles per hour and a position in fractions of half a turn.
  private static func garmin(_ bytes: Span<UInt8>) -> Record {
    guard let coordinate = halfTurns(bytes, 12), let time = MP4Index.time(Int64(bytes.number(0, 4))) else {
      return .lost
    }
    return .fix(CameraFix(coordinate: coordinate, time: time, speed: Double(bytes.number(4, 2)) * 0.44704))
  }

  /// Reads a position in fractions of half a turn; nil for zeros and invalid ones.
  static func halfTurns(_ bytes: Span<UInt8>, _ offset: Int) -> Coordinate? {
    func degrees(_ offset: Int) -> Double {
      Double(Int32(truncatingIfNeeded: bytes.number(offset, 4))) * 180 / 0x1p31
    }
    let coordinate = Coordinate(latitude: degrees(offset), longitude: degrees(offset + 4))
    guard coordinate.latitude != 0 || coordinate.longitude != 0 else { return nil }
    return coordinate.isValid ? coordinate : nil
  }

  /// Reads a record of type 5: microseconds since the start, a position and an elevation of 32 bits, speed and
  /// course in hundredths.
  private static func fly(_ bytes: Span<UInt8>) -> Record {
    guard bytes[0] == 5 else { return .other }
    func float(_ offset: Int) -> Double {
      Double(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.number(offset, 4))))
    }
    let coordinate = Coordinate(latitude: float(10), longitude: float(14))
    guard coordinate.isValid, coordinate.latitude != 0 || coordinate.longitude != 0 else { return .lost }
    return .fix(
      CameraFix(
        coordinate: coordinate, media: Double(bytes.number(2, 8)) / 1e6, elevation: float(18),
        speed: Double(bytes.number(22, 2)) / 100, course: Double(bytes.number(24, 2)) / 100))
  }
}
