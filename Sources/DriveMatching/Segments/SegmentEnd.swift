import TrackModel

/// An end of a segment, where passages begin or end.
///
/// Drives cross a gate there. A segment may begin or end at a junction where drives turn: then the gate
/// across the line is parallel to the other road, and a drive on that road crosses it anywhere or nowhere.
/// For such a drive, the gate is across the bisector of its turn.
struct SegmentEnd {
  /// The gate across the line.
  let line: GateLine
  private let isStart: Bool

  /// The length in metres over which the directions of the line and of the road outside it are measured.
  private static let reach = 30.0
  /// The lengths in metres of the road outside, if a stationary receiver jitters on it, and the distance in
  /// metres from the end at which its direction is known.
  private static let outside = (lengths: [reach, 60, 120, 240, 480], least: 20.0)
  /// The cosines of the angles of a turn between which the gate is across its bisector.
  private static let turn = -0.97...0.5

  init(startOf guide: GuideLine) {
    let reach = min(Self.reach, guide.length / 2)
    line = GateLine(at: guide.place(at: 0), across: guide.place(at: reach) - guide.place(at: 0))
    isStart = true
  }

  init(endOf guide: GuideLine) {
    let reach = min(Self.reach, guide.length / 2)
    let end = guide.place(at: guide.length)
    line = GateLine(at: end, across: end - guide.place(at: guide.length - reach))
    isStart = false
  }

  /// A crossing of the gate, which may be across the bisector of a turn.
  struct Crossing {
    fileprivate var crossing: GateCrossing
    fileprivate var line: GateLine

    var time: Double { crossing.time }

    /// Returns the crossing with the uncertainty of stops at the gate.
    func withStops(_ path: SmoothPath) -> GateCrossing { line.withStops(crossing, path) }
  }

  /// Returns the crossings of a drive in order of time.
  func crossings(_ path: SmoothPath) -> [Crossing] {
    var found = line.crossings(path, isChecked: true).map { Crossing(crossing: $0, line: line) }
    for (time, _) in GateDirection.passages(of: line.middle, path) {
      guard let crossing = turn(path, at: time) else { continue }
      let distance = path.distance(at: time)
      found.removeAll { abs(path.distance(at: $0.time) - distance) <= Self.reach }
      found.append(crossing)
    }
    return found.sorted { $0.time < $1.time }
  }

  /// Returns the crossing of a drive that turns at the end of the segment, or nil.
  ///
  /// - Parameter time: when the drive is nearest to the end.
  private func turn(_ path: SmoothPath, at time: Double) -> Crossing? {
    guard let outside = outside(path, at: time), Self.turn.contains(outside.dot(line.forward)) else {
      return nil
    }
    let line = GateLine(at: line.middle, across: outside + line.forward)
    let distance = path.distance(at: time)
    let steps =
      path.step(atDistance: distance - Self.reach)...path.step(atDistance: distance + Self.reach)
    let crossings = line.crossings(path, isChecked: true, steps: steps)
    let nearest = crossings.min { abs($0.time - time) < abs($1.time - time) }
    // In a hairpin, noise may hide the direction at the gate.
    let speed = max(path.velocity(path.step(at: time)).length, 1)
    let passage = GateCrossing(time: time, speed: speed, uncertainty: GateLine.fixError / speed)
    return Crossing(crossing: nearest ?? passage, line: line)
  }

  /// Returns the direction of travel on the road outside the segment, with length 1, or nil if it is unknown.
  private func outside(_ path: SmoothPath, at time: Double) -> SIMD3<Double>? {
    let (here, distance) = (path.place(at: time), path.distance(at: time))
    for length in Self.outside.lengths {
      let fix =
        isStart ? path.step(atDistance: distance - length) : path.step(atDistance: distance + length) + 1
      let way = isStart ? here - path.places[fix] : path.places[fix] - here
      if way.length >= Self.outside.least { return way.normalized }
    }
    return nil
  }
}
