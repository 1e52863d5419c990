import TrackModel

/// The blocks of E-ACE dashcams: Novatek's layout from byte 16, but the coordinates are texts of 20 bytes at
/// 44 and 64, which are in Base64 and enciphered with RC4.
///
/// The offsets and the keys are those of ExifTool's documentation.
enum EACEBlock {
  private static let fieldLength = 20
  /// Texts of Base64 are at least as long.
  private static let minimumLength = 8

  /// The possible keys.
  private static let keys =
    [Array("luckychip gps".utf8)]
    + (UInt8(ascii: "a")...UInt8(ascii: "s")).map { letter in
      Array("customer ".utf8) + [letter, letter] + Array(" gps".utf8)
    }

  /// Reads a block; nil if the coordinates are not texts.
  static func read(_ bytes: Span<UInt8>) -> NovatekBlock? {
    guard bytes.count >= 92, bytes[40] == UInt8(ascii: "A"), bytes[43] == 0 else { return nil }
    let isSouth = bytes[41] == UInt8(ascii: "S")
    let isWest = bytes[42] == UInt8(ascii: "W")
    guard isSouth || bytes[41] == UInt8(ascii: "N"), isWest || bytes[42] == UInt8(ascii: "E"),
      let first = field(bytes, 44), let second = field(bytes, 64)
    else { return nil }
    func number(_ index: Int) -> Int { Int(bytes.littleEndian(16 + index * 4)) }
    guard number(3) < 3000,
      let time = CameraTime.microseconds(number(3), number(4), number(5), number(0), number(1), number(2))
    else { return .unknown }
    for key in keys {
      guard let latitude = degrees(first, key), let longitude = degrees(second, key) else { continue }
      let coordinate = Coordinate(
        latitude: isSouth ? 0 - latitude : latitude, longitude: isWest ? 0 - longitude : longitude)
      guard coordinate.isValid else { return .unknown }
      return .fixes([
        CameraFix(
          coordinate: coordinate, time: time,
          speed: Double(Float(bitPattern: bytes.littleEndian(84))) * Geodesy.metresPerNauticalMile / 3600,
          course: Double(Float(bitPattern: bytes.littleEndian(88))))
      ])
    }
    return .unknown
  }

  /// Returns a text of Base64, or nil for other bytes.
  private static func field(_ bytes: Span<UInt8>, _ offset: Int) -> [UInt8]? {
    let text = Array(bytes.array[offset..<(offset + fieldLength)].prefix { $0 != 0 })
    return text.count < minimumLength ? nil : Base64.decode(text.span)
  }

  /// Deciphers degrees and minutes such as `4656.886`.
  private static func degrees(_ bytes: [UInt8], _ key: [UInt8]) -> Double? {
    let text = deciphered(bytes, key)
    guard text.contains(UInt8(ascii: ".")), let value = DecimalReading.read(text.span) else { return nil }
    return NovatekLayout.degrees(value)
  }

  /// Deciphers bytes with RC4.
  static func deciphered(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var state = Array(UInt8.min...UInt8.max)
    var other: UInt8 = 0
    for index in state.indices {
      other &+= state[index] &+ key[index % key.count]
      state.swapAt(index, Int(other))
    }
    var index: UInt8 = 0
    other = 0
    return bytes.map { byte in
      index &+= 1
      other &+= state[Int(index)]
      state.swapAt(Int(index), Int(other))
      return byte ^ state[Int(state[Int(index)] &+ state[Int(other)])]
    }
  }
}
