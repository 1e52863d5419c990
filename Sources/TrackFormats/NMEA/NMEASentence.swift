import TrackModel

/// An NMEA 0183 sentence of a supported kind: an address followed by fields separated by commas.
///
/// A sentence consists of `$` or `!`, a talker of two characters, a kind of three characters, fields, `*` and
/// the checksum: the exclusive or of the characters in between, as two hexadecimal digits. The checksum may
/// be missing if all fields are present.
struct NMEASentence: ~Escapable {
  /// The supported kinds and their fields.
  enum Kind: UInt8 {
    /// 1 time, 2 status, 3 latitude, 4 N/S, 5 longitude, 6 E/W, 7 knots, 8 course, 9 date, 10 variation, 11
    /// E/W, 12 mode.
    case rmc
    /// 1 time, 2 latitude, 3 N/S, 4 longitude, 5 E/W, 6 quality, 7 satellites, 8 HDOP, 9 altitude, 10 M, 11
    /// height of the geoid, 12 M, 13 age of the differential correction, 14 its station.
    case gga
    /// 1 latitude, 2 N/S, 3 longitude, 4 E/W, 5 time, 6 status, 7 mode.
    case gll
    /// 1 selection, 2 fix (1 none, 2 two-dimensional, 3 three-dimensional), 3…14 satellites, 15 PDOP, 16
    /// HDOP, 17 VDOP.
    case gsa
    /// 1 course, 2 T, 3 magnetic course, 4 M, 5 knots, 6 N, 7 km/h, 8 K, 9 mode.
    case vtg
    /// 1 time, 2 day, 3 month, 4 year of four digits, 5 and 6 the local zone.
    case zda
    /// 1 latitude, 2 N/S, 3 longitude, 4 E/W, 5 name.
    case wpl
    /// 1 time, 2 root mean square of the residuals, 3…5 ellipse of errors, 6, 7, 8 standard deviations of
    /// latitude, longitude and altitude in metres.
    case gst
    /// 1 time, 2 latitude, 3 N/S, 4 longitude, 5 E/W, 6 a mode per satellite system, 7 satellites, 8 HDOP, 9
    /// altitude, 10 height of the geoid, 11 age of the differential correction, 12 its station.
    case gns

    /// Returns the kind whose three letters start at an index, or `nil`.
    fileprivate init?(_ bytes: Span<UInt8>, at index: Int) {
      switch (bytes[index], bytes[index + 1], bytes[index + 2]) {
      case (0x52, 0x4D, 0x43): self = .rmc
      case (0x47, 0x47, 0x41): self = .gga
      case (0x47, 0x4C, 0x4C): self = .gll
      case (0x47, 0x53, 0x41): self = .gsa
      case (0x56, 0x54, 0x47): self = .vtg
      case (0x5A, 0x44, 0x41): self = .zda
      case (0x57, 0x50, 0x4C): self = .wpl
      case (0x47, 0x53, 0x54): self = .gst
      case (0x47, 0x4E, 0x53): self = .gns
      default: return nil
      }
    }

    /// The number of fields that a sentence without a checksum must have to be complete.
    fileprivate var fieldCount: Int {
      switch self {
      case .rmc: 9
      case .gga: 10
      case .gll: 6
      case .gsa: 17
      case .vtg: 8
      case .zda: 4
      case .wpl: 5
      case .gst: 8
      case .gns: 9
      }
    }
  }

  enum Verdict { case sound, wrongChecksum, cut }

  /// The kind, or `nil` if the line has no further sentence, or one of another kind with a wrong checksum.
  private(set) var kind: Kind?
  private(set) var verdict = Verdict.sound
  private(set) var hasChecksum = false
  private let line: Span<UInt8>
  /// The start indices of the fields after their commas. The last element is the end of the text plus one.
  private var starts = [26 of Int](repeating: 0)
  /// The number of fields after the address, at most 25. Further fields are ignored.
  private(set) var fieldCount = 0
  private var begin = 0
  private var end = 0

  private static let maximumFields = 25
  private static let addressLength = 5

