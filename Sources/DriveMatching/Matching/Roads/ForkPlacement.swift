import GhostModel
import TrackModel

/// Finds the exact position at which two routes diverge or converge.
///
/// A distance threshold is reached late: for an exit ramp at 10°, 20 m are reached 115 m after the fork.
/// Therefore the distance between the routes is fitted by a constant followed by a slope (least squares), and
/// the fork is where the slope starts. The fit interpolates between samples and uses both drives.
struct ForkPlacement {
  let lines: Paired<MatchablePolyline>

  /// The length of shared road to which the constant is fitted, in metres.
  static let levelReach = 250.0
  /// The length after the last shared position to which the slope is fitted, in metres.
  static let slopeReach = 400.0
  /// The distance in metres from which the routes have diverged.
  static let parted = 20.0
  /// The lateral distance in metres up to which ramps are treated as straight.
  static let straight = 60.0

  /// Finds the fork near the end of a shared stretch.
  ///
  /// - Parameters:
  ///   - edge: the last shared place for a divergence, or the first for a convergence.
  ///   - forwards: true for a divergence in driving order, false for a convergence.
  ///   - limit: the places where the next shared road begins, or the lines end.
  /// - Returns: the fork on both lines; nil if the routes do not diverge like a fork.
  func place(
    edge: SharedRoad.Place, forwards: Bool, limit: SharedRoad.Place, shared: SharedRoad.Place
  ) -> SharedRoad.Place? {
    let first = Side(
      lines.first, lines.second, edge.first, edge.second, forwards, limit, shared)
    let second = Side(
      lines.second, lines.first, edge.second, edge.first, forwards, limit.swapped, shared.swapped)
    var (pastFirst, pastSecond) = (first.fork(), second.fork())
    // If one drive has far fewer points, the distances of its points from the other line are used.
    if pastFirst != nil, pastSecond != nil {
      if first.spacing > 2 * second.spacing { pastSecond = nil }
      if second.spacing > 2 * first.spacing { pastFirst = nil }
    }
    let places = [
      pastFirst.map { facingPlace(past: $0, edge, forwards, limit, shared) },
      pastSecond.map {
        ForkPlacement(lines: lines.swapped)
          .facingPlace(past: $0, edge.swapped, forwards, limit.swapped, shared.swapped).swapped
      },
    ].compactMap { $0 }
    guard let one = places.first, let other = places.last else { return nil }
    return SharedRoad.Place((one.first + other.first) / 2, (one.second + other.second) / 2)
  }

  /// Returns the position on the first line at a distance past the edge, and the nearest one on the second
  /// line. Near a corner, the shared places are not opposite each other.
  private func facingPlace(
    past: Double, _ edge: SharedRoad.Place, _ forwards: Bool, _ limit: SharedRoad.Place,
    _ shared: SharedRoad.Place
  ) -> SharedRoad.Place {
    func bounded(_ value: Double, _ side: (SharedRoad.Place) -> Double) -> Double {
      min(max(value, min(side(limit), side(shared))), max(side(limit), side(shared)))
    }
    let way = forwards ? past : -past
    let distance = bounded(edge.first + way) { $0.first }
    let lowest = bounded(edge.second + way - Self.straight) { $0.second }
    let highest = bounded(edge.second + way + Self.straight) { $0.second }
    let nearest = lines.second.nearest(to: lines.first.place(at: distance), in: lowest...highest)
    return SharedRoad.Place(distance, nearest.distanceAlong)
  }

  /// The distances of one drive's points from the other's line.
  private struct Side {
    /// The distance past the edge and the signed lateral distance from the other line, in metres.
    private var samples: [(past: Double, left: Double)] = []
    /// The mean distance between samples past the edge, in metres.
    private(set) var spacing = Double.infinity

    init(
      _ drive: MatchablePolyline, _ line: MatchablePolyline, _ edge: Double, _ lineEdge: Double,
      _ forwards: Bool,
      _ limit: SharedRoad.Place, _ shared: SharedRoad.Place
    ) {
      guard drive.count > 1, line.count > 1 else { return }
      let sign = forwards ? 1.0 : -1.0
      let near = max(-ForkPlacement.levelReach, sign * (shared.first - edge))
      let far = min(ForkPlacement.slopeReach, sign * (limit.first - edge))
      let lineNear = lineEdge + sign * max(near - 50, sign * (shared.second - lineEdge))
      let lineFar = lineEdge + sign * min(far + 50, sign * (limit.second - lineEdge))
      guard far > near else { return }
      let part = min(lineNear, lineFar)...max(lineNear, lineFar)
      var vertex = drive.segment(at: edge + sign * near) + (forwards ? 0 : 1)
      let step = forwards ? 1 : -1
      var beyond = 0
      var last = 0.0
      var begin = 0.0
      while vertex >= 0, vertex < drive.count {
        let past = sign * (drive.distanceAlong[vertex] - edge)
        defer { vertex += step }
        if past > far { break }
        if past < near { continue }
        let place = drive.places[vertex]
        let nearest = line.nearest(to: place, in: part)
        let way = line.places[nearest.segment + 1] - line.places[nearest.segment]
        let distance = nearest.offset.length
        let left = way.cross(nearest.offset).dot(place) < 0 ? -distance : distance
        samples.append((past, left))
        if distance > ForkPlacement.parted {
          if beyond == 0 { begin = past }
          beyond += 1
          last = past
          if distance > ForkPlacement.straight, beyond >= 2 { break }
        }
      }
      if beyond >= 2 { spacing = (last - begin) / Double(beyond - 1) }
    }

    /// The distance past the edge at which the lateral distance starts to grow, in metres.
    func fork() -> Double? {
      guard let end = samples.last, abs(end.left) > ForkPlacement.parted else { return nil }
      guard let crossing = samples.lastIndex(where: { abs($0.left) <= ForkPlacement.parted }) else {
        return nil
      }
      let latest = samples[crossing].past
      let limit = crossing + 1 < samples.count ? samples[crossing + 1].past : latest
      var best: (error: Double, past: Double)?
      var candidate = samples[0].past + 1
      while candidate <= limit {
        if let error = error(breakingAt: candidate, towards: end.left), error < best?.error ?? .infinity {
          best = (error, candidate)
        }
        candidate += 1
      }
      return best?.past ?? latest
    }

    /// The residual sum of squares of a constant followed by a slope, or `nil` if the slope has the wrong
    /// sign.
    private func error(breakingAt place: Double, towards side: Double) -> Double? {
      var count = 0.0, sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0, sumYY = 0.0
      for sample in samples {
        let x = max(0, sample.past - place)
        let y = sample.left
        count += 1
        sumX += x
        sumY += y
        sumXX += x * x
        sumXY += x * y
        sumYY += y * y
      }
      let spread = count * sumXX - sumX * sumX
      guard spread > 0 else { return nil }
      let slope = (count * sumXY - sumX * sumY) / spread
      guard slope * side > 0 else { return nil }
      let level = (sumY - slope * sumX) / count
      return sumYY - level * sumY - slope * sumXY
    }
  }
}
