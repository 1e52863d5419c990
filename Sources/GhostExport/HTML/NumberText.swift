import TrackModel

/// Encodes columns of integers as compact text for a script.
///
/// Each row holds the differences to the previous row, zigzag coded (0, −1, 1, −2 … as 0, 1, 2, 3 …) in
/// groups of five bits, lowest first. The sixth bit is set if another group follows. Each group is one
/// base64url character, so that the text needs no escaping.
struct NumberText {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The limit of exact integers in JavaScript. Values are clamped to it.
  private static let limit = 1e15

  private var bytes: [UInt8] = []
  private var previous: [Int]

  init(columns: Int) { previous = Array(repeating: 0, count: columns) }

  /// Appends a row of rounded values, one per column.
  mutating func append(_ values: Double...) {
    for column in 0..<min(values.count, previous.count) {
      let value = values[column].isFinite ? values[column] : 0
      let rounded = Int(max(-NumberText.limit, min(NumberText.limit, value)).rounded())
      append(rounded - previous[column])
      previous[column] = rounded
    }
  }

  private mutating func append(_ difference: Int) {
    var rest = Int64(difference).zigzag
    while rest > 31 {
      bytes.append(NumberText.alphabet[Int(rest & 31 | 32)])
      rest >>= 5
    }
    bytes.append(NumberText.alphabet[Int(rest)])
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