  /// Finds the next sentence of a known kind, or with a wrong checksum, and sets `index` to its end, or to
  /// the end of the line.
  @_lifetime(copy line)
  init(nextIn line: Span<UInt8>, from index: inout Int) {
    self.line = line
    while index < line.count {
      let byte = line[index]
      index += 1
      guard byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") else { continue }
      // `P` marks proprietary sentences, whose letters can match those of a kind.
      guard index + NMEASentence.addressLength < line.count,
        line[index + NMEASentence.addressLength] == UInt8(ascii: ","), line[index] != UInt8(ascii: "P"),
        NMEASentence.isTalker(line[index]), NMEASentence.isTalker(line[index + 1])
      else { continue }
      begin = index - 1
      kind = Kind(line, at: index + 2)
      verdict = .sound
      hasChecksum = false
      scan(&index)
      // The address of a sentence of another kind may be damaged.
      if kind != nil || verdict == .wrongChecksum { return }
    }
    verdict = .sound
  }

  /// Returns the start of a sentence that ends inside its address; nil for other lines.
  static func cutAddress(in line: Span<UInt8>) -> String? {
    let start = max(line.count - addressLength - 1, 0)
    for index in start..<line.count where line[index] == UInt8(ascii: "$") {
      return string(line.extracting(index..<line.count))
    }
    return nil
  }

  private static func isTalker(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }

  /// Locates the fields and verifies the checksum.
  private mutating func scan(_ index: inout Int) {
    var checksum: UInt8 = 0
    for offset in 0..<NMEASentence.addressLength { checksum ^= line[index + offset] }
    index += NMEASentence.addressLength
    var count = 0
    while index < line.count {
      let byte = line[index]
      if byte == UInt8(ascii: ",") {
        if count < NMEASentence.maximumFields {
          starts[count] = index + 1
          count += 1
        }
      } else if byte == UInt8(ascii: "*") {
        break
      } else if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") {
        // The next sentence starts before this one has ended.
        end = index
        verdict = .cut
        return
      }
      checksum ^= byte
      index += 1
    }
    starts[count] = index + 1
    fieldCount = count
    end = index
    guard index < line.count else {
      if let kind, count < kind.fieldCount { verdict = .cut }
      return
    }
    guard index + 2 < line.count, let high = NMEASentence.hexadecimal(line[index + 1]),
      let low = NMEASentence.hexadecimal(line[index + 2])
    else {
      verdict = .cut
      return
    }
    index += 3
    end = index
    hasChecksum = true
    if high << 4 | low != checksum { verdict = .wrongChecksum }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  /// The whole sentence, for error messages.
  var text: String { NMEASentence.string(line.extracting(begin..<end)) }

  // MARK: Fields

  /// Returns a field, counted from 1, without surrounding spaces. Empty if the sentence has fewer fields.
  @_lifetime(copy self)
  func field(_ number: Int) -> Span<UInt8> {
    guard number <= fieldCount else { return line.extracting(0..<0) }
    var first = starts[number - 1]
    var last = starts[number] - 1
    while first < last, line[first] <= 0x20 { first += 1 }
    while last > first, line[last - 1] <= 0x20 { last -= 1 }
    return line.extracting(first..<last)
  }

  /// The fields of a sentence with a position that contain its time, and the first part of the position.
  var timeField: Int { kind == .gll ? 5 : 1 }
  var positionField: Int { kind == .rmc ? 3 : kind == .gll ? 1 : 2 }

  func isEmpty(_ number: Int) -> Bool { field(number).isEmpty }

  /// Returns the single letter of a field in upper case, or 0.
  func letter(_ number: Int) -> UInt8 {
    let text = field(number)
    return text.count == 1 ? (text[0] >= 0x61 && text[0] <= 0x7A ? text[0] & 0xDF : text[0]) : 0
  }

  func string(_ number: Int) -> String { NMEASentence.string(field(number)) }

  /// Returns the number in a field, or `nil`.
  func number(_ number: Int) -> Double? {
    let text = field(number)
    return text.isEmpty ? nil : DecimalReading.read(text)
  }

