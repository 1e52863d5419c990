import TrackModel

/// A block of a camera with a processor of Novatek: the fixes of a second, between the pictures of a film.
enum NovatekBlock {
  case fixes([CameraFix])
  /// Texts that only all records of the film decipher.
  case letters([LigoLetters])
  /// A sentence of NMEA 0183.
  case sentence([UInt8])
  /// The camera has no fix.
  case lost
  /// Not a block, or one of an unknown or enciphered layout.
  case unknown

  /// The bytes of a block that are read.
  static let length = 1 << 10
  /// The distance of possible starts of blocks in a film, in bytes.
  static let alignment = 0x8000
  /// The bytes in which a sentence starts.
  private static let sentenceRange = 512

  /// Whether the bytes begin with a block.
  static func isOne(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 12 && bytes.extracting(4..<12).starts(with: "freeGPS ")
  }

  /// - Parameter bytes: the block from its size on.
  init(_ bytes: Span<UInt8>) {
    self = .unknown
    guard NovatekBlock.isOne(bytes), bytes.count >= 92 else { return }
    if let block = NovatekBlock.ligo(bytes) ?? EACEBlock.read(bytes) ?? NovatekBlock.xored(bytes)
      ?? NovatekBlock.enciphered(bytes) ?? NovatekBlock.integers(bytes)
    {
      self = block
      return
    }
    if let sentence = NovatekBlock.sentence(bytes) {
      self = .sentence(sentence)
      return
    }
    var isLost = false
    for layout in NovatekLayout.all {
      switch layout.read(bytes) {
      case .unknown: continue
      case .lost: isLost = true
      case let block:
        self = block
        return
      }
    }
    // Other values can look like the letter of a lost fix in an earlier layout.
    if let fix = NovatekLayout.fix(anywhereIn: bytes) {
      self = .fixes([fix])
      return
    }
    if isLost {
      self = .lost
      return
    }
    if let block = NovatekBlock.records(bytes) ?? NovatekBlock.undated(bytes) {
      self = block
      return
    }
    let content = bytes.extracting(16..<92)
    if content.indices.allSatisfy({ content[$0] == 0 }) { self = .lost }
  }

  // MARK: Sentences

  /// Returns the RMC sentence of a block, or nil.
  private static func sentence(_ bytes: Span<UInt8>) -> [UInt8]? {
    for index in 16..<(min(bytes.count, sentenceRange) - 7) where bytes[index] == UInt8(ascii: "$") {
      let rest = bytes.extracting(index..<bytes.count)
      guard rest[1] == UInt8(ascii: "G"), rest.extracting(3..<7).starts(with: "RMC,") else { continue }
      var end = 0
      while end < rest.count, rest[end] >= 0x20, rest[end] < 0x7F { end += 1 }
      return rest.extracting(first: end).array
    }
    // Some cameras add 16 to each letter.
    let start = 60
    guard bytes.count >= 140, bytes.extracting(start..<(start + 7)).starts(with: "4W`b]S<") else {
      return nil
    }
    return bytes.extracting(start..<140).array.prefix { $0 >= 0x30 }.map { $0 - 16 }
  }

  /// Reads text whose bytes were combined with 0xAA, as Azdome and others write it: `20180924224928`, a
  /// label, `N40464350W007040308` in degrees and minutes.
  private static func xored(_ bytes: Span<UInt8>) -> NovatekBlock? {
    let signature: [UInt8] = [0xAA, 0xAA, 0xF2, 0xE1, 0xF0, 0xEE, 0x54, 0x54]
    guard bytes.extracting(18..<26).array == signature else { return nil }
    let text = bytes.extracting(18..<min(bytes.count, 18 + 0x101)).array.map { $0 ^ 0xAA }
    func number(_ range: Range<Int>) -> Int? {
      text.span.digits(range)
    }
    guard text.count >= 65, let year = number(8..<12), let month = number(12..<14), let day = number(14..<16),
      let hour = number(16..<18), let minute = number(18..<20), let second = number(20..<22),
      let time = CameraTime.microseconds(year, month, day, hour, minute, second)
    else { return .unknown }
    guard let latitude = number(39..<47), let longitude = number(48..<57) else { return .lost }
    let south = text[38] == UInt8(ascii: "S")
    let west = text[47] == UInt8(ascii: "W")
    guard south || text[38] == UInt8(ascii: "N"), west || text[47] == UInt8(ascii: "E"),
      let latitude = NovatekLayout.degrees(Double(latitude) / 1e4),
      let longitude = NovatekLayout.degrees(Double(longitude) / 1e4),
      case let coordinate = Coordinate(
        latitude: south ? 0 - latitude : latitude, longitude: west ? 0 - longitude : longitude),
      coordinate.isValid, latitude != 0 || longitude != 0
    else { return .lost }
    // Azdome writes the speed after the longitude, others after the elevation.
    let isSigned = text[57] == UInt8(ascii: "+") || text[57] == UInt8(ascii: "-")
    let speed =
      (isSigned ? number(62..<65) : number(57..<65)).map { Double($0) / SpeedUnits.kilometresPerHour } ?? .nan
    return .fixes([CameraFix(coordinate: coordinate, time: time, speed: speed)])
  }

