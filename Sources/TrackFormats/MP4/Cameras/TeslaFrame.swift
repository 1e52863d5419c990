import TrackModel

/// The data that a Tesla stores with a frame of its dashcam, in the additional information (SEI) of H.264 or
/// H.265.
struct TeslaFrame {
  /// The fix, or nil if the car does not know its position.
  private(set) var fix: CameraFix?
  private var latitude = 0.0
  private var longitude = 0.0
  private var heading = Double.nan
  private var speed = 0.0
  /// The values of ``channels``. Missing fields are zero.
  private var values = Array(repeating: 0.0, count: channels.count)

  /// The channels besides the position, course and speed. The gear is 0 for park, 1 drive, 2 reverse and 3
  /// neutral.
  static let channels = [
    ExtraValues.Name("gear"), ExtraValues.Name("accelerator pedal"),
    ExtraValues.Name("steering angle", unit: "deg"), ExtraValues.Name("brake"),
    ExtraValues.Name("acceleration x", unit: "m/s²"), ExtraValues.Name("acceleration y", unit: "m/s²"),
    ExtraValues.Name("acceleration z", unit: "m/s²"),
  ]

  /// The bytes of a frame that are read: the data precedes the picture.
  static let length = 1 << 12

  /// Reads the data of a frame; nil if it has none.
  ///
  /// - Parameters:
  ///   - bytes: the start of a sample: units with their length in four bytes.
  ///   - isH265: whether the headers of units are those of H.265 (ITU-T H.265, 7.3.1.2), of two bytes.
  init?(sample bytes: Span<UInt8>, isH265: Bool = false) {
    let header = isH265 ? 2 : 1
    var index = 0
    while index + 5 <= bytes.count {
      let length = Int(bytes.number(index, 4))
      let kind = isH265 ? bytes[index + 4] >> 1 & 0x3F : bytes[index + 4] & 0x1F
      // The picture follows.
      guard length > 0, isH265 ? kind > 31 : kind != 1 && kind != 5 else { return nil }
      let end = min(index + 4 + length, bytes.count)
      let start = index + 4 + header
      if kind == (isH265 ? 39 : 6), start < end,
        let message = TeslaFrame.message(bytes.extracting(start..<end))
      {
        self.init(message: message.span)
        return
      }
      index += 4 + length
    }
    return nil
  }

  /// Returns the message of a unit: after its type (5), its size, bytes of 0x42 and one of 0x69, without the
  /// bytes that prevent start codes.
  private static func message(_ unit: Span<UInt8>) -> [UInt8]? {
    guard unit.count > 4, unit[0] == 5 else { return nil }
    var index = 1
    while index < unit.count, unit[index] == 0xFF { index += 1 }
    index += 1
    let start = index
    while index < unit.count, unit[index] == 0x42 { index += 1 }
    guard index > start, index < unit.count, unit[index] == 0x69 else { return nil }
    var message: [UInt8] = []
    var zeros = 0
    // The last byte ends the unit.
    for index in (index + 1)..<max(unit.count - 1, index + 1) {
      let byte = unit[index]
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      message.append(byte)
    }
    return message
  }

  /// Reads the fields of a protocol buffer: 2 gear, 4 speed, 5 accelerator, 6 steering angle, 9 brake, 11
  /// latitude, 12 longitude, 13 heading, 14 to 16 acceleration.
  private init(message: Span<UInt8>) {
    var index = 0
    while let key = TeslaFrame.integer(message, &index) {
      var length = 0
      switch key & 7 {
      case 0:
        if let number = TeslaFrame.integer(message, &index) {
          if key >> 3 == 2 { values[0] = Double(number) }
          if key >> 3 == 9 { values[3] = Double(number) }
        } else {
          index = message.count
        }
      case 1: length = 8
      case 2: length = TeslaFrame.integer(message, &index).flatMap { Int(exactly: $0) } ?? message.count
      case 5: length = 4
      default: length = message.count
      }
      guard length <= message.count - index else { break }
      switch (key >> 3, key & 7) {
      case (4, 5): speed = Double(Float(bitPattern: message.littleEndian(index)))
      case (5, 5): values[1] = Double(Float(bitPattern: message.littleEndian(index)))
      case (6, 5): values[2] = Double(Float(bitPattern: message.littleEndian(index)))
      case (11, 1): latitude = Double(bitPattern: message.number(index, 8).byteSwapped)
      case (12, 1): longitude = Double(bitPattern: message.number(index, 8).byteSwapped)
      case (13, 1): heading = Double(bitPattern: message.number(index, 8).byteSwapped)
      case (14...16, 1):
        values[4 + Int(key >> 3) - 14] = Double(bitPattern: message.number(index, 8).byteSwapped)
      default: break
      }
      index += length
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    // Missing fields are zero.
    guard latitude != 0 || longitude != 0, coordinate.isValid else { return }
    fix = CameraFix(
      coordinate: coordinate, speed: speed, course: heading, channels: values.map { $0.isFinite ? $0 : .nan })
  }

  /// Reads an integer of seven bits per byte.
  private static func integer(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.count, shift < 64 {
      let byte = bytes[index]
      index += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
