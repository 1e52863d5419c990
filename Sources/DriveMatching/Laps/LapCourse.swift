public import GhostModel
public import TrackModel

/// The gates between which laps are timed.
///
/// A circuit has one gate. A hill climb or a rally stage also has a finish: a lap is then a run from the last
/// passage of the gate before the finish, and the way back is ignored.
///
/// ```swift
/// let course = try LapCourse(gate: Gate(line), sectors: [Gate(bridge)], in: [trace])
/// for lap in course.sessions(of: [trace])[0].laps where lap.isComplete { print(lap.duration) }
/// ```
public struct LapCourse: Sendable, Hashable {
  /// The gate, with its bearing.
  public var gate: Gate
  /// The finish with its bearing, or nil for a circuit.
  public var finish: Gate?
  /// The gates between sectors in driving order, with their bearings.
  public var sectors: [Gate]
  /// The confidence in a gate that was found automatically, 0…1, or `nil` for a given gate.
  public var confidence: Double?

  /// Creates a course. Missing bearings are taken from the drives.
  ///
  /// - Parameters:
  ///   - gate: the start of laps, or nil to find the circuit and a gate.
  ///   - finish: the end of a run if it differs from the gate.
  ///   - sectors: the gates between sectors, in any order.
  ///   - traces: the drives to be timed.
  /// - Throws: `noTracks` if no drive passes a gate, or there is no circuit; `invalidValue` for a sector at
  ///   the gate or the finish, and for a finish that is the gate.
  public init(
    gate: Gate?, finish: Gate? = nil, sectors: [Gate] = [], in traces: [TimedDrive]
  ) throws(TrackError) {
    let paths = traces.map { SmoothPath($0) }
    let isSearched = finish == nil && (gate?.bearing == nil || !sectors.isEmpty)
    try self.init(
      gate: gate, finish: finish, sectors: sectors,
      in: isSearched ? SparseCircuit.filled(paths, through: gate) : paths)
  }

  init(gate: Gate?, finish: Gate?, sectors: [Gate], in paths: [SmoothPath]) throws(TrackError) {
    self.sectors = []
    if let gate {
      self.gate = gate
      if let finish {
        guard !gate.isSame(as: finish) else {
          throw TrackError(
            .invalidValue, "the gate and the finish are the same",
            suggestion: .text("omit the finish of a circuit, or set the finish elsewhere"))
        }
        (self.gate, self.finish) = try Self.directed(gate, finish, paths)
      } else if gate.bearing == nil {
        self.gate = try GateDirection(gate, paths).most()
      }
    } else {
      guard let found = CircuitSearch(paths).found else {
        throw TrackError(
          .noTracks, "no circuit found: no road was driven twice in the same direction",
          suggestion: .provideGate)
      }
      self.gate = found.gate
      confidence = found.confidence
    }
    guard !sectors.isEmpty else { return }
    for sector in sectors where [gate, finish].contains(where: { $0?.coordinate == sector.coordinate }) {
      throw TrackError(
        .invalidValue, "a sector ends where laps begin or end",
        suggestion: .text("give only the gates between the sectors of a lap"))
    }
    let spans = spans(paths)
    for sector in sectors {
      do throws(TrackError) {
        self.sectors.append(
          sector.bearing == nil ? try GateDirection(sector, paths, during: spans).most() : sector)
      } catch {
        guard error.code == .noTracks else { throw error }
        let place = sector.coordinate
        throw TrackError(
          .noTracks, "no lap passes the sector at \(place.latitude), \(place.longitude)",
          suggestion: .text("set the sector on the road between the start and the end of a lap"))
      }
    }
    let delays = self.sectors.map { Self.delay(of: $0, paths, spans) }
    self.sectors = self.sectors.indices.sorted { (delays[$0], $0) < (delays[$1], $1) }.map {
      self.sectors[$0]
    }
  }

  /// Returns the median time in seconds after the start of a lap at which a gate is crossed, or infinity if
  /// it is not.
  private static func delay(of sector: Gate, _ paths: [SmoothPath], _ spans: [[Span]]) -> Double {
    guard let line = GateLine(sector) else { return .infinity }
    var delays: [Double] = []
    for (path, spans) in zip(paths, spans) {
      let times = line.crossings(path).map(\.time)
      for span in spans {
        let next = times.partitionIndex { $0 > span.start.time }
        if next < times.count, times[next] < span.end.time { delays.append(times[next] - span.start.time) }
      }
    }
    return delays.upperMedian ?? .infinity
  }

