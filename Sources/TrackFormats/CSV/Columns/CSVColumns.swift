public import TrackModel

/// The meanings of a table's columns as specified by the user, for missing or wrong headings.
///
/// Other columns keep the meaning of their heading.
public struct CSVColumns: Sendable, Hashable {
  /// A column of the table.
  enum Reference: Sendable, Hashable {
    /// The column with this number, from 1.
    case number(Int)
    /// The column with this heading, ignoring case and surrounding spaces.
    case heading(String)
  }

  struct Assignment: Sendable, Hashable {
    let meaning: CSVColumnRole
    let reference: Reference
    /// The unit, or `nil` for the heading's unit.
    let unit: CSVUnit?
  }

  private(set) var assignments: [Assignment] = []
  /// The order of day, month and year in ambiguous dates.
  var dateOrder: CSVDateOrder?
  /// Whether columns are specified, and not only the order of dates.
  package var assignsColumns: Bool { !assignments.isEmpty }
  /// The original text.
  public private(set) var text = ""

  /// No specification: headings determine all meanings.
  public init() {}

  /// Columns of a table without headings.
  init(_ assignments: [Assignment]) { self.assignments = assignments }

  /// Parses a list such as `lat=2,lon=3,time=1`: a meaning in any spelling of a heading, and the column's
  /// number from 1 or its heading, optionally followed by a unit as in `speed=4:km/h`. `dates=dmy`,
  /// `dates=mdy` or `dates=ymd` specifies the order in dates like 03/04/24.
  ///
  /// - Throws: `TrackError.Code.usage`.
  public init(parsing text: String) throws(TrackError) {
    self.text = text
    for part in text.split(separator: ",") {
      guard let sign = part.firstIndex(of: "=") else {
        throw CSVColumns.fault("expected a column as MEANING=COLUMN", String(part))
      }
      let key = CSVColumns.trimmed(part[..<sign])
      let value = CSVColumns.trimmed(part[part.index(after: sign)...])
      if key.lowercased() == "dates" {
        guard let order = CSVDateOrder(rawValue: value.lowercased()) else {
          throw CSVColumns.fault("the order of dates is dmy, mdy or ymd", value)
        }
        dateOrder = order
        continue
      }
      guard let heading = CSVHeading(key), heading.meaning != .ordinal else {
        throw CSVColumns.fault("unknown meaning", key)
      }
      assignments.append(try CSVColumns.assignment(heading, value))
    }
    guard !assignments.isEmpty || dateOrder != nil else { throw CSVColumns.fault("no column", text) }
  }

  private static func assignment(_ heading: CSVHeading, _ value: String) throws(TrackError) -> Assignment {
    var place = value
    var unit: CSVUnit? = heading.unit.isOwn ? nil : heading.unit
    if let colon = value.lastIndex(of: ":"), let quantity = heading.meaning.quantity {
      let (words, _) = CSVHeading.words(of: String(value[value.index(after: colon)...]))
      guard let named = CSVUnit.named(words.joined(), for: quantity) else {
        throw fault("unknown unit for this meaning", String(value[value.index(after: colon)...]))
      }
      unit = named
      place = trimmed(value[..<colon])
    }
    guard !place.isEmpty else { throw fault("expected a column number or heading", value) }
    if place.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let number = Int(place), (1...100_000).contains(number) else {
        throw fault("column numbers start at 1", place)
      }
      return Assignment(meaning: heading.meaning, reference: .number(number), unit: unit)
    }
    return Assignment(meaning: heading.meaning, reference: .heading(place.lowercased()), unit: unit)
  }

  private static func fault(_ message: String, _ text: String) -> TrackError {
    TrackError(
      .usage, message, offendingText: text,
      suggestion: .nameColumns(example: "lat=2,lon=3,time=1 or speed=Tempo:km/h,dates=dmy"))
  }

  static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
