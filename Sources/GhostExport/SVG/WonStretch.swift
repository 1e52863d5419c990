import GhostModel
import TrackModel

/// A short piece of shared road, and which drive gained time on it.
struct WonStretch: Sendable {
  /// Metres along the first drive.
  var distances: Range<Double>
  /// Index of the drive that was quickest here; nil where no difference can be told from noise.
  var winner: Int?
  /// Seconds that it gained on the next.
  var gain: Double
  /// The road, degrees.
  var latitudes: [Double]
  var longitudes: [Double]
}

extension WonStretch {
  /// About so many pieces make up the road: fine enough to point at a light, coarse enough to be seen.
  private static let pieces = 72.0
  /// Metres: over less the noise of the positions outweighs the difference.
  private static let shortest = 80.0
  /// Seconds: a gain below it is noise, about twice what a gap is off between two GPS recordings.
  private static let noise = 0.6

  /// The shared road in pieces, in driving order.
  ///
  /// A piece belongs to the pair that shares most of it; other pairs take part where they share all of it.
  static func stretches(of comparison: DriveComparison) -> [WonStretch] {
    let profiles = comparison.pairs.filter { $0.profile.count > 1 && $0.relation == .shared }
    var low = Double.infinity
    var high = -Double.infinity
    for pair in profiles {
      low = min(low, pair.profile.distances.first ?? low)
      high = max(high, pair.profile.distances.last ?? high)
    }
    guard low < high, high - low < 1e9 else { return [] }
    let length = max(shortest, (high - low) / pieces)
    let noise = max(self.noise, comparison.uncertainty / 2)
    var cursors = profiles.map { ProfileCursor($0.profile) }
    var result: [WonStretch] = []
    var losses: [[(drive: Int, seconds: Double)]] = []
    var from = low
    while from < high {
      let piece = from..<min(high, from + length)
      from = piece.upperBound
      let overlaps = profiles.indices.map { cursors[$0].overlaps(with: piece) }
      let lengths = overlaps.map { $0.reduce(0) { $0 + $1.distances.upperBound - $1.distances.lowerBound } }
      guard let most = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) else { continue }
      for overlap in overlaps[most] {
        // Seconds that each drive lost against the first: 0 for the first itself.
        var lost = [(drive: profiles[most].first, seconds: 0.0)]
        for index in profiles.indices {
          let change = index == most ? overlap.change : cursors[index].change(over: overlap.distances)
          if let change { lost.append((profiles[index].second, change)) }
        }
        let best = best(of: lost)
        result.append(
          WonStretch(
            distances: overlap.distances, winner: best.gain >= noise ? best.drive : nil, gain: best.gain,
            latitudes: overlap.latitudes, longitudes: overlap.longitudes))
        losses.append(lost)
      }
    }
    joinUndecided(&result, losses, noise: noise)
    return result
  }

  /// Who lost least, and by how much less than the next.
  private static func best(of losses: [(drive: Int, seconds: Double)]) -> (drive: Int?, gain: Double) {
    let sorted = losses.sorted { $0.seconds < $1.seconds }
    guard sorted.count > 1 else { return (nil, 0) }
    return (sorted[0].drive, sorted[1].seconds - sorted[0].seconds)
  }

  /// Pieces in a row that together say what each says too softly: a drive that is a little faster all along.
  private static let longestRow = 18

  private static func joinUndecided(
    _ pieces: inout [WonStretch], _ losses: [[(drive: Int, seconds: Double)]], noise: Double
  ) {
    var start = 0
    while start < pieces.count {
      guard pieces[start].winner == nil else {
        start += 1
        continue
      }
      var sums = losses[start]
      var end = start + 1
      var winner: Int?
      while true {
        let best = best(of: sums)
        if best.gain >= 1.5 * noise { winner = best.drive }
        guard winner == nil, end < pieces.count, end - start < longestRow, pieces[end].winner == nil,
          losses[end].map(\.drive) == sums.map(\.drive)
        else { break }
        for index in sums.indices { sums[index].seconds += losses[end][index].seconds }
        end += 1
      }
      if let winner { for index in start..<end { pieces[index].winner = winner } }
      start = end
    }
  }
}

