import TrackModel

/// The times of a table that count from the start of the recording.
struct CSVRelativeTime: Sendable {
  /// Microseconds of a unit of the numbers.
  private let scale: Double
  /// Microseconds since 1970 at the start; nil if the file does not have it.
  let start: Int64?
  /// Whether the start has a time zone.
  let hasZone: Bool
  /// The column of the times, from 0.
  let column: Int

  /// Seconds; larger numbers are dates.
  private static let limit = 1e8

  /// - Parameters:
  ///   - columns: those of the table.
  ///   - rows: values of the table.
  ///   - preamble: the lines before the heading, which may have the start.
  ///   - isInMilliseconds: whether the numbers of a column count milliseconds, not seconds.
  /// - Returns: nil if the times are not numbers that ascend from a small one.
  init?(
    _ columns: [CSVLayout.Column], _ rows: [CSVLayout.Row], _ preamble: [String],
    isInMilliseconds: (CSVLayout.Column) -> Bool
  ) {
    guard let column = columns.first(where: { $0.meaning == .time }),
      !columns.contains(where: { $0.meaning == .date })
    else { return nil }
    var numbers = CSVNumbers(usesDecimalComma: false)
    var values: [Double] = []
    for row in rows where column.index < row.fields.count && !row.fields[column.index].isEmpty {
      let bytes = Array(row.fields[column.index].utf8)
      guard let number = DecimalReading.read(bytes.span) ?? numbers.read(bytes.span) else { return nil }
      let decimals = numbers.decimals(of: bytes.span)
      guard number >= values.last ?? 0,
        CSVTime.read(number: number, decimals: decimals, allowsSerial: false) == .none
      else { return nil }
      // Six digits may be a time of day.
      if decimals == 0,
        bytes.count == 6 || bytes.count == 14 || bytes[0] == UInt8(ascii: "0") && bytes.count > 1
      {
        return nil
      }
      values.append(number)
    }
    let scale = isInMilliseconds(column) ? 1e3 : 1e6
    guard values.count > 1, let first = values.first, let last = values.last, first < last,
      last * scale < Self.limit * 1e6
    else { return nil }
    self.scale = scale
    self.column = column.index
    let start = Self.start(in: preamble)
    self.start = start?.microseconds
    hasZone = start?.hasZone ?? true
  }

  /// Microseconds since 1970, counted from ``DriveElement/unknownStart`` if the start is unknown.
  func time(_ number: Double) -> Int64? {
    guard number.isFinite, abs(number) * scale < Self.limit * 1e6 else { return nil }
    return (start ?? DriveElement.unknownStart.microseconds) + Int64((number * scale).rounded())
  }

  /// The start of the recording by lines such as `Date, Sunday, December 15, 2024` and `Time, 1:34 PM`.
  private static func start(in preamble: [String]) -> (microseconds: Int64, hasZone: Bool)? {
    var date: Int64?
    var clock: (microseconds: Int64, hasZone: Bool)?
    for line in preamble {
      guard let end = line.firstIndex(where: { $0 == ":" || $0 == "," }) else { continue }
      let key = CSVHeading.words(of: String(line[..<end])).outside.joined()
      let value = Array(line[line.index(after: end)...].drop { $0 == " " }.utf8)
      guard ["date", "sessiondate", "startdate", "time", "starttime", "sessionstart", "datum"].contains(key)
      else {
        continue
      }
      switch CSVTime.read(value.span, order: nil) {
      case .moment(let moment, let hasZone): return (moment, hasZone)
      case .date(let day): date = date ?? day
      case .clock(let time, let hasZone): clock = clock ?? (time, hasZone)
      case .ambiguous, .none: break
      }
    }
    return date.map { ($0 + (clock?.microseconds ?? 0), clock?.hasZone ?? false) }
  }
}
