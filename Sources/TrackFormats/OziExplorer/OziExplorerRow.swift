import TrackModel

/// A row of a file of OziExplorer: cells between commas.
struct OziExplorerRow: ~Escapable {
  private let line: Span<UInt8>

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) { self.line = line }

  /// Returns the bytes of a cell, counted from 0; nil after the last one.
  func bytes(_ cell: Int) -> Range<Int>? {
    var start = 0
    for _ in 0..<cell {
      while start < line.count, line[start] != UInt8(ascii: ",") { start += 1 }
      guard start < line.count else { return nil }
      start += 1
    }
    var end = start
    while end < line.count, line[end] != UInt8(ascii: ",") { end += 1 }
    return start..<end
  }

  /// The number of cells.
  var count: Int {
    var count = 1
    for index in line.indices where line[index] == UInt8(ascii: ",") { count += 1 }
    return count
  }

  func number(_ cell: Int) -> Double? { bytes(cell).flatMap { DecimalReading.read(line.extracting($0)) } }

  func integer(_ cell: Int) -> Int? { number(cell).flatMap { Int(exactly: $0) } }

  /// Returns the text of a cell without surrounding blanks; nil if it is empty.
  func text(_ cell: Int) -> String? {
    guard let range = bytes(cell) else { return nil }
    let text = line.extracting(range).trimmedText
    return text.isEmpty ? nil : text
  }

  /// The comma separates cells. Character 209 of Latin-1 (Ñ) is written instead of a comma in a text.
  static let comma: Character = "\u{D1}"
  /// The number of characters of a text that are written. Readers limit the length of lines.
  static let longestText = 4096

  /// Returns the text of a cell with its commas.
  func textWithCommas(_ cell: Int) -> String? {
    text(cell).map { String($0.map { $0 == Self.comma ? "," : $0 }) }
  }

  /// Whether a time in microseconds since 1970 can be written: it is after 30 December 1899.
  static func hasTime(_ time: Int64) -> Bool { time != Instant.absent && time > -2_209_161_600_000_000 }

  /// Returns the time in a cell: days since 30 December 1899, 0 for none.
  ///
  /// A seventh decimal of a day is 8.64 ms, so the time is rounded to milliseconds. The first moment of 1970
  /// is what programs write for points without a time.
  func time(_ cell: Int) -> Int64? {
    guard let days = number(cell), days > 0, days != Self.daysTo1970, days < 2_958_466 else { return nil }
    return Int64(((days - Self.daysTo1970) * 86_400_000).rounded()) * 1000
  }

  /// Returns the elevation in a cell in metres, rounded to millimetres. -777 feet are "unknown".
  func elevation(_ cell: Int, isMetric: Bool = false) -> Double? {
    guard let value = number(cell), value != Self.noElevation else { return nil }
    return isMetric ? value : (value * Geodesy.metresPerFoot * 1000).rounded() / 1000
  }

  static let daysTo1970 = 25_569.0
  static let noElevation = -777.0
}

/// The lines before the rows of a file of OziExplorer.
struct OziExplorerHead {
  private(set) var isMetric = false
  private(set) var track = TrackInfo()

  /// The warning about a datum other than WGS 84.
  static func warning(ofDatum line: Span<UInt8>) -> String? {
    let datum = line.trimmedText
    let name = datum.uppercased().filter { $0 != " " }
    return name.isEmpty || name == "WGS84"
      ? nil : "positions in the datum \(TrackError.printable(datum)), not converted"
  }

  /// Reads the line with the unit of elevations.
  mutating func takeUnit(_ line: Span<UInt8>) {
    isMetric = line.trimmedText.lowercased().contains("met")
  }

  /// Reads the line about a track: `0,width,colour,name,…`. The lowest byte of the colour is red.
  mutating func takeTrack(_ line: Span<UInt8>) {
    let row = OziExplorerRow(line)
    track.name = row.textWithCommas(3)
    var style = LineStyle()
    if let width = row.number(1), width > 0, width < 100 { style.width = width }
    if let color = row.integer(2), (0...0xFF_FFFF).contains(color) {
      style.color = TrackColor(
        red: UInt8(color & 0xFF), green: UInt8(color >> 8 & 0xFF), blue: UInt8(color >> 16 & 0xFF))
    }
    if style != LineStyle() { track.style = style }
  }
}

extension TrackWarning.Code {
  static let otherDatum = TrackWarning.Code("other-datum")
}
