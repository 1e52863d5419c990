import GhostModel
import TrackModel

/// A short piece of shared road, and the drive that gained time on it.
struct WonStretch: Sendable {
  /// The range in metres along the first drive.
  var distances: Range<Double>
  /// The index of the fastest drive on the piece, or `nil` if the difference is within the noise.
  var winner: Int?
  /// The seconds that the winner gained on the second fastest drive; in a row of pieces that only together
  /// exceed the noise, their mean.
  var gain: Double
  /// The positions in degrees.
  var latitudes: [Double]
  var longitudes: [Double]
}

extension WonStretch {
  /// The approximate number of pieces: small enough to locate a traffic light, large enough to be visible.
  private static let pieces = 72.0
  /// The shortest piece in metres. On shorter pieces, position noise exceeds the difference.
  private static let shortest = 80.0
  /// The smallest gain in seconds that is not noise, about twice the gap error between two GPS recordings.
  private static let noise = 0.6

  /// Returns the shared road in pieces, in driving order.
  ///
  /// A piece belongs to the pair that shares most of it. Other pairs are included if they share all of it,
  /// unless the drive records the ride of an earlier one: then neither gains time.
  static func stretches(of comparison: DriveComparison) -> [WonStretch] {
    let profiles = comparison.pairsOfRivals.filter { $0.profile.count > 1 && $0.relation == .shared }
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
        // The seconds that each drive lost against the first, 0 for the first itself.
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

  /// Returns the drive that lost least, and its advantage over the next.
  private static func best(of losses: [(drive: Int, seconds: Double)]) -> (drive: Int?, gain: Double) {
    let sorted = losses.sorted { $0.seconds < $1.seconds }
    guard sorted.count > 1 else { return (nil, 0) }
    return (sorted[0].drive, sorted[1].seconds - sorted[0].seconds)
  }

  /// The maximum number of pieces that are merged.
  private static let longestRow = 18

  /// Merges adjacent pieces whose differences are significant only together, for a drive that is slightly
  /// faster throughout.
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
      var winner: (drive: Int, gain: Double)?
      while true {
        let best = best(of: sums)
        if best.gain >= 1.5 * noise, let drive = best.drive { winner = (drive, best.gain) }
        guard winner == nil, end < pieces.count, end - start < longestRow, pieces[end].winner == nil,
          losses[end].map(\.drive) == sums.map(\.drive)
        else { break }
        for index in sums.indices { sums[index].seconds += losses[end][index].seconds }
        end += 1
      }
      if let winner {
        for index in start..<end {
          pieces[index].winner = winner.drive
          pieces[index].gain = winner.gain / Double(end - start)
        }
      }
      start = end
    }
  }
}

/// Iterates over a profile piece by piece, reading each row about once in total.
private struct ProfileCursor {
  struct Overlap {
    var distances: Range<Double>
    /// The growth of the gap in seconds.
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

  /// Returns the shared parts of a piece. Pieces must be passed in order.
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
    // A stop at the end of the stretch belongs to it; other stops belong to the piece that starts there.
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

  /// Interpolates the values at a given distance.
  private func values(at distance: Double, _ rows: Range<Int>) -> (
    latitude: Double, longitude: Double, gap: Double
  ) {
    let next = min(row + 1, rows.upperBound - 1)
    let length = profile.distances[next] - profile.distances[row]
    let fraction = length > 0 ? max(0, min(1, (distance - profile.distances[row]) / length)) : 0
    let turn = Geodesy.longitudeDifference(from: profile.longitudes[row], to: profile.longitudes[next])
    return (
      profile.latitudes[row] + (profile.latitudes[next] - profile.latitudes[row]) * fraction,
      profile.longitudes[row] + turn * fraction,
      profile.gaps[row] + (profile.gaps[next] - profile.gaps[row]) * fraction
    )
  }

  /// Returns the change of the gap over a range, or `nil` if no single stretch covers it. Ranges can be in
  /// any order.
  func change(over range: Range<Double>) -> Double? {
    for rows in stretches {
      guard profile.distances[rows.lowerBound] <= range.lowerBound + 1,
        profile.distances[rows.upperBound - 1] >= range.upperBound - 1
      else { continue }
      return profile.gap(at: range.upperBound, in: rows) - profile.gap(at: range.lowerBound, in: rows)
    }
    return nil
  }
}
