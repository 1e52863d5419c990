import TrackModel

/// A table of positions without a heading that is too coarse for ``CSVGuess``. Recognized only for the error
/// message.
struct HeadlessTable {
  /// The columns as named in ``CSVColumns``; nil if they are separated by white space.
  let columns: String?

  /// The number of rows examined.
  private static let sampleSize = 20
  /// The largest difference between consecutive positions, in degrees.
  private static let reach = 1.0
  /// The smallest value of the larger coordinate of positions without dates, in degrees. Smaller numbers are
  /// ambiguous.
  private static let smallest = 10.0
  /// The number of rows, the number of decimals and the largest difference between consecutive rows, in
  /// degrees, that distinguish positions from other numbers in any table.
  private static let fine = (rows: 5, decimals: 5, reach: 0.05)

  /// - Returns: nil unless every row has a position near that of the previous row. If positions have fewer
  ///   than five decimals, or there are only a few rows, the other columns must be numbers and dates, and
  ///   without dates a row has two or three numbers.
  init?(_ opening: FileOpening) {
    guard !opening.bytes.contains(where: { $0 < 0x09 }) else { return nil }
    var lines = opening.bytes.split { $0 == 0x0A || $0 == 0x0D }
    // The last line is incomplete. Empty lines are left out.
    if opening.isCut, !lines.isEmpty { lines.removeLast() }
    let sample = lines.filter { $0.first != UInt8(ascii: "#") }.prefix(Self.sampleSize)
    let separator = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].first { byte in
      sample.allSatisfy { $0.contains(byte) }
    }
    let rows = sample.map { Self.fields($0, separator) }
    guard rows.count > 1, let width = rows.first?.count, width > 1, rows.allSatisfy({ $0.count == width }),
      let place = (0..<(width - 1)).first(where: { Self.hasPositions(rows, $0) })
    else { return nil }
    let others = (0..<width).filter { $0 != place && $0 != place + 1 }
    let date = others.first { column in rows.allSatisfy { Self.isDate($0[column]) } }
    let isFine = Self.areFine(rows, place)
    guard
      isFine
        || others.allSatisfy({ column in column == date || rows.allSatisfy { Self.number($0[column]) != nil }
        })
    else { return nil }
    let position = (Self.number(rows[0][place]) ?? 0, Self.number(rows[0][place + 1]) ?? 0)
    if date == nil {
      guard isFine || width <= 3, max(abs(position.0), abs(position.1)) >= Self.smallest else { return nil }
    }
    let names = abs(position.0) <= 90 ? ("lat", "lon") : ("lon", "lat")
    let time = date.map { ",time=\($0 + 1)" } ?? ""
    columns = separator == nil ? nil : "\(names.0)=\(place + 1),\(names.1)=\(place + 2)\(time)"
  }

  private static func fields(_ line: ArraySlice<UInt8>, _ separator: UInt8?) -> [String] {
    let fields =
      if let separator {
        line.split(separator: separator, omittingEmptySubsequences: false)
      } else {
        line.split { $0 == 0x20 }
      }
    return fields.map { String(decoding: $0.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) }
  }

  private static func number(_ text: String) -> Double? {
    Double(text.trimmingPrefix { $0 == " " }).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func isDate(_ text: String) -> Bool {
    if ISO8601.read(Array(text.utf8).span) != nil { return true }
    // Seconds or milliseconds since 1970.
    return text.utf8.count >= 10 && (number(text) ?? 0) >= 1e8
  }

  /// Returns whether two columns are degrees with many decimals that change little from row to row.
  private static func areFine(_ rows: [[String]], _ column: Int) -> Bool {
    rows.count >= fine.rows && hasPositions(rows, column, reach: fine.reach)
      && rows.allSatisfy { row in
        row[column...(column + 1)].allSatisfy { field in
          field.split(separator: ".").last?.count ?? 0 >= fine.decimals
        }
      }
  }

  /// Returns whether two columns are degrees with decimals near those of the previous row.
  private static func hasPositions(
    _ rows: [[String]], _ column: Int, reach: Double = HeadlessTable.reach
  ) -> Bool {
    var last: (Double, Double)?
    return rows.allSatisfy { row in
      guard row[column].contains("."), row[column + 1].contains("."), let first = number(row[column]),
        let second = number(row[column + 1]), max(abs(first), abs(second)) <= 180,
        min(abs(first), abs(second)) <= 90,
        last.map({ abs($0.0 - first) < reach && abs($0.1 - second) < reach }) ?? true
      else { return false }
      last = (first, second)
      return true
    }
  }
}
