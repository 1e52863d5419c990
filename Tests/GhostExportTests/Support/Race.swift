import GhostExport
import GhostModel
import TrackModel

@testable import DriveMatching

/// A race on paper. The road runs east along the 50th parallel from 8° east, in steps of 0.001°.
///
/// - *Tuesday* has 21 points, 10 s a step, and stands for 20 s at step 15.
/// - *Thursday* has 21 points, 9 s a step, and goes round by the north between steps 5 and 10, which takes it
///   30 s more than the road; it stood for 60 s before it left, which is trimmed.
///
/// So Thursday gains a second a step: 5 s by step 5; it is 25 − 20 = … see `gap(atStep:)`.
enum Race {
  static let labels = ["Tuesday <&>\" 🚗", "Thursday"]

  /// Metres a step; what the figures of the comparison are made with, not a measurement.
  static let stepLength = 71.7

  static func coordinate(_ step: Double, latitude: Double = 50) -> Coordinate {
    Coordinate(latitude: latitude, longitude: 8 + step / 1000)
  }

  /// Seconds since the first point at which Tuesday leaves a step.
  static func tuesday(_ step: Int) -> Double { Double(step) * 10 + (step >= 15 ? 20 : 0) }

  /// Seconds since the first point, 60 of them idle, at which Thursday is at a step.
  static func thursday(_ step: Int) -> Double { 60 + Double(step) * 9 + (step >= 10 ? 30 : 0) }

  /// Seconds that Thursday is behind at a step, when both leave the first at once.
  static func gap(_ step: Int) -> Double { thursday(step) - 60 - tuesday(step) }

  static func traces() throws -> [TimedDrive] {
    // Tuesday's stop has a point for its arrival and one for its departure.
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
