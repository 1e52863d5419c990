import GhostModel

/// Extends drives that begin at speed shortly before a stop, or end shortly after one, to their outer fixes.
///
/// Alone, such a recording looks like that of a parked car whose receiver found its position late or jumped.
/// If the outer fix is on the road of the other drive, where it continues beyond the stop, the car was there.
/// If the fixes look more like those of a parked car, the other drive must also have stopped there. If there
/// are too few of them, the car must not have been much faster than the other one.
enum RollingEnds {
  /// The distance in metres of the stop and of the outer fix from the other drive's line, and the share of
  /// the distance between them that is along it. If both drives stopped there, the fix may be as far as the
  /// stop. The minimum distance in metres that the other drive covers if it does not reach the outer fix.
  static let reach = (stop: 15.0, fix: 8.0, share: 0.75, passed: 10.0)
  /// The distance in metres between the stops of two drives at one light, and the minimum seconds of the
  /// other one's.
  static let light = (metres: 25.0, seconds: 5.0)
  /// The highest speed of a drive between two fixes: a factor of the other one's speed there, and metres per
  /// second. A receiver jumps faster.
  static let pace = (factor: 1.6, least: 3.0)
  /// The cosine of the angle between the directions of two drives on one road.
  static let alignment = 0.5

  /// Returns the lines of drives that are compared with the first one.
  static func lines(_ traces: [TimedDrive]) -> [MatchablePolyline] {
    let lines = traces.map { MatchablePolyline($0) }
    // Two drives may both have rolled to a light.
    let longest = lines.indices.map { index in
      let (line, trace) = (lines[index], traces[index])
      guard line.atStart.rollingFix != nil || line.atEnd.rollingFix != nil else { return line }
      return MatchablePolyline(
        trace, isRollingAtStart: line.atStart.rollingFix != nil, isRollingAtEnd: line.atEnd.rollingFix != nil)
    }
    return lines.indices.map { index in
      let line = lines[index]
      guard line.atStart.rollingFix != nil || line.atEnd.rollingFix != nil else { return line }
      let others = index == 0 ? lines.indices.dropFirst() : lines.indices.prefix(1)
      func isRolling(_ side: StretchEnd.Side) -> Bool {
        others.contains { continues(longest[$0], waiting: lines[$0], beyond: side, of: line) }
      }
      let isRolling = (start: isRolling(.start), end: isRolling(.end))
      guard isRolling.start || isRolling.end else { return line }
      if isRolling == (line.atStart.rollingFix != nil, line.atEnd.rollingFix != nil) { return longest[index] }
      return MatchablePolyline(
        traces[index], isRollingAtStart: isRolling.start, isRollingAtEnd: isRolling.end)
    }
  }

  /// Whether a drive passes the outer fix of another one in the direction of its road, or would if it went
  /// straight on.
  ///
  /// - Parameters:
  ///   - other: the drive from its outer fixes.
  ///   - known: the part of it in which it certainly moves.
  private static func continues(
    _ other: MatchablePolyline, waiting known: MatchablePolyline, beyond side: StretchEnd.Side,
    of line: MatchablePolyline
  ) -> Bool {
    guard let fix = side == .start ? line.atStart.rollingFix : line.atEnd.rollingFix, known.count > 1,
      line.count > 1
    else { return false }
    let end = side == .start ? 0 : line.count - 1
    let stop = known.nearest(to: line.places[end], in: 0...known.length)
    guard stop.offset.length <= reach.stop,
      line.directions[end].dot(known.directions[stop.segment]) > alignment
    else { return false }
    let waits = known.stops.contains {
      $0.departure - $0.arrival >= light.seconds && ($0.place - line.places[end]).length <= light.metres
    }
    guard waits || fix.likelihood != .unlikely else { return false }
    let metres = (fix.place - line.places[end]).length
    // Rounding must not put it beyond the end.
    let place = min(other.nearest(to: line.places[end], in: 0...other.length).distanceAlong, other.length)
    let part =
      side == .start
      ? max(place - 2 * metres, 0)...place : place...min(place + 2 * metres, other.length)
    let nearest = other.nearest(to: fix.place, in: part)
    var (offset, way) = (nearest.offset, abs(nearest.distanceAlong - place))
    if way >= reach.passed, nearest.distanceAlong == (side == .start ? 0 : other.length) {
      let direction = side == .start ? -other.directions[0] : other.directions[other.count - 1]
      let beyond = max(offset.dot(direction), 0)
      offset -= beyond * direction
      way += beyond
    }
    let most = pace.factor * other.speed(about: nearest.distanceAlong) + pace.least
    return offset.length <= (waits ? reach.stop : reach.fix) && way >= reach.share * metres
      && (waits || fix.likelihood == .likely || fix.pace <= most)
  }
}