  /// Times the laps of drives. They are checked together, as laps of the same circuit.
  ///
  /// - Returns: a session per drive.
  public func sessions(of traces: [TimedDrive]) -> [LapSession] {
    sessions(of: traces.map { SmoothPath($0) })
  }

  func sessions(of paths: [SmoothPath]) -> [LapSession] {
    sessions(ofFilled: finish == nil ? SparseCircuit.filled(paths, through: gate) : paths)
  }

  /// Times the laps of drives with the points of a circuit between sparse fixes.
  func sessions(ofFilled paths: [SmoothPath]) -> [LapSession] {
    var paths = paths
    var review = LapReview(paths, spans(paths), steps: paths.map(\.usualStep))
    let profile = review.pooledProfile
    // The usual lap if its fixes are too far apart for its line to be the road.
    let sparse = review.isUsualDense ? nil : profile
    if let sparse {
      review = LapReview(paths, spans(paths, sparse), steps: paths.map(\.usualStep))
    } else if let profile {
      // Crossings and lengths between sparse fixes follow the road and the pace of the other laps.
      paths = paths.map { GapFilling($0, with: profile, isCircuit: finish == nil).filled }
      review = LapReview(paths, spans(paths), steps: paths.map(\.usualStep), usual: profile)
    }
    let isThroughPitLane = review.isThroughPitLane
    let fixError = fixError(paths, review)
    return paths.indices.map { index in
      let path = paths[index]
      let crossings = sectors.compactMap { GateLine($0) }.map { line in
        let found = line.crossings(path, isChecked: true)
        return sparse?.refined(
          found, at: sparse?.line.nearest(to: line.middle).distanceAlong, path, isCircuit: finish == nil)
          ?? found
      }
      let laps = review.spans[index].enumerated().map { number, span in
        var lap = lap(
          span, number: number + 1, path, crossings, isComplete: review.isComplete[index][number])
        lap.uncertainty = span.uncertainty(fixError: fixError)
        lap.isThroughPitLane = isThroughPitLane[index][number]
        return lap
      }
      return LapSession(laps: laps, timed: timed(review.spans[index]), duration: path.times.last ?? 0)
    }
  }

  private func timed(_ spans: [Span]) -> ClosedRange<Double>? {
    guard let first = spans.first, let last = spans.last else { return nil }
    return first.start.time...last.end.time
  }

  /// Returns one standard deviation of a fix in metres: that of the lateral positions of laps at the gate.
  /// With few laps, it is closer to the usual one.
  private func fixError(_ paths: [SmoothPath], _ review: LapReview) -> Double {
    guard let line = GateLine(gate) else { return GateLine.fixError }
    var offsets: [Double] = []
    for (path, spans) in paths.indices.map({ (paths[$0], zip(review.spans[$0], review.isComplete[$0])) }) {
      for (span, isComplete) in spans where isComplete {
        offsets.append(line.across(path.place(at: span.start.time)))
      }
    }
    guard let measured = offsets.robustDeviation else { return GateLine.fixError }
    let deviation = min(measured, Gate.halfWidth / 2)
    let (count, usual) = (Double(offsets.count), Self.usualWeight)
    let squares = count * deviation * deviation + usual * GateLine.fixError * GateLine.fixError
    return (squares / (count + usual)).squareRoot()
  }

  /// The number of laps that determine the error of fixes as much as the usual error does.
  private static let usualWeight = 4.0

  /// The part of a drive from one crossing to another.
  struct Span {
    var start: GateCrossing
    var end: GateCrossing

    /// In seconds.
    var duration: Double { end.time - start.time }

    /// Returns one standard deviation of the duration in seconds.
    ///
    /// - Parameter fixError: one standard deviation of a fix, in metres.
    func uncertainty(fixError: Double) -> Double {
      let variances = [start, end].map { crossing in
        let metres = fixError * fixError - GateLine.fixError * GateLine.fixError
        let speed = max(crossing.speed, 1)
        return crossing.uncertainty * crossing.uncertainty + metres / (speed * speed)
      }
      return max(variances[0] + variances[1], 0).squareRoot()
    }
  }

