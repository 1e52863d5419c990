/// A usual lap: its line, and the time at which it was at each place.
struct LapProfile {
  let line: GuideLine
  /// Seconds since the beginning of the lap, per place of the line.
  private var times: [Double]

  /// Seconds and metres between two fixes from which the pace of this lap is used between them, and seconds
  /// from which it is used even if the drive was much slower or faster.
  private static let gap = (seconds: 1.5, metres: 25.0, long: 8.0)
  /// The factor by which the pace of a drive may differ from that of this lap.
  private static let pace = 1.35
  /// Metres beside the line within which a fix is on it.
  static let reach = 35.0
  /// Seconds between two crossings that are one.
  private static let repetition = 6.0
  /// Metres along the line within which the next place of a drive is looked for.
  static let window = 60.0
  /// The error of a moment in a gap, as a share of its seconds: one standard deviation.
  private static let share = 0.05

  /// Nil for a lap without a length.
  init?(_ path: SmoothPath, from start: Double, to end: Double) {
    let samples = path.samples(from: start, to: end)
    guard samples.count > 2 else { return nil }
    line = GuideLine(samples.map(\.place))
    times = samples.map { $0.time - start }
  }

  /// Takes the pace at each place from several laps: the median of the shares of their times.
  ///
  /// A single lap through rare fixes is smoother than the drive was; several have fixes at all places.
  ///
  /// - Parameter laps: paths with the moments at which a lap begins and ends.
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

  /// When a lap passes each place of the line, ascending.
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

  /// Crossings of a gate, with those between fixes far apart timed as on this lap, and missed ones added.
  ///
  /// - Parameters:
  ///   - place: of the gate on the line in metres, or nil if it is at the end of the line.
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
      // At a fix beside the gate, noise may place the same crossing into the neighbouring step.
      guard !refined.contains(where: { abs($0.time - moment.time) < Self.repetition }) else { continue }
      refined.append(
        GateCrossing(time: moment.time, speed: moment.speed, uncertainty: Self.share * seconds))
    }
    return refined.sorted { $0.time < $1.time }
  }

  /// When a drive passes a place of the line between two fixes, as this lap did.
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
    // A drive that stops or goes through the pit lane has a pace of its own.
    let isUsual = seconds < Self.pace * total && total < Self.pace * seconds
    guard isUsual || seconds >= Self.gap.long else { return nil }
    return (path.times[step] + seconds * time(from: start, before) / total, way / seconds)
  }

  /// Seconds that this lap took for a way from a place on, past the end of the line from its beginning.
  private func time(from place: Double, _ metres: Double) -> Double {
    let end = place + metres
    let rounds = end > line.length ? duration + time(at: end - line.length) : time(at: end)
    return rounds - time(at: place)
  }

  /// Seconds from the beginning of the lap to a place.
  func time(at place: Double) -> Double {
    let index = line.segment(at: place)
    let length = line.along[index + 1] - line.along[index]
    let fraction = length > 0 ? min(max((place - line.along[index]) / length, 0), 1) : 0
    return times[index] + fraction * (times[index + 1] - times[index])
  }

  /// The place on the line of a fix that moves along it, in metres.
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
