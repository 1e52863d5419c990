import GhostModel
import TrackModel

/// A place between two legs: an end of a shared road, or where ways part or meet. Named by a letter that the
/// map and the table of legs share.
struct Anchor: Sendable {
  enum Kind: Sendable {
    case start
    case divergence
    case convergence
    case end
    /// Where a hole in a recording begins or ends.
    case hole

    var words: String {
      switch self {
      case .start: "the compared road begins"
      case .divergence: "the ways part"
      case .convergence: "the ways meet"
      case .end: "the compared road ends"
      case .hole: "a hole in a recording"
      }
    }
  }

  var letter: String
  var kind: Kind
  var coordinate: Coordinate

  /// The anchors of a pair, one more than it has legs: leg `n` goes from anchor `n` to anchor `n + 1`. Empty
  /// without legs.
  static func anchors(of pair: PairComparison) -> [Anchor] {
    guard let first = pair.legs.first, let last = pair.legs.last else { return [] }
    var anchors = [Anchor(letter: "A", kind: .start, coordinate: first.sides.first.from)]
    for (leg, next) in zip(pair.legs, pair.legs.dropFirst()) {
      let kind: Kind =
        leg.kind == .unknown || next.kind == .unknown
        ? .hole : next.kind == .detour ? .divergence : leg.kind == .detour ? .convergence : .hole
      anchors.append(
        Anchor(letter: letter(anchors.count), kind: kind, coordinate: next.sides.first.from))
    }
    anchors.append(Anchor(letter: letter(anchors.count), kind: .end, coordinate: last.sides.first.to))
    return anchors
  }

  /// A…Z, AA, AB …
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
