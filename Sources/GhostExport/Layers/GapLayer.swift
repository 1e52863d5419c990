import GhostModel
import TrackModel

/// The road that a pair of drives shared, coloured by the gap.
struct GapLayer: Sendable {
  var name: String
  /// Pieces of road in driving order, each of one colour.
  var features: [LayerFeature]
  /// The indices of the drives.
  var pair: Paired<Int>

  /// - Parameter bound: the simplification tolerance in metres, or `nil` to keep every point.
  init(_ document: ComparisonDocument, _ pair: PairComparison, scale: GapColors, bound: Double?) {
    let first = document.comparison.drives[pair.first].label
    let second = document.comparison.drives[pair.second].label
    name = "\(second) against \(first)"
    self.pair = Paired(pair.first, pair.second)
    let profile = pair.profile
    features = []
    for piece in GapLayer.pieces(profile, scale) {
      let range = piece.rows
      let rows =
        bound.map {
          LineSimplification.rows(
            range, latitudes: profile.latitudes, longitudes: profile.longitudes, tolerance: $0
          ) { profile.distances[$0] }
        } ?? Array(range)
      let line = LayerLine(
        latitudes: rows.map { profile.latitudes[$0] }, longitudes: rows.map { profile.longitudes[$0] })
      guard line.hasLength else { continue }
      let gap = profile.gaps[range.lowerBound + range.count / 2]
      features.append(
        LayerFeature(
          kind: "gap",
          name: piece.bucket == 0 ? GapLayer.level(profile, range) : Quantity.ahead(gap, first, second),
          shape: .lines(line.cutAtAntimeridian),
          color: scale.color(
            piece.bucket, first: document.colors[pair.first], second: document.colors[pair.second]),
          width: 8, table: GapLayer.table(profile, range, gap, first, second)))
    }
  }

  /// The name of a piece whose gaps are within the uncertainty, with its largest gap.
  private static func level(_ profile: GapProfile, _ rows: Range<Int>) -> String {
    let largest = rows.reduce(0) { max($0, abs(profile.gaps[$1])) }
    return "Level within \(Quantity.duration(largest))"
  }

  private static func table(
    _ profile: GapProfile, _ rows: Range<Int>, _ gap: Double, _ first: String, _ second: String
  ) -> FactTable {
    let start = rows.lowerBound
    let end = rows.upperBound - 1
    var table = FactTable(headings: [first, second])
    table.add("Ahead", Fact("ahead", .text(Quantity.ahead(gap, first, second))))
    table.add("Gap in the middle", Fact("gap_s", .change(gap)))
    table.add(
      "Gap at both ends", Fact("gap_from_s", .change(profile.gaps[start])),
      Fact("gap_to_s", .change(profile.gaps[end])))
    table.add(
      "Along the road", Fact("from_m", .distance(profile.distances[start])),
      Fact("to_m", .distance(profile.distances[end])))
    table.add(
      "Reached after", Fact("first_from_s", .duration(profile.firstElapsed[start])),
      Fact("second_from_s", .duration(profile.secondElapsed[start])))
    table.add(
      "Left after", Fact("first_to_s", .duration(profile.firstElapsed[end])),
      Fact("second_to_s", .duration(profile.secondElapsed[end])))
    return table
  }

  /// Returns the rows of one colour, plus the first row of the next piece so that the lines join. The row is
  /// not added for a stop, whose arrival and departure have the same position.
  private static func pieces(_ profile: GapProfile, _ scale: GapColors) -> [(rows: Range<Int>, bucket: Int)] {
    var pieces: [(rows: Range<Int>, bucket: Int)] = []
    for stretch in profile.stretches where !stretch.isEmpty {
      var start = stretch.lowerBound
      var bucket = scale.bucket(profile.gaps[start])
      for row in stretch.dropFirst() {
        let next = scale.bucket(profile.gaps[row], after: bucket)
        guard next != bucket else { continue }
        let isStop = profile.distances[row] == profile.distances[row - 1]
        pieces.append((start..<(isStop ? row : row + 1), bucket))
        start = row
        bucket = next
      }
      pieces.append((start..<stretch.upperBound, bucket))
    }
    return pieces
  }
}

extension LayerLine {
  /// Whether the piece has a length. A piece between arrival and departure is a single position.
  var hasLength: Bool {
    guard let latitude = latitudes.first, let longitude = longitudes.first else { return false }
    return latitudes.contains { $0 != latitude } || longitudes.contains { $0 != longitude }
  }
}
