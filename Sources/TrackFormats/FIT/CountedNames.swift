/// Names with the number of values of each, in the order of first use.
struct CountedNames {
  private(set) var all: [(name: String, count: Int)] = []
  private var indices: [String: Int] = [:]

  /// Adds values of a name.
  ///
  /// - Returns: the index of the name in ``all``.
  @discardableResult
  mutating func add(_ count: Int, of name: String) -> Int {
    let index = indices[name] ?? all.count
    if index == all.count {
      all.append((name, 0))
      indices[name] = index
    }
    all[index].count += count
    return index
  }

  /// Adds values of the name at an index.
  mutating func add(_ count: Int, at index: Int) { all[index].count += count }
}
