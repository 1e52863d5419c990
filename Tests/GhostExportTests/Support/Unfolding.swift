/// Decodes the number columns of a report, independently of the code that encodes them.
enum Unfolding {
  static func rows(_ text: String, columns: Int) -> [[Double]] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var numbers: [Int] = []
    var value = 0
    var shift = 0
    for byte in text.utf8 {
      let digit = alphabet.firstIndex(of: byte) ?? 0
      value |= (digit & 31) << shift
      if digit >= 32 {
        shift += 5
      } else {
        numbers.append(value % 2 == 0 ? value / 2 : -(value + 1) / 2)
        value = 0
        shift = 0
      }
    }
    var rows: [[Double]] = []
    var sums = [Int](repeating: 0, count: columns)
    for start in stride(from: 0, to: numbers.count - columns + 1, by: columns) {
      for column in 0..<columns { sums[column] += numbers[start + column] }
      rows.append(sums.map(Double.init))
    }
    return rows
  }
}
