import TrackModel

/// The directions in which drives pass a gate's position.
struct GateDirection {
  private let gate: Gate
  /// The direction of each passage, with length 1.
  private var passages: [SIMD3<Double>] = []

  /// The distance in metres before and after a position over which its direction is measured.
  private static let reach = 15.0
  /// The cosine of the angle within which two passages have the same direction.
  private static let same = 0.5

  /// The maximum number of passages that are compared with all others.
  private static let mostCompared = 1000

  /// The shares of the distance between sparse fixes by which a drive may miss a position.
  ///
  /// The line between two fixes cuts corners. The second share is for positions that no drive passes within
  /// the first one.
  private static let slacks = [0.125, 0.5]
  /// The distance in metres by which a filled gap may miss a position, with the second share.
  private static let gapSlack = 75.0

  /// Creates the directions of passages.
  ///
  /// - Parameter spans: the stretches per drive whose passages are included, or nil for whole drives.
  init(_ gate: Gate, _ paths: [SmoothPath], during spans: [[LapCourse.Span]]? = nil) {
    self.gate = gate
    let place = EarthFixed.vector(
      latitude: gate.coordinate.latitude, longitude: gate.coordinate.longitude)
    for slack in Self.slacks where passages.isEmpty {
      for (index, path) in paths.enumerated() {
        for (time, direction) in Self.passages(of: place, path, slack: slack) {
          let isCounted =
            spans.map { $0[index].contains { $0.start.time < time && time < $0.end.time } } ?? true
          if isCounted { passages.append(direction) }
        }
      }
    }
  }

  /// Returns the gate with the direction of most passages.
  func most() throws(TrackError) -> Gate {
    guard let first = try all().first else { throw missed }
    return first
  }

  /// Returns the gate with each direction of passages, the most frequent first.
  func all() throws(TrackError) -> [Gate] {
    var rest = passages
    var gates: [(count: Int, gate: Gate)] = []
    let place = EarthFixed.vector(
      latitude: gate.coordinate.latitude, longitude: gate.coordinate.longitude)
    while !rest.isEmpty {
      // Of many passages, the directions of some are sufficient.
      let compared = stride(from: 0, to: rest.count, by: rest.count / Self.mostCompared + 1).map { rest[$0] }
      let counts = compared.map { one in rest.count { $0.dot(one) > Self.same } }
      guard let largest = counts.max(), let index = counts.firstIndex(of: largest) else { break }
      let one = compared[index]
      let sum = rest.filter { $0.dot(one) > Self.same }.reduce(SIMD3<Double>.zero, +)
      gates.append((largest, GateLine(at: place, across: sum).gate))
      rest.removeAll { $0.dot(one) > Self.same }
    }
    guard !gates.isEmpty else { throw missed }
    return gates.sorted { $0.count > $1.count }.map { Gate(gate.coordinate, bearing: $0.gate.bearing) }
  }

  /// Returns the gate with each direction of passages, and with the opposite ones: a drive that turns after
  /// the gate passes it twice, but counts once.
  func both() throws(TrackError) -> [Gate] {
    let found = try all()
    return found
      + found.compactMap { gate in
        gate.bearing.map { Gate(gate.coordinate, bearing: $0 < 180 ? $0 + 180 : $0 - 180) }
      }
  }

  private var missed: TrackError {
    let (latitude, longitude) = (gate.coordinate.latitude, gate.coordinate.longitude)
    return TrackError(
      .noTracks, "nothing passes the gate at \(latitude), \(longitude)", suggestion: .provideGate)
  }

  /// Returns the times at which a drive is nearest to a position that it passes within a gate's width, with
  /// its directions.
  ///
  /// - Parameter slack: the share of the distance between sparse fixes that is added to the width.
  static func passages(
    of place: SIMD3<Double>, _ path: SmoothPath, within radius: Double = Gate.halfWidth,
    slack share: Double = slacks[0]
  ) -> [(time: Double, direction: SIMD3<Double>)] {
    guard path.count > 1 else { return [] }
    var found: [(time: Double, direction: SIMD3<Double>)] = []
    var nearest: (distance: Double, time: Double)?
    // A step farther away than the radius, the slack and its own length does not pass the position. The sum
    // of two lengths is at most twice the greater one.
    let near = radius + (share > slacks[0] ? gapSlack : 0)
    let long = 1 + share
    func close() {
      guard let nearest else { return }
      let direction = path.direction(at: nearest.time, reach: reach)
      if direction != .zero { found.append((nearest.time, direction)) }
    }
    for step in 0..<(path.count - 1) {
      let move = path.places[step + 1] - path.places[step]
      let offset = place - path.places[step]
      let squared = move.lengthSquared
      if offset.lengthSquared > 4 * max(near * near, long * long * squared) {
        close()
        nearest = nil
        continue
      }
      let (fraction, rest) = offset.projected(onto: move)
      let distance = rest.length
      var slack = squared > 3600 ? share * squared.squareRoot() : 0
      if share > slacks[0], path.gap(at: (path.times[step] + path.times[step + 1]) / 2) != nil {
        slack = max(slack, gapSlack)
      }
      if distance <= radius + slack {
        let time = path.times[step] + fraction * (path.times[step + 1] - path.times[step])
        if distance < nearest?.distance ?? .infinity { nearest = (distance, time) }
      } else {
        close()
        nearest = nil
      }
    }
    close()
    return found
  }
}

extension SmoothPath {
  /// The distance in metres before and after a position over which noise hides the direction.
  private static let leastReach = 4.0

  /// Returns the direction of the drive at a time, with length 1, or 0 if it does not move.
  ///
  /// - Parameter reach: the distance in metres before and after the position over which it is measured.
  func direction(at time: Double, reach: Double) -> SIMD3<Double> {
    guard count > 1 else { return .zero }
    let here = place(at: time)
    var first = step(at: time)
    var last = first + 1
    if (places[last] - places[first]).length > 4 * reach {
      let span = times[last] - times[first]
      let fraction = span > 0 ? (time - times[first]) / span : 0
      return (place(first, min(fraction + 0.05, 1)) - place(first, max(fraction - 0.05, 0))).normalized
    }
    let middle = (first, last)
    var reach = reach
    while true {
      while first > 0, (places[first] - here).length < reach { first -= 1 }
      while last + 1 < count, (places[last] - here).length < reach { last += 1 }
      let way = places[last] - places[first]
      // Where a drive turns, both ends are on the same side.
      guard way.length < reach, reach > Self.leastReach else { return way.normalized }
      reach /= 2
      (first, last) = middle
    }
  }
}
