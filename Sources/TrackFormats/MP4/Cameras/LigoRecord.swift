import TrackModel

/// A record of the dashcams that name their positions `LIGOGPSINFO` (Kingslim, Rexing, Redtiger and others):
/// a number of four bytes and a text, which is enciphered in most cameras.
///
/// The text is `2024/05/17 06:12:30 N:46.948100 E:7.447400 23.4 km/h x:0.01 y:0.02 z:1.00 A:60 H:540`. The
/// values are those of ExifTool's documentation.
struct LigoRecord {
  /// The name at the start of the data, and the bytes before the first record.
  private static let name = Array("LIGOGPSINFO\0".utf8)
  private static let headerLength = 20
  /// The bytes of a record.
  static let length = 132

  /// The maximum number of letters of a mode.
  private static let longestMode = 12

  /// The factor of distorted coordinates; nil if the coordinates are plain.
  let scale: Double?

  /// The factors of most cameras and of ABASK.
  static let usualScale = 1.524855137
  static let smallScale = 1.15368

  /// Returns the records of data that begin with their name, and the bytes before the first one, or nil.
  ///
  /// - Parameter distortion: the factor of cameras that distort the coordinates; nil if the camera does not.
  static func records(
    in bytes: Span<UInt8>, distortion: Double? = usualScale
  ) -> (records: LigoRecord, start: Int)? {
    guard bytes.count >= headerLength, bytes.extracting(first: name.count).array == name else { return nil }
    let isPlain = bytes.number(12, 3) == 0 && (bytes[15] == 0x01 || bytes[15] == 0x14)
    return (LigoRecord(scale: isPlain ? nil : distortion), headerLength)
  }

  /// Reads a record.
  func read(_ bytes: Span<UInt8>) -> CameraRecords.Record {
    guard bytes.count == LigoRecord.length else { return .other }
    if bytes.starts(with: "####") {
      let count = Int(clamping: bytes.littleEndian(4))
      let content = bytes.array[8..<min(8 + count, bytes.count)]
      let text = LigoRecord.deciphered(Array(content))
      return text.flatMap { fix($0.dropFirst(4), isPlain: false) }
        ?? LigoLetters(content, self).map { .letters($0) } ?? .unknown
    }
    // Unused records are zero.
    guard bytes[4] != 0 else { return .other }
    return LigoRecord.read(text: Array(bytes.array[4...]))
  }

  /// Reads the text of a record that is not enciphered. Its coordinates are not distorted.
  static func read(text: [UInt8]) -> CameraRecords.Record {
    LigoRecord(scale: nil).fix(text[...], isPlain: true) ?? .unknown
  }

  /// Reads a text after the mode of the camera, such as `normal:`; nil for other bytes.
  static func read(textWithMode bytes: [UInt8]) -> CameraRecords.Record? {
    let mode = bytes.prefix(longestMode).prefix { (0x61...0x7A).contains($0) }
    guard !mode.isEmpty, mode.endIndex < bytes.count, bytes[mode.endIndex] == UInt8(ascii: ":") else {
      return nil
    }
    return read(text: Array(bytes[(mode.endIndex + 1)...]))
  }

  /// The bytes of a record with a JSON object.
  static let objectLength = 512

  /// Reads the JSON object of a Yada RoadCam, in which all values are texts: the time in UTC, `status` `A`
  /// with a fix, degrees, `NS`, `EW` and knots. The clock of the camera (`MHour`) is not used.
  static func read(object bytes: Span<UInt8>) -> CameraRecords.Record {
    let text = bytes.array.prefix { $0 != 0 }
    guard let start = text.firstIndex(of: UInt8(ascii: "{")) else { return .other }
    var lexer = JSONLexer(ByteInput(bytes: Array(text[start...])))
    var values: [String: String] = [:]
    do throws(TrackError) {
      try lexer.readObject { (name, lexer) throws(TrackError) in
        if try lexer.kind() == .string { values[name] = try lexer.string() } else { try lexer.skip() }
      }
    } catch {
      return .unknown
    }
    func number(_ key: String) -> Double? {
      values[key].flatMap { DecimalReading.read(Array($0.utf8).span) }
    }
    guard let status = values["status"] else { return .unknown }
    guard status == "A" else { return .lost }
    guard let latitude = number("Latitude"), let longitude = number("Longitude") else { return .unknown }
    let coordinate = Coordinate(
      latitude: values["NS"] == "S" ? -latitude : latitude,
      longitude: values["EW"] == "W" ? -longitude : longitude)
    guard coordinate.isValid else { return .unknown }
    let time = ["Year", "Month", "Day", "Hour", "Minute", "Second"].compactMap {
      values[$0].flatMap { Int($0) }
    }
    return .fix(
      CameraFix(
        coordinate: coordinate,
        time: time.count < 6
          ? Instant.absent
          : CameraTime.microseconds(time[0], time[1], time[2], time[3], time[4], time[5]) ?? Instant.absent,
        speed: (number("Speed") ?? .nan) * Geodesy.metresPerNauticalMile / 3600))
  }

