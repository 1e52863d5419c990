import GhostModel

/// The legend of the colours.
struct Legend: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var color: ExportColor
    var text: String
  }

  struct Section: Sendable, Equatable {
    var title: String
    var entries: [Entry]
  }

  var sections: [Section]

  init(sections: [Section]) { self.sections = sections }

  /// One section for the drives, and one for the gap steps of the first pair that has a gap.
  init(_ document: ComparisonDocument, _ scale: GapColors?) {
    let drives = document.comparison.drives
    var entries = zip(drives, document.colors).map { Entry(color: $1, text: $0.label) }
    entries.append(Entry(color: .muted, text: "trimmed"))
    sections = [Section(title: "Drives", entries: entries)]
    guard let scale, let pair = document.comparison.pairs.first(where: { $0.profile.count > 1 }) else {
      return
    }
    let first = document.colors[pair.first]
    let second = document.colors[pair.second]
    func ahead(_ drive: Int, _ sign: Int) -> Section {
      Section(
        title: "\(drives[drive].label) ahead",
        entries: (1...GapColors.steps).map {
          Entry(color: scale.color(sign * $0, first: first, second: second), text: scale.words($0))
        })
    }
    sections.append(ahead(pair.first, 1))
    sections.append(ahead(pair.second, -1))
    sections.append(
      Section(
        title: "Level",
        entries: [Entry(color: GapColors.level, text: "within \(Quantity.duration(scale.level))")]))
  }
}
