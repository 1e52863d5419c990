public import TrackModel

/// Which columns of a table hold what, said by the user where headings do not or say it wrongly.
///
/// Columns that are not named keep the meaning that their heading gives them.
public struct CSVColumns: Sendable, Hashable {
  /// A column.
  enum Reference: Sendable, Hashable {
    /// By its number, from 1.
    case number(Int)
    /// By its heading; case and blanks around it do not matter.
    case heading(String)
  }

  struct Assignment: Sendable, Hashable {
    let meaning: CSVMeaning
    let reference: Reference
    /// nil where the heading decides.
    let unit: CSVUnit?
  }

  private(set) var assignments: [Assignment] = []
  /// The order of day, month and year in dates that leave it open.
  private(set) var dateOrder: CSVDateOrder?
  /// The text that the columns were parsed from.
  public private(set) var text = ""

  /// Nothing said: headings decide.
  public init() {}

  /// Reads `lat=2,lon=3,time=1`: what a column holds, in any spelling that a heading may have, and its number
  /// from 1 or its heading. A unit may follow behind a colon, as in `speed=4:km/h`. The order of day, month
  /// and year in dates like 03/04/24 is given by `dates=dmy`, `dates=mdy` or `dates=ymd`.
  ///
  /// - Throws: ``TrackError/Code/usage`` with what was wrong.
  public init(parsing text: String) throws(TrackError) {
    self.text = text
    for part in text.split(separator: ",") {
      guard let sign = part.firstIndex(of: "=") else {
        throw CSVColumns.fault("a column is given as what=where", String(part))
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
        throw CSVColumns.fault("nothing is called so", key)
      }
      assignments.append(try CSVColumns.assignment(heading, value))
    }
    guard !assignments.isEmpty || dateOrder != nil else { throw CSVColumns.fault("no column is given", text) }
  }

  private static func assignment(_ heading: CSVHeading, _ value: String) throws(TrackError) -> Assignment {
    var place = value
    var unit: CSVUnit? = heading.unit.isOwn ? nil : heading.unit
    if let colon = value.lastIndex(of: ":"), let quantity = heading.meaning.quantity {
      let (words, _) = CSVHeading.words(of: String(value[value.index(after: colon)...]))
      guard let named = CSVUnit.named(words.joined(), for: quantity) else {
        throw fault("no unit of it is called so", String(value[value.index(after: colon)...]))
      }
      unit = named
      place = trimmed(value[..<colon])
    }
    guard !place.isEmpty else { throw fault("a column is given by its number or its heading", value) }
    if place.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let number = Int(place), (1...100_000).contains(number) else {
        throw fault("columns are counted from 1", place)
      }
      return Assignment(meaning: heading.meaning, reference: .number(number), unit: unit)
    }
    return Assignment(meaning: heading.meaning, reference: .heading(place.lowercased()), unit: unit)
  }

  private static func fault(_ message: String, _ text: String) -> TrackError {
    TrackError(
      .usage, message, offendingText: text,
      suggestion: .text("for example lat=2,lon=3,time=1 or speed=Tempo:km/h,dates=dmy"))
  }

  static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
