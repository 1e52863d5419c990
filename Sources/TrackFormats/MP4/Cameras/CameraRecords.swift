import TrackModel

/// Records of fixes in a part of a film of a camera's own: a box `uuid` of Garmin's DriveAssist or 360fly, a
/// box `skip` or `udta` of a dashcam with ``LigoRecord``, or the trailer of Insta360. Numbers are big-endian,
/// except Insta360's.
struct CameraRecords {
  private enum Kind {
    case garmin, fly, insta360
    case ligo(LigoRecord)
    /// JSON objects after the name of ``LigoRecord``.
    case ligoObjects

    /// The bytes of a record.
    var size: Int {
      switch self {
      case .garmin: 20
      case .fly: 32
      case .insta360: 53
      case .ligo: LigoRecord.length
      case .ligoObjects: LigoRecord.objectLength
      }
    }
  }

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

  /// Returns the records of a box `skip`, or nil for other boxes.
  init?(ligo input: inout MP4Input, _ content: Range<Int>) throws(TrackError) {
    let count = try input.load(min(content.count, 20), at: content.lowerBound)
    guard count == 20, let (records, start) = LigoRecord.records(in: input.loaded) else { return nil }
    kind = .ligo(records)
    rest = (content.lowerBound + start)..<content.upperBound
  }

  /// Returns the records of a box `udta`, or nil for other boxes.
  init?(ligoObjects input: inout MP4Input, _ content: Range<Int>) throws(TrackError) {
    let count = try input.load(min(content.count, 13), at: content.lowerBound)
    guard count == 13, input.loaded.starts(with: "LIGOGPSINFO {") else { return nil }
    kind = .ligoObjects
    rest = content
  }

  // MARK: Insta360

  /// The last bytes of Insta360's trailer: the kind and the size of its last part, the size of the trailer
  /// and the text that identifies it.
  private static let trailerEnd = 78
  private static let trailerText: StaticString = "8db42d694ccc418790edff439fe026bf"

  private init(insta360 rest: Range<Int>) {
    kind = .insta360
    self.rest = rest
  }

  /// Returns the start of Insta360's trailer, its fixes, and whether it has more parts than are searched,
  /// or nil for films without the trailer.
  ///
  /// - Parameters:
  ///   - length: the length of the film in bytes.
  ///   - maximumParts: the number of parts that are searched.
  static func trailer(
    _ input: inout MP4Input, length: Int, maximumParts: Int
  ) throws(TrackError) -> (start: Int, records: CameraRecords?, hasMoreParts: Bool)? {
    var end = length - trailerEnd
    guard end > 0, try input.load(trailerEnd, at: end) == trailerEnd,
      input.loaded.extracting(46..<trailerEnd).starts(with: trailerText)
    else { return nil }
    let start = length - Int(input.loaded.littleEndian(38))
    guard (0...end).contains(start) else { return nil }
    // The kind and the size of a part follow it.
    for _ in 0..<maximumParts {
      let isFixes = input.loaded.littleEndian(0) & 0xFFFF == 0x700
      let size = Int(input.loaded.littleEndian(2))
      guard size <= end - start else { return (start, nil, false) }
      if isFixes { return (start, CameraRecords(insta360: (end - size)..<end), false) }
      end -= size + 6
      guard end >= start, try input.load(6, at: end) == 6 else { return (start, nil, false) }
    }
    return (start, nil, true)
  }

  /// The camera.
  var camera: String {
    switch kind {
    case .garmin: "Garmin dashcam"
    case .fly: "360fly"
    case .insta360: "Insta360"
    case .ligo, .ligoObjects: "dashcam with LIGOGPSINFO"
    }
  }

  /// The fix of a record.
  enum Record {
    case fix(CameraFix)
    /// The receiver has no fix.
    case lost
    /// Values of other sensors.
    case other
    /// A text that only all records of the film decipher.
    case letters(LigoLetters)
    /// An unknown layout or cipher.
    case unknown
  }

  /// Reads the next record; nil after the last one.
  mutating func next(_ input: inout MP4Input) throws(TrackError) -> Record? {
    let size = kind.size
    guard rest.count >= size, try input.load(size, at: rest.lowerBound) == size else { return nil }
    rest = (rest.lowerBound + size)..<rest.upperBound
    return switch kind {
    case .garmin: CameraRecords.garmin(input.loaded)
    case .fly: CameraRecords.fly(input.loaded)
    case .insta360: CameraRecords.insta360(input.loaded)
    case .ligo(let records): records.read(input.loaded)
    case .ligoObjects: LigoRecord.read(object: input.loaded)
    }
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

  /// Reads a record of type 5: microseconds since the start, a position and an elevation of 32 bits, speed
  /// and course in hundredths.
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

  /// Reads seconds since 1970 and milliseconds, `A` with a fix, degrees with `N` or `S` and `E` or `W`,
  /// metres per second, a course and an elevation. French cameras write `O` for the west.
  private static func insta360(_ bytes: Span<UInt8>) -> Record {
    guard bytes[10] == UInt8(ascii: "A") else { return .lost }
    func double(_ offset: Int) -> Double { Double(bitPattern: bytes.number(offset, 8).byteSwapped) }
    let isSouth = bytes[19] == UInt8(ascii: "S")
    let isEast = bytes[28] == UInt8(ascii: "E")
    guard isSouth || bytes[19] == UInt8(ascii: "N"),
      isEast || bytes[28] == UInt8(ascii: "W") || bytes[28] == UInt8(ascii: "O")
    else { return .unknown }
    let coordinate = Coordinate(
      latitude: isSouth ? 0 - abs(double(11)) : double(11),
      longitude: isEast ? double(20) : 0 - abs(double(20)))
    guard coordinate.isValid, coordinate.latitude != 0 || coordinate.longitude != 0 else { return .lost }
    let seconds = bytes.number(0, 8).byteSwapped
    let milliseconds = bytes.littleEndian(8) & 0xFFFF
    let isDated = (1..<UInt64(UInt32.max)).contains(seconds)
    return .fix(
      CameraFix(
        coordinate: coordinate,
        time: isDated ? Int64(seconds) * 1_000_000 + Int64(milliseconds) * 1000 : Instant.absent,
        elevation: double(45), speed: double(29), course: double(37)))
  }
}
