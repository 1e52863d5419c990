import GhostModel
import TrackModel

/// Who is ahead at a moment: the drive that is farthest along the way of the first drive.
struct Leader {
  /// A drive's way along the first drive's: metres at seconds on the shared clock, both not descending.
  fileprivate struct Progress {
    var times: [Double]
    var distances: [Double]
  }

  /// Per drive; empty for those that share no road with the first.
  private var progress: [Progress]

  init(_ document: ComparisonDocument, _ clock: SharedClock) {
    progress = document.traces.map { _ in Progress(times: [], distances: []) }
    var longest: PairComparison?
    for pair in document.comparison.pairs where pair.profile.count > 1 {
      progress[pair.second] = Progress(
        times: pair.profile.secondElapsed.map { clock.time($0, of: pair.second) },
        distances: pair.profile.distances)
      if pair.profile.count > longest?.profile.count ?? 0 { longest = pair }
    }
    if let longest {
      progress[longest.first] = Progress(
        times: longest.profile.firstElapsed.map { clock.time($0, of: longest.first) },
        distances: longest.profile.distances)
    }
  }

  /// The index of the drive that leads; the first drive where nobody shares road with it, and on a tie the
  /// earlier in order.
  func drive(at time: Double) -> Int {
    var leader = 0
    var farthest = -Double.infinity
    for (index, progress) in progress.enumerated() {
      guard let distance = progress.distance(at: time), distance > farthest else { continue }
      leader = index
      farthest = distance
    }
    return leader
  }
}

extension Leader.Progress {
  /// Metres at a time; before the shared road it is less than at its beginning, so that who comes there first
  /// leads, and behind its end more.
  func distance(at time: Double) -> Double? {
    guard let first = times.first, let last = times.last, let start = distances.first,
      let end = distances.last
    else { return nil }
    if time < first { return start - (first - time) }
    if time > last { return end + (time - last) }
    guard times.count > 1 else { return start }
    let next = (1..<times.count - 1).partitionIndex { times[$0] > time }
    let span = times[next] - times[next - 1]
    let share = span > 0 ? (time - times[next - 1]) / span : 1
    return distances[next - 1] + (distances[next] - distances[next - 1]) * share
  }
}
