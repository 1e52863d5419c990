/// Columns of whole numbers as compact text, for a script to unfold: the differences from row to row, row by
/// row, each zigzagged (0, −1, 1, −2 … as 0, 1, 2, 3 …) and cut into groups of five bits, lowest first, the
/// sixth bit saying that more follow; a character of base64url per group. No character needs escaping
/// anywhere.
struct NumberText {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// Beyond this a script's numbers are not exact; nothing on Earth is so far away or so long ago.
  private static let limit = 1e15

  private var bytes: [UInt8] = []
  private var previous: [Int]

  init(columns: Int) { previous = Array(repeating: 0, count: columns) }

  /// Adds a row: a value per column, rounded.
  mutating func append(_ values: Double...) {
    for column in 0..<min(values.count, previous.count) {
      let value = values[column].isFinite ? values[column] : 0
      let rounded = Int(max(-NumberText.limit, min(NumberText.limit, value)).rounded())
      append(rounded - previous[column])
      previous[column] = rounded
    }
  }

  private mutating func append(_ difference: Int) {
    var rest = UInt(bitPattern: difference << 1 ^ difference >> (Int.bitWidth - 1))
    while rest > 31 {
      bytes.append(NumberText.alphabet[Int(rest & 31 | 32)])
      rest >>= 5
    }
    bytes.append(NumberText.alphabet[Int(rest)])
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
