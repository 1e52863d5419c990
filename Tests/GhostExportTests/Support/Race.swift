import GhostExport
import GhostModel
import TrackModel

@testable import DriveMatching

/// A race with exact numbers. The road leads east along the parallel of 50° from 8° east, in steps of
/// 0.001°.
///
/// - *Tuesday* has 21 positions, takes 10 s per step, and stops for 20 s at step 15.
/// - *Thursday* has 21 positions, takes 9 s per step, and makes a detour to the north between the steps 5
///   and 10 that takes 30 s more. It is idle for 60 s before the start, which is trimmed.
///
/// So Thursday is 5 s ahead at step 5, 20 s behind at step 10, 5 s ahead when Tuesday leaves step 15, and
/// 10 s ahead at the end; see `gap(_:)`.
enum Race {
  static let labels = ["Tuesday <&>\" 🚗", "Thursday"]

  /// Metres per step, used for the numbers of the comparison; not measured.
  static let stepLength = 71.7

  static func coordinate(_ step: Double, latitude: Double = 50) -> Coordinate {
    Coordinate(latitude: latitude, longitude: 8 + step / 1000)
  }

  /// Returns the seconds from the first point at which Tuesday leaves a step.
  static func tuesday(_ step: Int) -> Double { Double(step) * 10 + (step >= 15 ? 20 : 0) }

  /// Returns the seconds from the first point, including 60 s of idle time, at which Thursday reaches a
  /// step.
  static func thursday(_ step: Int) -> Double { 60 + Double(step) * 9 + (step >= 10 ? 30 : 0) }

  /// Returns the seconds that Thursday is behind at a step if both drives start at the same time.
  static func gap(_ step: Int) -> Double { thursday(step) - 60 - tuesday(step) }

  static func traces() throws -> [TimedDrive] {
    // Tuesday's stop has a point for the arrival and one for the departure.
    let first = (0...20).flatMap { $0 == 15 ? [15, 15] : [$0] }
    let firstTimes = first.enumerated().map { index, step in
      step == 15 && index == 15 ? tuesday(15) - 20 : tuesday(step)
    }
    let second = [0] + Array(0...20)
    let secondTimes = [0] + (0...20).map { thursday($0) }
    return [
      try TimedDrive(
        label: labels[0], coordinates: first.map { coordinate(Double($0)) }, elapsed: firstTimes),
      try TimedDrive(
        label: labels[1],
        coordinates: second.map { coordinate(Double($0), latitude: (6...9).contains($0) ? 50.004 : 50) },
        elapsed: secondTimes),
    ]
  }

  static func document(colors: [ExportColor] = []) throws -> ComparisonDocument {
    ComparisonDocument(comparison(), traces: try traces(), colors: colors)
  }

  static func comparison() -> DriveComparison {
    let first = ComparedDrive(
      label: labels[0], source: "/home/me/tue.gpx", points: 22, startIndex: 0, endIndex: 21, timeOffset: 0,
      duration: 220, distance: 20 * stepLength, motionStart: 0, motionEnd: 220, elapsed: 220,
      stops: [Stop(coordinate: coordinate(15), arrival: 150, departure: 170)])
    let second = ComparedDrive(
      label: labels[1], source: "thu.fit", points: 22, startIndex: 1, endIndex: 21, timeOffset: -60,
      duration: 210, distance: 20 * stepLength + 900, motionStart: 60, motionEnd: 270, elapsed: 270, stops: []
    )
    return DriveComparison(
      requestedMode: .startLocation, mode: .startLocation, fallback: nil, engine: .matched,
      timing: .timestamps, drives: [first, second], pairs: [pair()], winner: 1, margin: 10, uncertainty: 1.2)
  }

  static func pair() -> PairComparison {
    var profile = GapProfile()
    func append(_ step: Int, tuesday: Double) {
      profile.latitudes.append(50)
      profile.longitudes.append(coordinate(Double(step)).longitude)
      profile.distances.append(Double(step) * stepLength)
      profile.firstElapsed.append(tuesday)
      profile.secondElapsed.append(thursday(step))
      profile.gaps.append(thursday(step) - 60 - tuesday)
    }
    for step in 0...5 { append(step, tuesday: tuesday(step)) }
    for step in 10...20 {
      if step == 15 { append(step, tuesday: tuesday(step) - 20) }
      append(step, tuesday: tuesday(step))
    }
    profile.stretchStarts = [0, 6]
    func event(_ kind: RouteEvent.Kind, _ step: Int) -> RouteEvent {
      RouteEvent(
        kind: kind, coordinate: coordinate(Double(step)), elapsed: Paired(tuesday(step), thursday(step)),
        position: Paired(Double(step), Double(step + 1)))
    }
    func leg(_ kind: Leg.Kind, _ from: Int, _ to: Int, detour: Double = 0) -> Leg {
      func side(_ time: (Int) -> Double, extra: Double, waiting: Double) -> Leg.Side {
        Leg.Side(
          from: coordinate(Double(from)), to: coordinate(Double(to)), fromDistance: Double(from) * stepLength,
          toDistance: Double(to) * stepLength + extra, fromElapsed: time(from), toElapsed: time(to),
          waiting: waiting)
      }
      return Leg(
        kind: kind,
        sides: Paired(
          side(tuesday, extra: 0, waiting: to == 20 ? 20 : 0), side(thursday, extra: detour, waiting: 0)))
    }
    return PairComparison(
      first: 0, second: 1, relation: .shared, events: [event(.divergence, 5), event(.convergence, 10)],
      profile: profile, legs: [leg(.shared, 0, 5), leg(.detour, 5, 10, detour: 900), leg(.shared, 10, 20)],
      sharedDistance: 15 * stepLength, agreement: 1, finalGap: -10, uncertainty: 1.2)
  }
}
