/// What the compared drives are called, each differently, so that a winner can be named.
enum ComparisonLabels {
  /// - Parameters:
  ///   - given: by the user, for the first inputs; they stay as they are.
  ///   - inputs: path and the track's name of each input.
  /// - Returns: one per input: the file's name; where several have the same, with the folder before it or the
  ///   track's name behind it, whichever tells them apart; else with a number.
  static func labels(given: [String], inputs: [(path: String, track: String?)]) -> [String] {
    var labels = inputs.map { LibraryReference($0.path)?.title ?? Input.baseName($0.path) }
    for (index, label) in given.enumerated() where index < labels.count { labels[index] = label }
    let own = labels.indices.dropFirst(given.count)
    labels = refined(labels, own) { index in
      inputs[index].path.split(separator: "/").dropLast().last.map { "\($0)/\(labels[index])" }
    }
    labels = refined(labels, own) { index in inputs[index].track.map { "\(labels[index]) \($0)" } }
    var taken = Set(given)
    for index in own {
      let label = labels[index]
      var number = 2
      while !taken.insert(labels[index]).inserted {
        labels[index] = "\(label) (\(number))"
        number += 1
      }
    }
    return labels
  }

  /// The labels, with those that are the same changed where that makes each of them another.
  private static func refined(
    _ labels: [String], _ indices: Range<Int>, _ change: (Int) -> String?
  ) -> [String] {
    var result = labels
    for (label, group) in Dictionary(grouping: indices, by: { labels[$0] }) where group.count > 1 {
      let changed = group.map { change($0) ?? label }
      guard Set(changed).count == group.count else { continue }
      for (index, label) in zip(group, changed) { result[index] = label }
    }
    return result
  }
}