  /// Returns the stretches of each drive that may be laps.
  ///
  /// - Parameter profile: a lap without dense fixes, used for crossings between sparse fixes.
  private func spans(_ paths: [SmoothPath], _ profile: LapProfile? = nil) -> [[Span]] {
    guard let line = GateLine(gate) else { return paths.map { _ in [] } }
    let last = finish.flatMap { GateLine($0) }
    return paths.map { path in
      let found = line.crossings(path)
      if let last { return Self.runs(found, last.crossings(path)) }
      let crossings = profile?.refined(found, path, isCircuit: true) ?? found
      return zip(crossings, crossings.dropFirst()).map { Span(start: $0, end: $1) }
    }
  }

  /// Returns the runs from the last crossing of one gate to the next crossing of another.
  static func runs(_ starts: [GateCrossing], _ ends: [GateCrossing]) -> [Span] {
    var spans: [Span] = []
    var previous = -Double.infinity
    for end in ends {
      let next = starts.partitionIndex { $0.time >= end.time }
      if next > 0, starts[next - 1].time > previous {
        spans.append(Span(start: starts[next - 1], end: end))
      }
      previous = end.time
    }
    return spans
  }

  private func lap(
    _ span: Span, number: Int, _ path: SmoothPath, _ turns: [[GateCrossing]], isComplete: Bool
  ) -> TimedLap {
    var cuts = [span.start.time]
    for crossings in turns {
      let next = crossings.partitionIndex { $0.time > cuts[cuts.count - 1] }
      guard next < crossings.count, crossings[next].time < span.end.time else { break }
      cuts.append(crossings[next].time)
    }
    cuts.append(span.end.time)
    return TimedLap(
      number: number, start: span.start.time, duration: span.duration,
      distance: path.distance(at: span.end.time) - path.distance(at: span.start.time), isComplete: isComplete,
      sectors: turns.isEmpty || cuts.count < turns.count + 2
        ? [] : zip(cuts, cuts.dropFirst()).map { $1 - $0 },
      maximumSpeed: path.maximumSpeed(from: span.start.time, to: span.end.time),
      waiting: path.waiting(from: span.start.time, to: span.end.time),
      uncertainty: span.uncertainty(fixError: GateLine.fixError))
  }

  /// Returns a gate and a finish with the bearings for which the finish follows soonest after the gate.
  private static func directed(
    _ gate: Gate, _ finish: Gate, _ paths: [SmoothPath]
  ) throws(TrackError) -> (gate: Gate, finish: Gate) {
    let starts = gate.bearing == nil ? try GateDirection(gate, paths).both() : [gate]
    let ends = finish.bearing == nil ? try GateDirection(finish, paths).both() : [finish]
    var best: (time: Double, gate: Gate, finish: Gate)?
    for start in starts {
      for end in ends {
        guard let first = GateLine(start), let last = GateLine(end) else { continue }
        let durations = paths.flatMap { path in
          runs(first.crossings(path), last.crossings(path)).map(\.duration)
        }
        guard let median = durations.upperMedian else { continue }
        if median < best?.time ?? .infinity { best = (median, start, end) }
      }
    }
    guard let best else {
      throw TrackError(
        .noTracks, "no run from the gate to the finish",
        suggestion: .text("exchange the gate and the finish if the drives pass them in the other order"))
    }
    return (best.gate, best.finish)
  }
}

extension SmoothPath {
  /// Returns the largest speed over one second between two times, in metres per second.
  func maximumSpeed(from start: Double, to end: Double) -> Double {
    guard count > 1 else { return 0 }
    var fastest = 0.0
    let fixes = step(at: start)...(step(at: end) + 1)
    // The last fix at least a second before the current one. It only advances, because filled gaps can have
    // thousands of points per second.
    var earlier = fixes.lowerBound
    while earlier > 0, times[fixes.lowerBound] - times[earlier] < 1 { earlier -= 1 }
    for fix in fixes {
      while earlier < fix, times[fix] - times[earlier + 1] >= 1 { earlier += 1 }
      let seconds = times[fix] - times[earlier]
      guard times[earlier] >= start - 1, times[fix] <= end + 1, seconds >= 1 else { continue }
      fastest = max(fastest, (distances[fix] - distances[earlier]) / seconds)
    }
    return fastest
  }
}