  /// Reads the records of ``LigoRecord``, or its text without a cipher, as XGODY writes it.
  private static func ligo(_ bytes: Span<UInt8>) -> NovatekBlock? {
    for offset in [16, 48, 80] where offset < bytes.count {
      // The header of ABASK's blocks differs from others in these bytes only.
      let isSmall = offset == 16 && bytes.littleEndian(12) == 0x3F0 && bytes.littleEndian(32) == 0
      let data = bytes.extracting(offset..<bytes.count)
      guard
        let (records, start) = isSmall
          ? LigoRecord.records(in: data, distortion: LigoRecord.smallScale) : LigoRecord.records(in: data)
      else { continue }
      var block = NovatekBlock.unknown
      var fixes: [CameraFix] = []
      var letters: [LigoLetters] = []
      var rest = data.extracting(start..<data.count)
      while rest.count >= LigoRecord.length {
        switch records.read(rest.extracting(first: LigoRecord.length)) {
        case .fix(let fix): fixes.append(fix)
        case .lost: block = .lost
        case .letters(let text): letters.append(text)
        case .other, .unknown: break
        }
        rest = rest.extracting(LigoRecord.length..<rest.count)
      }
      if !fixes.isEmpty { return .fixes(fixes) }
      return letters.isEmpty ? block : .letters(letters)
    }
    switch LigoRecord.read(textWithMode: bytes.extracting(16..<bytes.count).array) {
    case .fix(let fix): return .fixes([fix])
    case .lost: return .lost
    case .letters, .other, .unknown, nil: return nil
    }
  }

  // MARK: Integers

  /// Reads the layout at 48 with degrees × 10⁷ and centimetres per second, whose header names `IQS`.
  private static func integers(_ bytes: Span<UInt8>) -> NovatekBlock? {
    guard bytes.extracting(16..<19).starts(with: "IQS"), bytes[72] == UInt8(ascii: "A"),
      !bytes.extracting(69..<72).starts(with: "ATC")
    else { return nil }
    func field(_ index: Int) -> Int { Int(bytes.littleEndian(48 + index * 4)) }
    func degrees(_ offset: Int) -> Double { abs(Double(Int32(bitPattern: bytes.littleEndian(offset)))) / 1e7 }
    guard field(3) < 3000,
      let time = CameraTime.microseconds(field(3), field(4), field(5), field(0), field(1), field(2)),
      case let coordinate = Coordinate(
        latitude: bytes[73] == UInt8(ascii: "S") ? 0 - degrees(76) : degrees(76),
        longitude: bytes[74] == UInt8(ascii: "W") ? 0 - degrees(80) : degrees(80)), coordinate.isValid
    else { return .unknown }
    return .fixes([
      CameraFix(
        coordinate: coordinate, time: time, speed: Double(Int32(bitPattern: bytes.littleEndian(84))) / 100)
    ])
  }

  /// Returns `unknown` for enciphered blocks that resemble the layout at 48: zeros follow the letters.
  private static func enciphered(_ bytes: Span<UInt8>) -> NovatekBlock? {
    guard bytes[72] == UInt8(ascii: "A"), bytes[75] == 0, bytes.littleEndian(76) == 0,
      bytes.littleEndian(80) != 0, !bytes.extracting(16..<19).starts(with: "IQS")
    else { return nil }
    return .unknown
  }

  /// Reads big-endian records of 32 bytes from 48, as Nextbase writes them: `$S`, centimetres per second,
  /// hundredths of degrees, the year, month, day, hour, minute, tenths of seconds, degrees × 10⁷.
  private static func records(_ bytes: Span<UInt8>) -> NovatekBlock? {
    var fixes: [CameraFix] = []
    var start = 48
    while start + 23 <= bytes.count, bytes[start] == UInt8(ascii: "$"), bytes[start + 1] == UInt8(ascii: "S")
    {
      let record = bytes.extracting(start..<(start + 23))
      let tenths = Int(record.number(12, 2))
      guard
        let time = CameraTime.microseconds(
          Int(record.number(6, 2)), Int(record[8]), Int(record[9]), Int(record[10]), Int(record[11]),
          tenths / 10)
      else { break }
      func degrees(_ offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: record.number(offset, 4))) / 1e7
      }
      let coordinate = Coordinate(latitude: degrees(15), longitude: degrees(19))
      guard coordinate.isValid else { break }
      let course = Double(Int16(truncatingIfNeeded: record.number(4, 2))) / 100
      fixes.append(
        CameraFix(
          coordinate: coordinate, time: time + Int64(tenths % 10) * 100_000,
          speed: Double(record.number(2, 2)) / 100, course: course < 0 ? course + 360 : course))
      start += 32
    }
    return fixes.isEmpty ? nil : .fixes(fixes)
  }

  /// Reads a block of 70mai, which has no time: `A` or `V`, degrees and minutes × 10⁵, degrees, km/h.
  private static func undated(_ bytes: Span<UInt8>) -> NovatekBlock? {
    guard bytes[12] == bytes[18], bytes[13] == bytes[19], bytes[14] == 0, bytes[15] == 0 else { return nil }
    guard bytes[30] == UInt8(ascii: "A") else { return bytes[30] == UInt8(ascii: "V") ? .lost : nil }
    func number(_ offset: Int) -> Double { Double(Int32(bitPattern: bytes.littleEndian(offset))) }
    guard let latitude = NovatekLayout.degrees(abs(number(31)) / 1e5),
      let longitude = NovatekLayout.degrees(abs(number(35)) / 1e5),
      case let coordinate = Coordinate(
        latitude: number(31) < 0 ? 0 - latitude : latitude,
        longitude: number(35) < 0 ? 0 - longitude : longitude), coordinate.isValid,
      latitude != 0 || longitude != 0
    else { return nil }
    return .fixes([
      CameraFix(coordinate: coordinate, speed: number(43) / SpeedUnits.kilometresPerHour, course: number(39))
    ])
  }
}
