/// Counts in words, for summaries.
enum Counted {
  /// `1 point`, `2 points`.
  static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// `name: 3 of 10 points left out`, or nil where none was.
  static func leftOut(_ name: String, _ count: Int, of total: Int) -> String? {
    count == 0 ? nil : "\(name): \(count) of \(of(total, "point")) left out"
  }

  /// `, with what 3 of them said in words`, for points that were left out though more than their position
  /// stood there; empty for none.
  static func details(_ count: Int) -> String {
    count == 0 ? "" : ", with the names or other details of \(of(count, "point"))"
  }
}
