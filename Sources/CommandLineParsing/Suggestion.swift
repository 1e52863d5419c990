/// Returns the candidate most similar to `word`, or `nil` if none is similar enough.
///
/// A candidate is similar if the number of differing characters is at most a third of the word's length, but
/// at least one, ignoring letter case and leading hyphens; or if it is the only candidate with the prefix
/// `word`, or all others continue it. Ties go to the first candidate.
package func suggestion(for word: String, among candidates: [String]) -> String? {
  let letters = significant(word)
  guard letters.count >= 2, letters.count <= 64 else { return nil }
  let begun = candidates.filter { significant($0).starts(with: letters) }
  if let shortest = begun.min(by: { $0.utf8.count < $1.utf8.count }),
    begun.allSatisfy({ significant($0).starts(with: significant(shortest)) })
  {
    return shortest
  }
  let limit = max(1, letters.count / 3)
  return
    candidates
    .map { (candidate: $0, distance: editDistance(letters, significant($0))) }
    .filter { $0.distance <= limit }
    .min { $0.distance < $1.distance }?
    .candidate
}

/// Returns the most similar of `options` as a question. A letter is similar to itself in the other case.
func optionHint(for word: String, among options: [ParameterDescription]) -> String? {
  let letter = options.compactMap(\.short).first { $0.lowercased() == word.lowercased() }
  return (suggestion(for: word, among: options.map(\.name)) ?? letter).map { "did you mean \($0)?" }
}

private func significant(_ word: String) -> [UInt8] {
  Array(word.lowercased().drop { $0 == "-" }.utf8)
}

/// Returns the optimal string alignment distance: the smallest number of insertions, deletions, substitutions
/// and transpositions of adjacent characters that turn `a` into `b`, editing no character twice.
///
/// - Complexity: O(*mn*) in time and memory, where *m* and *n* are the lengths.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  // The rows of the table, newest last: row i holds the distances from a's first i characters to b's
  // prefixes.
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