  /// Parses `hhmmss` with optional decimals to microseconds since midnight, or `nil` if invalid. Second 60 is
  /// the first second of the next minute.
  func timeOfDay(_ number: Int) -> Int64? {
    let text = field(number)
    guard let hour = NMEASentence.twoDigits(text, 0), let minute = NMEASentence.twoDigits(text, 2),
      let second = NMEASentence.twoDigits(text, 4),
      var microseconds = CivilCalendar.timeOfDay(hour, minute, second)
    else { return nil }
    guard text.count > 6 else { return microseconds }
    guard text[6] == UInt8(ascii: ".") else { return nil }
    var scale: Int64 = 100_000
    for index in 7..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      microseconds += Int64(digit) * scale
      scale /= 10
    }
    return microseconds
  }

  /// Parses `ddmmyy` to days since 1970, or `nil` if invalid. Years from 80 are in the 20th century, because
  /// GPS time starts in 1980.
  func date(_ number: Int) -> Int? {
    let text = field(number)
    guard text.count == 6, let day = NMEASentence.twoDigits(text, 0),
      let month = NMEASentence.twoDigits(text, 2), let year = NMEASentence.twoDigits(text, 4)
    else { return nil }
    return CivilCalendar.days(validating: year + (year >= 80 ? 1900 : 2000), month: month, day: day)
  }

  /// Parses day, month and year in three fields to days since 1970, or `nil` if invalid.
  func dateInThreeFields(from first: Int) -> Int? {
    guard let day = number(first), let month = number(first + 1), let year = number(first + 2),
      (1...31).contains(day), (1...12).contains(month), (1980...9999).contains(year)
    else { return nil }
    return CivilCalendar.days(validating: Int(year), month: Int(month), day: Int(day))
  }

  /// Parses latitude, hemisphere, longitude and hemisphere in four fields, or `nil` if invalid or out of
  /// range.
  func position(from first: Int) -> Coordinate? {
    guard let latitude = degrees(first), let longitude = degrees(first + 2) else { return nil }
    let north = letter(first + 1)
    let east = letter(first + 3)
    guard north == UInt8(ascii: "N") || north == UInt8(ascii: "S"),
      east == UInt8(ascii: "E") || east == UInt8(ascii: "W")
    else { return nil }
    let coordinate = Coordinate(
      latitude: north == UInt8(ascii: "S") ? -latitude : latitude,
      longitude: east == UInt8(ascii: "W") ? -longitude : longitude)
    return coordinate.isValid ? coordinate : nil
  }

  /// Parses degrees and minutes, `dddmm.mmmm`, or `nil` if the minutes are 60 or more. Digits after the ninth
  /// decimal (micrometres) are ignored.
  ///
  /// Uses a single division of integers that are exact as `Double`, so that the result is correctly rounded.
  private func degrees(_ number: Int) -> Double? {
    let text = field(number)
    var index = 0
    var whole = 0
    while index < text.count, index < 6 {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      whole = whole * 10 + Int(digit)
      index += 1
    }
    guard index > 0, whole % 100 < 60 else { return nil }
    var minutes = whole / 100 * 60 + whole % 100
    var scale = 60
    if index < text.count {
      guard text[index] == UInt8(ascii: ".") else { return nil }
      for index in index + 1..<text.count {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        guard scale < 60_000_000_000 else { continue }
        minutes = minutes * 10 + Int(digit)
        scale *= 10
      }
    }
    return Double(minutes) / Double(scale)
  }

  private static func twoDigits(_ text: Span<UInt8>, _ index: Int) -> Int? {
    guard index + 2 <= text.count else { return nil }
    let tens = text[index] &- UInt8(ascii: "0")
    let ones = text[index + 1] &- UInt8(ascii: "0")
    return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
  }

  /// Decodes the bytes as UTF-8, or as Latin-1 if they are not valid UTF-8.
  static func string(_ bytes: Span<UInt8>) -> String {
    let bytes = bytes.array
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
  }
}
