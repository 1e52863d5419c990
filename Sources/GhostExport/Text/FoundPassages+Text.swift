package import DriveMatching
import TrackModel

extension FoundPassages {
  /// The passages as a table, the fastest first.
  package var lines: [String] {
    let sum = "\(Text.distance(segment.length)), \(Counted.of(passages.count, "passage"))"
    let ranked = passages.sorted { $0.passage.duration < $1.passage.duration }
    guard let best = ranked.first?.passage.duration else { return [sum] }
    var table = TextTable([
      ("recording", .left), ("at", .right), ("time", .right), ("gap", .right), ("average", .right),
      ("stopped", .right), ("", .left),
    ])
    let least = passages.map(\.passage.uncertainty).min()
    for (source, passage) in ranked {
      table.add([
        source.label, Text.clock(passage.start), Text.lapTime(passage.duration),
        passage.duration > best ? "+" + Text.lapTime(passage.duration - best) : "",
        UnitSystem.current.speed(metresPerSecond: passage.averageSpeed),
        passage.waiting > 0 ? Text.clock(passage.waiting) : "",
        Text.remarkableDoubt(passage.uncertainty, least: least) ?? "",
      ])
    }
    return [sum, ""] + table.lines
  }
}
