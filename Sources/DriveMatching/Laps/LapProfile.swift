/// A usual lap: its line with the time at each position.
struct LapProfile {
  let line: GuideLine
  /// The time since the start of the lap in seconds, per position of the line.
  private var times: [Double]

  /// The interval in seconds and the distance in metres between two fixes above which this lap's pace is
  /// used between them, and the interval above which it is used even if the drive was much slower or
  /// faster.
  private static let gap = (seconds: 1.5, metres: 25.0, long: 8.0)
  /// The largest factor between the pace of a drive and that of this lap.
  private static let pace = 1.35
  /// The lateral distance in metres within which a fix is on the line.
  static let reach = 35.0
  /// The time in seconds within which two crossings are the same.
  private static let repetition = 6.0
  /// The distance along the line in metres within which the next position of a drive is searched.
  static let window = 60.0
  /// One standard deviation of a time in a gap, as a fraction of the gap.
  private static let share = 0.05

  /// Returns nil for a lap without a length.
  init?(_ path: SmoothPath, from start: Double, to end: Double) {
    let samples = path.samples(from: start, to: end)
    guard samples.count > 2 else { return nil }
    line = GuideLine(samples.map(\.place))
    times = samples.map { $0.time - start }
  }

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
    let durations = laps.map { $0.to - $0.from }.sorted()
    let usual = durations[durations.count / 2]
    for index in times.indices.dropFirst() {
      shares[index].sort()
      times[index] = times[index - 1] + usual * shares[index][shares[index].count / 2]
    }
  }

  /// Returns the ascending times at which a lap passes the positions of the line.
  private func moments(_ path: SmoothPath, _ from: Double, _ to: Double) -> [Double] {
    var moments: [Double] = []
    var supposed = 0.0
    var last = (time: from, along: 0.0)
    for sample in path.samples(from: from, to: to).dropFirst() {
      let found = line.nearest(to: sample.place, from: supposed, to: supposed + Self.window).along
      supposed = max(supposed, found)
      while moments.count < line.along.count, line.along[moments.count] <= supposed {
        let way = supposed - last.along
        let fraction = way > 0 ? (line.along[moments.count] - last.along) / way : 1
        moments.append(last.time + fraction * (sample.time - last.time))
      }
      last = (sample.time, supposed)
    }
    while moments.count < line.along.count { moments.append(to) }
    return moments
  }

  private var duration: Double { times.last ?? 0 }

  /// Returns the crossings of a gate. Those between fixes far apart are timed with this lap's pace, and
  /// missed ones are added.
  ///
  /// - Parameters:
  ///   - place: the distance of the gate along the line in metres, or nil if it is at the end of the line.
  ///   - isCircuit: whether the line ends where it begins.
  func refined(
    _ crossings: [GateCrossing], at place: Double? = nil, _ path: SmoothPath, isCircuit: Bool
  ) -> [GateCrossing] {
    var refined = crossings
    for step in 0..<max(path.count - 1, 0) {
      let seconds = path.times[step + 1] - path.times[step]
      guard seconds >= Self.gap.seconds, let moment = crossing(place ?? line.length, path, step, isCircuit)
      else { continue }
      let (from, to) = (path.times[step], path.times[step + 1])
      refined.removeAll { $0.time >= from && $0.time <= to }
      // If a fix is close to the gate, noise may move the same crossing to the neighbouring step.
      guard !refined.contains(where: { abs($0.time - moment.time) < Self.repetition }) else { continue }
      refined.append(
        GateCrossing(time: moment.time, speed: moment.speed, uncertainty: Self.share * seconds))
    }
    return refined.sorted { $0.time < $1.time }
  }

  /// Returns the time at which a drive passes a position of the line between two fixes, with this lap's
  /// pace.
  private func crossing(
    _ place: Double, _ path: SmoothPath, _ step: Int, _ isCircuit: Bool
  ) -> (time: Double, speed: Double)? {
    let chord = (path.places[step + 1] - path.places[step]).length
    guard chord >= Self.gap.metres, step > 0, step + 2 < path.count,
      let start = locate(path.places[step], path.places[step] - path.places[step - 1]),
      let end = locate(path.places[step + 1], path.places[step + 2] - path.places[step + 1])
    else { return nil }
    let around = { (metres: Double) in metres < 0 && isCircuit ? metres + line.length : metres }
    let way = around(end - start)
    let before = around(place - start)
    guard before > 0, before <= way, way >= 0.8 * chord - Self.reach else { return nil }
    let total = time(from: start, way)
    guard total > 0 else { return nil }
    let seconds = path.times[step + 1] - path.times[step]
    // The pace differs if the drive stops or uses the pit lane.
    let isUsual = seconds < Self.pace * total && total < Self.pace * seconds
    guard isUsual || seconds >= Self.gap.long else { return nil }
    return (path.times[step] + seconds * time(from: start, before) / total, way / seconds)
  }

  /// Returns the time in seconds that this lap took for a distance from a position, continuing at the start
  /// of the line after its end.
  private func time(from place: Double, _ metres: Double) -> Double {
    let end = place + metres
    let rounds = end > line.length ? duration + time(at: end - line.length) : time(at: end)
    return rounds - time(at: place)
  }

  /// Returns the time from the start of the lap to a position, in seconds.
  func time(at place: Double) -> Double {
    let index = line.segment(at: place)
    let length = line.along[index + 1] - line.along[index]
    let fraction = length > 0 ? min(max((place - line.along[index]) / length, 0), 1) : 0
    return times[index] + fraction * (times[index + 1] - times[index])
  }

  /// Returns the distance along the line, in metres, of a fix that moves along it.
  private func locate(_ place: SIMD3<Double>, _ move: SIMD3<Double>) -> Double? {
    var best: (along: Double, distance: Double)?
    for index in 0..<(line.places.count - 1) {
      let step = line.places[index + 1] - line.places[index]
      guard step.dot(move) > 0.5 * step.length * move.length else { continue }
      let offset = place - line.places[index]
      let fraction = min(max(offset.dot(step) / max(step.lengthSquared, 1e-9), 0), 1)
      let distance = (offset - fraction * step).length
      if distance <= Self.reach, distance < best?.distance ?? .infinity {
        best = (line.along[index] + fraction * step.length, distance)
      }
    }
    return best?.along
  }
}
