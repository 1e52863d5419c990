/// Crossings of a gate between the sparse fixes of a recording in which no lap has fixes everywhere.
///
/// The line of such a lap cuts corners, so that only the time of a crossing is taken from it, but no
/// position.
extension LapProfile {
  /// The time in seconds within which two crossings are the same.
  private static let repetition = 6.0
  /// One standard deviation of a time in a gap, as a fraction of the gap.
  private static let share = 0.1

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
      guard Self.isGap(path, step), let moment = crossing(place ?? line.length, path, step, isCircuit)
      else { continue }
      let (from, to) = (path.times[step], path.times[step + 1])
      refined.removeAll { $0.time >= from && $0.time <= to }
      // If a fix is close to the gate, noise may move the same crossing to the neighbouring step.
      guard !refined.contains(where: { abs($0.time - moment.time) < Self.repetition }) else { continue }
      refined.append(
        GateCrossing(time: moment.time, speed: moment.speed, uncertainty: Self.share * (to - from)))
    }
    return refined.sorted { $0.time < $1.time }
  }

  /// Returns the time at which a drive passes a position of the line between two fixes, with this lap's
  /// pace.
  private func crossing(
    _ place: Double, _ path: SmoothPath, _ step: Int, _ isCircuit: Bool
  ) -> (time: Double, speed: Double)? {
    guard step > 0, step + 2 < path.count,
      let start = locate(path.places[step], path.places[step] - path.places[step - 1]),
      let end = locate(path.places[step + 1], path.places[step + 2] - path.places[step + 1])
    else { return nil }
    let around = { (metres: Double) in metres < 0 && isCircuit ? metres + line.length : metres }
    let way = around(end - start)
    let before = around(place - start)
    let chord = (path.places[step + 1] - path.places[step]).length
    guard before > 0, before <= way, Self.isPossible(way, chord: chord) else { return nil }
    let total = time(from: start, way)
    guard total > 0 else { return nil }
    let seconds = path.times[step + 1] - path.times[step]
    // The pace differs if the drive stops or uses the pit lane.
    let isUsual = seconds < Self.pace * total && total < Self.pace * seconds
    guard isUsual || seconds >= TimedPlaces.sparseInterval else { return nil }
    return (path.times[step] + seconds * time(from: start, before) / total, way / seconds)
  }

  /// Returns the distance along the line, in metres, of a fix that moves along it.
  private func locate(_ place: SIMD3<Double>, _ move: SIMD3<Double>) -> Double? {
    var best: (distanceAlong: Double, distance: Double)?
    for index in 0..<(line.places.count - 1) {
      let step = line.places[index + 1] - line.places[index]
      guard step.dot(move) > 0.5 * step.length * move.length else { continue }
      let (fraction, rest) = (place - line.places[index]).projected(onto: step)
      let distance = rest.length
      if distance <= Self.reach, distance < best?.distance ?? .infinity {
        best = (line.distanceAlong[index] + fraction * step.length, distance)
      }
    }
    return best?.distanceAlong
  }
}
