import TrackModel

/// A usual lap: its line with the time at each position.
struct LapProfile {
  let line: GuideLine
  /// The time since the start of the lap in seconds, per position of the line.
  private var times: [Double]

  /// The lateral distance in metres within which a fix is on the line.
  static let reach = 35.0
  /// The distance along the line in metres within which the next position of a drive is searched.
  static let window = 60.0
  /// The interval in seconds and the distance in metres between two fixes above which there is a gap.
  private static let gap = (seconds: 1.5, metres: 25.0)
  /// The largest factor between the pace of a drive and that of the lap in a gap, unless fixes are sparse.
  static let pace = 1.35

  /// Returns nil for a lap without a length.
  init?(_ path: SmoothPath, from start: Double, to end: Double) {
    let samples = path.samples(from: start, to: end)
    guard samples.count > 2 else { return nil }
    line = GuideLine(samples.map(\.place))
    times = samples.map { $0.time - start }
  }

  /// Whether the drive has a gap between a fix and the next one.
  static func isGap(_ path: SmoothPath, _ step: Int) -> Bool {
    path.times[step + 1] - path.times[step] >= gap.seconds
      && (path.places[step + 1] - path.places[step]).length >= gap.metres
  }

  /// Whether a way along the line is long enough for the distance between its ends, in metres.
  static func isPossible(_ way: Double, chord: Double) -> Bool { way >= 0.8 * chord - reach }

  /// Sets the pace at each position to the median of several laps, as fractions of their durations.
  ///
  /// A single lap with sparse fixes is smoother than the drive; several laps have fixes at all positions.
  ///
  /// - Parameter laps: paths with the times at which a lap begins and ends.
  mutating func pool(_ laps: [(path: SmoothPath, from: Double, to: Double)]) {
    guard laps.count > 2 else { return }
    var shares = line.places.map { _ in [Double]() }
    for (path, from, to) in laps {
      let moments = moments(path, from, to)
      for index in moments.indices.dropFirst() {
        shares[index].append((moments[index] - moments[index - 1]) / (to - from))
      }
    }
    let usual = laps.map { $0.to - $0.from }.upperMedian ?? 0
    for index in times.indices.dropFirst() {
      times[index] = times[index - 1] + usual * (shares[index].upperMedian ?? 0)
    }
  }

  /// Returns the ascending times at which a lap passes the positions of the line.
  private func moments(_ path: SmoothPath, _ from: Double, _ to: Double) -> [Double] {
    var moments: [Double] = []
    var supposed = 0.0
    var last = (time: from, distanceAlong: 0.0)
    for sample in path.samples(from: from, to: to).dropFirst() {
      let found = line.nearest(to: sample.place, from: supposed, to: supposed + Self.window).distanceAlong
      supposed = max(supposed, found)
      while moments.count < line.distanceAlong.count, line.distanceAlong[moments.count] <= supposed {
        let way = supposed - last.distanceAlong
        let fraction = way > 0 ? (line.distanceAlong[moments.count] - last.distanceAlong) / way : 1
        moments.append(last.time + fraction * (sample.time - last.time))
      }
      last = (sample.time, supposed)
    }
    while moments.count < line.distanceAlong.count { moments.append(to) }
    return moments
  }

  private var duration: Double { times.last ?? 0 }

  /// Returns the time in seconds that this lap took for a distance from a position, continuing at the start
  /// of the line after its end as often as needed.
  func time(from place: Double, _ metres: Double) -> Double {
    let end = place + metres
    let laps = line.length > 0 ? (end / line.length).rounded(.down) : 0
    return laps * duration + time(at: end - laps * line.length) - time(at: place)
  }

  /// Returns the time from the start of the lap to a position, in seconds.
  func time(at place: Double) -> Double {
    let index = line.segment(at: place)
    let length = line.distanceAlong[index + 1] - line.distanceAlong[index]
    let fraction = length > 0 ? min(max((place - line.distanceAlong[index]) / length, 0), 1) : 0
    return times[index] + fraction * (times[index + 1] - times[index])
  }
}
