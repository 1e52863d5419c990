import TrackModel

/// The date record of an IGC file: `HFDTE310824` or `HFDTEDATE:150423,01`. The second letter is the source:
/// the recorder (`F`), the pilot (`P`) or the observer (`O`).
enum IGCDate {
  /// Returns the days from 1970 to the date, or `nil` for another record or an invalid date.
  static func days(_ line: Span<UInt8>) -> Int? {
    guard line.count > 10, line[0] == UInt8(ascii: "H"), "FOP".utf8.contains(line[1]),
      line.extracting(2..<5).starts(with: "DTE")
    else { return nil }
    var start = 5
    while start < line.count, line[start] &- UInt8(ascii: "0") > 9 { start += 1 }
    var digits: [UInt8] = []
    while start < line.count, digits.count <= 8 {
      let isDigit = line[start] &- UInt8(ascii: "0") <= 9
      // A few programs write `26-05-24` or `26.05.2024`.
      guard isDigit || "-./".utf8.contains(line[start]) else { break }
      if isDigit { digits.append(line[start]) }
      start += 1
    }
    guard let day = digits.span.digits(0..<2), let month = digits.span.digits(2..<4),
      let short = digits.span.digits(4..<6)
    else { return nil }
    let long = digits.count == 8 ? digits.span.digits(4..<8) ?? 0 : 0
    let year = (1980..<2100).contains(long) ? long : short < 80 ? 2000 + short : 1900 + short
    return CivilCalendar.days(validating: year, month: month, day: day)
  }
}

/// The fixed columns of a fix, a B record: time, position, validity and altitudes.
struct IGCFix {
  /// Microseconds since midnight, UTC.
  var time: Int64
  /// Absolute angles in thousandths of minutes of arc.
  let latitude: Int
  let longitude: Int
  let isSouth: Bool
  let isWest: Bool
  /// Whether the fix has an altitude.
  let isThreeDimensional: Bool
  /// The altitude above the ellipsoid in metres, as the receiver reports it.
  let altitude: Int?

  init?(_ line: Span<UInt8>) {
    guard line.count >= 25, line[0] == UInt8(ascii: "B"), let hour = line.digits(1..<3),
      let minute = line.digits(3..<5), let second = line.digits(5..<7),
      let time = CivilCalendar.timeOfDay(hour, minute, second),
      let latitude = IGCPlace.angle(line, 7, degreeDigits: 2, "N", "S"),
      let longitude = IGCPlace.angle(line, 15, degreeDigits: 3, "E", "W"),
      line[24] == UInt8(ascii: "A") || line[24] == UInt8(ascii: "V")
    else { return nil }
    self.time = time
    (self.latitude, isSouth) = latitude
    (self.longitude, isWest) = longitude
    isThreeDimensional = line[24] == UInt8(ascii: "A")
    altitude = IGCFix.altitude(line, 30)
  }

  /// Reads five characters, of which the first may be a minus sign.
  private static func altitude(_ line: Span<UInt8>, _ start: Int) -> Int? {
    guard start + 5 <= line.count else { return nil }
    guard line[start] == UInt8(ascii: "-") else { return line.digits(start..<(start + 5)) }
    return line.digits((start + 1)..<(start + 5)).map { -$0 }
  }
}

/// A place in a record: `DDMMmmmN` and `DDDMMmmmE`.
enum IGCPlace {
  /// Reads an angle in thousandths of minutes, and whether it is negative.
  static func angle(
    _ line: Span<UInt8>, _ start: Int, degreeDigits: Int, _ positive: Unicode.Scalar,
    _ negative: Unicode.Scalar
  ) -> (Int, Bool)? {
    let end = start + degreeDigits + 5
    guard end < line.count, let degrees = line.digits(start..<(start + degreeDigits)),
      let thousandths = line.digits((start + degreeDigits)..<end), thousandths < 60_000
    else { return nil }
    let letter = Unicode.Scalar(line[end])
    guard letter == positive || letter == negative else { return nil }
    return (degrees * 60_000 + thousandths, letter == negative)
  }

  /// Returns the degrees of an angle in minutes, rounded to billionths in order to undo the division by 60.
  static func degrees(minutes: Double, isNegative: Bool) -> Double {
    let degrees = (minutes / 60 * 1e9).rounded() / 1e9
    return isNegative ? 0 - degrees : degrees
  }
}

/// The columns that an I record adds to the fixes: `I023637FXA3838TDS`.
struct IGCExtensions {
  private(set) var latitude: Range<Int>?
  private(set) var longitude: Range<Int>?
  private(set) var second: Range<Int>?
  private(set) var accuracy: Range<Int>?
  private(set) var satellites: Range<Int>?
  private(set) var speed: Range<Int>?
  private(set) var course: Range<Int>?
  /// Whether the record has other columns than it states, or none.
  private(set) var isBroken = false

  init() {}

  /// - Parameter line: an I record.
  init(_ line: Span<UInt8>) {
    var index = 3
    var count = 0
    while index + 7 <= line.count {
      if let first = line.digits(index..<(index + 2)), let last = line.digits((index + 2)..<(index + 4)),
        first > 35, last >= first
      {
        count += 1
        let columns = (first - 1)..<last
        switch line.extracting((index + 4)..<(index + 7)).trimmedText {
        case "LAD": latitude = columns
        case "LOD": longitude = columns
        case "TDS": second = columns
        case "FXA": accuracy = columns
        case "SIU": satellites = columns
        // The specification has three digits of km/h. The unit of more digits differs between recorders.
        case "GSP" where columns.count == 3: speed = columns
        case "TRT" where columns.count == 3: course = columns
        default: break
        }
      }
      index += 7
    }
    isBroken = line.digits(1..<3) != count
  }

  /// Returns the number in columns of a fix as a fraction of 1, or 0 without a number.
  static func fraction(_ line: Span<UInt8>, _ columns: Range<Int>?) -> Double {
    guard let columns, columns.count <= 9, let number = line.digits(columns) else { return 0 }
    var scale = 1.0
    for _ in columns { scale *= 10 }
    return Double(number) / scale
  }
}