  // MARK: Cipher

  /// The bits of the first byte of a group that belong to the other bytes, and the position of the space that
  /// the group leaves out, by the upper three bits of the first byte.
  private static let groups: [(masks: [UInt8], space: Int)?] = [
    nil, nil, ([0x01, 0x06, 0x18], 0), ([0x03, 0x04, 0x18], 1), ([0x03, 0x0C, 0x10], 2),
    ([0x01, 0x06, 0x18], 3), nil, nil,
  ]

  /// Returns the text of groups of two, four or five bytes; nil if they are enciphered otherwise.
  static func deciphered(_ bytes: [UInt8]) -> [UInt8]? {
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      let rest = Array(bytes[(index + 1)...].prefix(4))
      if let (masks, space) = groups[Int(first >> 5)] {
        guard rest.count >= 3 else { return nil }
        var group = (0..<3).map { (rest[$0] | first & masks[$0]) ^ 0x20 }
        group.insert(0x20, at: space)
        text += group
        index += 4
      } else if first >= 0xC0 {
        guard rest.count >= 4 else { return nil }
        text += [
          (rest[0] | first & 0x01) ^ 0x20, (rest[1] | first & 0x02) ^ 0x20, (rest[2] | first & 0x0C) ^ 0x20,
          (rest[3] ^ 0x20) | first & 0x30,
        ]
        index += 5
      } else {
        guard first < 0x20, rest.count >= 1 else { return nil }
        text.append(rest[0] | first & 0x13)
        index += 2
      }
    }
    return text.count < 4 ? nil : text
  }

  // MARK: Text

  /// Reads the text of a record; nil for another text.
  ///
  /// - Parameter isPlain: whether the text was not enciphered. Its speed is in km/h.
  func fix(_ text: ArraySlice<UInt8>, isPlain: Bool) -> CameraRecords.Record? {
    let words = text.prefix { $0 != 0 }.split { $0 == 0x20 || $0 == 0x09 }.map(Array.init)
    guard words.count >= 5, let time = LigoRecord.time(words[0], words[1]),
      let (north, latitudeText) = LigoRecord.coordinate(words[2], "N", "S"),
      let (east, longitudeText) = LigoRecord.coordinate(words[3], "E", "W"),
      var latitude = DecimalReading.read(latitudeText.span),
      var longitude = DecimalReading.read(longitudeText.span),
      case let speedText = words[4], let number = DecimalReading.read(speedText.span)
    else { return nil }
    // The numbers are knots, although `km/h` follows.
    var speed = number * (isPlain ? 1 : scale == nil ? 1.852 : 1.85407333)
    if latitude >= 100 {
      guard let first = NovatekLayout.degrees(latitude), let second = NovatekLayout.degrees(longitude) else {
        return nil
      }
      (latitude, longitude) = (first, second)
      speed = number
    }
    guard latitude != 0 || longitude != 0 else { return .lost }
    if let scale {
      // The offsets from multiples of ten degrees are exchanged and scaled.
      let (tens, otherTens) = ((latitude / 10).rounded(.down) * 10, (longitude / 10).rounded(.down) * 10)
      (latitude, longitude) = (
        tens + (longitude - otherTens) * scale, otherTens + (latitude - tens) * scale
      )
    }
    let coordinate = Coordinate(latitude: north * latitude, longitude: east * longitude)
    guard coordinate.isValid else { return nil }
    var course = Double.nan
    if let word = words.first(where: { $0.starts(with: "A:".utf8) }) {
      let text = Array(word.dropFirst(2))
      course = DecimalReading.read(text.span) ?? .nan
    }
    return .fix(
      CameraFix(
        coordinate: coordinate, time: time, speed: speed / SpeedUnits.kilometresPerHour, course: course))
  }

  /// Reads a date and a time of day: `2024/05/17`, `06:12:30`.
  private static func time(_ date: [UInt8], _ clock: [UInt8]) -> Int64? {
    guard date.count == 10, clock.count == 8, let year = date.span.digits(0..<4),
      let month = date.span.digits(5..<7), let day = date.span.digits(8..<10),
      let hour = clock.span.digits(0..<2), let minute = clock.span.digits(3..<5),
      let second = clock.span.digits(6..<8)
    else { return nil }
    return CameraTime.microseconds(year, month, day, hour, minute, second)
  }

  /// Returns the sign and the number of `N:46.9` or `N:-46.9`. A sign of the number counts instead of a
  /// letter.
  private static func coordinate(
    _ word: [UInt8], _ positive: Unicode.Scalar, _ negative: Unicode.Scalar
  ) -> (sign: Double, number: [UInt8])? {
    guard word.count > 2, word[1] == UInt8(ascii: ":"),
      word[0] == UInt8(ascii: positive) || word[0] == UInt8(ascii: negative)
    else { return nil }
    let isNegative = word[2] == UInt8(ascii: "-")
    return (
      isNegative || word[0] == UInt8(ascii: negative) ? -1 : 1, Array(word.dropFirst(isNegative ? 3 : 2))
    )
  }
}
