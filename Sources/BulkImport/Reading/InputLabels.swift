package import TrackModel

/// Creates unique labels for drives from several inputs.
package enum InputLabels {
  /// Returns a unique label for each input: the file name, extended by its folder or the track's name if
  /// several inputs have the same file name, or else by a number. A drive of a library has its name and date.
  ///
  /// - Parameters:
  ///   - given: labels for the first inputs, which are not changed.
  ///   - inputs: the path and the track's name of each input.
  ///   - day: formats the date of a time.
  package static func labels(
    given: [String] = [], inputs: [(path: String, track: String?)], day: (Instant) -> String
  ) -> [String] {
    var labels = inputs.map { LibraryReference($0.path)?.title(day: day) ?? InputPath.baseName($0.path) }
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

  /// Returns the labels with duplicates changed, if the changes make them unique.
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