/// Walks along a profile, piece by piece, so that all pieces together look at each row about once.
private struct ProfileCursor {
  struct Overlap {
    var distances: Range<Double>
    /// Seconds by which the gap grew.
    var change: Double
    var latitudes: [Double]
    var longitudes: [Double]
  }

  private let profile: GapProfile
  private let stretches: [Range<Int>]
  private var stretch = 0
  private var row = 0

  init(_ profile: GapProfile) {
    self.profile = profile
    stretches = profile.stretches.filter { $0.count > 1 }
    row = stretches.first?.lowerBound ?? 0
  }

  /// The parts of a piece that are shared. Pieces must come in order.
  mutating func overlaps(with piece: Range<Double>) -> [Overlap] {
    var result: [Overlap] = []
    while stretch < stretches.count {
      let rows = stretches[stretch]
      let begin = profile.distances[rows.lowerBound]
      let end = profile.distances[rows.upperBound - 1]
      if begin >= piece.upperBound { break }
      let part = max(begin, piece.lowerBound)..<max(max(begin, piece.lowerBound), min(end, piece.upperBound))
      if !part.isEmpty { result.append(overlap(part, rows)) }
      if end > piece.upperBound { break }
      stretch += 1
      row = stretch < stretches.count ? stretches[stretch].lowerBound : row
    }
    return result
  }

  private mutating func overlap(_ part: Range<Double>, _ rows: Range<Int>) -> Overlap {
    advance(to: part.lowerBound, rows)
    let first = values(at: part.lowerBound, rows)
    var latitudes = [first.latitude]
    var longitudes = [first.longitude]
    while row + 1 < rows.upperBound, profile.distances[row + 1] < part.upperBound {
      row += 1
      if profile.distances[row] > part.lowerBound {
        latitudes.append(profile.latitudes[row])
        longitudes.append(profile.longitudes[row])
      }
    }
    // Standing at the very end belongs to the stretch; elsewhere to the piece that begins there.
    let isEnd = part.upperBound >= profile.distances[rows.upperBound - 1]
    let last = values(at: part.upperBound, rows)
    let lastGap = isEnd ? profile.gaps[rows.upperBound - 1] : last.gap
    latitudes.append(last.latitude)
    longitudes.append(last.longitude)
    return Overlap(
      distances: part, change: lastGap - first.gap, latitudes: latitudes, longitudes: longitudes)
  }

  private mutating func advance(to distance: Double, _ rows: Range<Int>) {
    while row + 1 < rows.upperBound, profile.distances[row + 1] < distance { row += 1 }
  }

  /// The values at a distance, from the row before it and the one after.
  private func values(at distance: Double, _ rows: Range<Int>) -> (
    latitude: Double, longitude: Double, gap: Double
  ) {
    let next = min(row + 1, rows.upperBound - 1)
    let length = profile.distances[next] - profile.distances[row]
    let fraction = length > 0 ? max(0, min(1, (distance - profile.distances[row]) / length)) : 0
    var turn = profile.longitudes[next] - profile.longitudes[row]
    turn = turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    return (
      profile.latitudes[row] + (profile.latitudes[next] - profile.latitudes[row]) * fraction,
      profile.longitudes[row] + turn * fraction,
      profile.gaps[row] + (profile.gaps[next] - profile.gaps[row]) * fraction
    )
  }

  /// How the gap changed over a range that one stretch covers; nil where none does. Anywhere in the profile.
  func change(over range: Range<Double>) -> Double? {
    for rows in stretches {
      guard profile.distances[rows.lowerBound] <= range.lowerBound + 1,
        profile.distances[rows.upperBound - 1] >= range.upperBound - 1
      else { continue }
      return gap(at: range.upperBound, rows) - gap(at: range.lowerBound, rows)
    }
    return nil
  }

  private func gap(at distance: Double, _ rows: Range<Int>) -> Double {
    guard rows.count > 1 else { return profile.gaps[rows.lowerBound] }
    let next = (rows.lowerBound + 1..<rows.upperBound - 1)
      .partitionIndex { profile.distances[$0] >= distance }
    let start = profile.distances[next - 1]
    let length = profile.distances[next] - start
    let fraction = length > 0 ? max(0, min(1, (distance - start) / length)) : 0
    return profile.gaps[next - 1] + (profile.gaps[next] - profile.gaps[next - 1]) * fraction
  }
}
