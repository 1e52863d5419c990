/// The times and positions of a `gx:Track`, which ``XMLTokenStream`` reads without tokens.
enum KMLTrackRow {
  static let learning = XMLRowLearning(
    elements: KMLElement.coord.rawValue...KMLElement.when.rawValue,
    grammar: { code, parent, isAttribute in
      guard parent == nil, !isAttribute else { return nil }
      return code == KMLElement.when.rawValue
        ? [.time]
        : [.number(field: 0, limit: 180), .number(field: 1, limit: 90), .number(field: 2, limit: .infinity)]
    }, accepts: { $0.count != 1 })
}
