/// The candidate that `word` was most likely meant to be, or `nil` when none is near.
///
/// Near is one edit in three letters, at least one, by ``editDistance(_:_:)``, letter case and leading
/// hyphens left aside; or `word` begins exactly one candidate. Of several equally near the first one is
/// taken.
func suggestion(for word: String, among candidates: [String]) -> String? {
  let letters = significant(word)
  guard letters.count >= 2, letters.count <= 64 else { return nil }
  let begun = candidates.filter { significant($0).starts(with: letters) }
  if begun.count == 1 { return begun.first }
  let limit = max(1, letters.count / 3)
  return
    candidates
    .map { (candidate: $0, distance: editDistance(letters, significant($0))) }
    .filter { $0.distance <= limit }
    .min { $0.distance < $1.distance }?
    .candidate
}

private func significant(_ word: String) -> [UInt8] {
  Array(word.lowercased().drop { $0 == "-" }.utf8)
}

/// The fewest insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, no letter
/// edited twice (the optimal string alignment distance). Time and memory grow with the product of the
/// lengths.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  // Rows of the table, the newest last: row i holds the distances of a's first i letters to b's prefixes.
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
