import GhostModel
import TrackModel

/// A boundary of legs: an end of a shared road, a divergence or a convergence. The letter is used by the map
/// and the table of legs.
struct Anchor: Sendable {
  enum Kind: Sendable {
    case start
    case divergence
    case convergence
    case end
    /// The end of a sector of a lap.
    case sector
    /// The start or end of a gap in a recording.
    case hole

    var words: String {
      switch self {
      case .start: "start of the compared road"
      case .divergence: "divergence"
      case .convergence: "convergence"
      case .end: "end of the compared road"
      case .sector: "end of a sector"
      case .hole: "gap in a recording"
      }
    }
  }

  var letter: String
  var kind: Kind
  var coordinate: Coordinate

  /// Returns the anchors of a pair: leg `n` runs from anchor `n` to anchor `n + 1`. Empty without legs.
  static func anchors(of pair: PairComparison) -> [Anchor] {
    guard let first = pair.legs.first, let last = pair.legs.last else { return [] }
    var anchors = [Anchor(letter: "A", kind: .start, coordinate: first.sides.first.from)]
    for (leg, next) in zip(pair.legs, pair.legs.dropFirst()) {
      let kind: Kind =
        switch (leg.kind, next.kind) {
        case (.unknown, _), (_, .unknown): .hole
        case (_, .detour): .divergence
        case (.detour, _): .convergence
        case (.shared, .shared): .sector
        }
      anchors.append(
        Anchor(letter: letter(anchors.count), kind: kind, coordinate: next.sides.first.from))
    }
    anchors.append(Anchor(letter: letter(anchors.count), kind: .end, coordinate: last.sides.first.to))
    return anchors
  }

  /// The letters A…Z, AA, AB …
  static func letter(_ index: Int) -> String {
    var rest = max(0, index)
    var text = ""
    repeat {
      text = String(UnicodeScalar(UInt8(65 + rest % 26))) + text
      rest = rest / 26 - 1
    } while rest >= 0
    return text
  }
}
