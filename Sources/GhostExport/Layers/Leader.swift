import GhostModel
import TrackModel

/// Finds the leading drive at a given time: the drive with the largest distance along the first drive.
struct Leader {
  /// A drive's progress along the first drive: seconds on the shared clock and metres, both non-descending.
  fileprivate struct Progress {
    var times: [Double]
    var distances: [Double]
  }

  /// One element per drive. Empty for drives that share no road with the first.
  private var progress: [Progress]

  init(_ document: ComparisonDocument, _ clock: ExportClock) {
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

  /// Returns the index of the leading drive. Ties go to the first of the drives. If no drive shares road with
  /// the first drive, the first drive leads.
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
  /// Returns the progress in metres at a time. It is extrapolated before the start and after the end of the
  /// shared road, so that the drive that arrives there first leads.
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
