import TrackModel

/// A block of a camera with a processor of Novatek: the fix of a second, between the pictures of a film.
enum NovatekBlock {
  case fix(CameraFix)
  /// A sentence of NMEA 0183.
  case sentence([UInt8])
  /// The camera has no fix.
  case lost
  /// Not a block, or one of an unknown layout.
  case unknown

  /// The bytes of a block that are read.
  static let length = 1 << 10
  /// The distance of possible starts of blocks in a film, in bytes.
  static let alignment = 0x8000

  /// Whether the bytes begin with a block.
  static func isOne(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 12 && bytes.extracting(4..<12).starts(with: "freeGPS ")
  }

  /// - Parameter bytes: the block from its size on.
  init(_ bytes: Span<UInt8>) {
    self = .unknown
    guard NovatekBlock.isOne(bytes) else { return }
    if let sentence = NovatekBlock.sentence(bytes) {
      self = .sentence(sentence)
      return
    }
    for start in [16, 48] where bytes.count >= start + 44 {
      switch NovatekBlock.layout(bytes, start) {
      case .unknown: continue
      case let block:
        self = block
        return
      }
    }
    let content = bytes.extracting(16..<max(min(bytes.count, 92), 16))
    if content.count == 76, content.indices.allSatisfy({ content[$0] == 0 }) { self = .lost }
  }

  /// Reads the clock, three letters for the fix and the hemispheres, and the position at an offset.
  private static func layout(_ bytes: Span<UInt8>, _ start: Int) -> NovatekBlock {
    func field(_ index: Int) -> Int { Int(bytes.littleEndian(start + index * 4)) }
    func value(_ offset: Int) -> Double { Double(Float(bitPattern: bytes.littleEndian(start + offset))) }
    let north = bytes[start + 25]
    let east = bytes[start + 26]
    guard field(3) < 3000,
      let time = CameraTime.microseconds(field(3), field(4), field(5), field(0), field(1), field(2))
    else { return .unknown }
    guard bytes[start + 24] == UInt8(ascii: "A") else {
      return bytes[start + 24] == UInt8(ascii: "V") || bytes[start + 24] == 0 ? .lost : .unknown
    }
    guard north == UInt8(ascii: "N") || north == UInt8(ascii: "S"),
      east == UInt8(ascii: "E") || east == UInt8(ascii: "W"),
      let latitude = degrees(value(28)), let longitude = degrees(value(32)),
      case let coordinate = Coordinate(
        latitude: north == UInt8(ascii: "S") ? 0 - latitude : latitude,
        longitude: east == UInt8(ascii: "W") ? 0 - longitude : longitude), coordinate.isValid
    else { return .unknown }
    return .fix(
      CameraFix(coordinate: coordinate, time: time, speed: value(36) * 1852 / 3600, course: value(40)))
  }

  /// Converts degrees and minutes, `ddmm.mmmm`.
  private static func degrees(_ value: Double) -> Double? {
    guard value.isFinite, value >= 0, value < 18_100 else { return nil }
    let degrees = (value / 100).rounded(.down)
    let minutes = value - degrees * 100
    return minutes < 60 ? degrees + minutes / 60 : nil
  }

  /// Returns the RMC sentence of a block, or nil.
  private static func sentence(_ bytes: Span<UInt8>) -> [UInt8]? {
    var index = 16
    while index + 7 <= bytes.count {
      let rest = bytes.extracting(index..<bytes.count)
      guard rest.starts(with: "$G"), rest.extracting(3..<7).starts(with: "RMC,") else {
        index += 1
        continue
      }
      var end = 0
      while end < rest.count, rest[end] >= 0x20, rest[end] < 0x7F { end += 1 }
      return rest.extracting(first: end).array
    }
    return nil
  }
}
