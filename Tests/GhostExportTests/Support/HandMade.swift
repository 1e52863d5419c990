import GhostExport
import GhostModel
import TrackModel

@testable import DriveMatching

/// Comparisons with explicit numbers, for which the results can be computed by hand.
enum HandMade {
  static func drive(
    _ label: String, motion: ClosedRange<Double> = 0...600, elapsed: Double = 600, startIndex: Int = 0,
    stops: [Double] = []
  ) -> ComparedDrive {
    var arrival = 100.0
    let stops = stops.map { duration in
      defer { arrival += duration + 50 }
      return Stop(
        coordinate: Coordinate(latitude: 0, longitude: 0.01), arrival: arrival, departure: arrival + duration)
    }
    return ComparedDrive(
      label: label, source: nil, points: 601, startIndex: startIndex, endIndex: 600, timeOffset: 0,
      duration: elapsed, distance: 6000, motionStart: motion.lowerBound, motionEnd: motion.upperBound,
      elapsed: elapsed, stops: stops)
  }

  /// Returns a profile to the east along the equator, from positions (metres) and gaps (seconds) of each
  /// stretch.
  static func profile(_ stretches: [[(place: Double, gap: Double)]]) -> GapProfile {
    var profile = GapProfile()
    for stretch in stretches {
      profile.stretchStarts.append(profile.count)
      for (place, gap) in stretch {
        profile.latitudes.append(0)
        profile.longitudes.append(place / 111_319.49)
        profile.distances.append(place)
        profile.firstElapsed.append(place / 10)
        profile.secondElapsed.append(place / 10 + gap)
        profile.gaps.append(gap)
      }
    }
    return profile
  }

  static func side(_ from: Double, _ to: Double, times: ClosedRange<Double>, waiting: Double = 0) -> Leg.Side
  {
    Leg.Side(
      from: Coordinate(latitude: 0, longitude: from / 111_319.49),
      to: Coordinate(latitude: 0, longitude: to / 111_319.49), fromDistance: from, toDistance: to,
      fromElapsed: times.lowerBound, toElapsed: times.upperBound, waiting: waiting)
  }

  static func comparison(
    margin: Double? = 42, uncertainty: Double = 2, winner: Int? = 1, drives: [ComparedDrive]? = nil,
    pairs: [PairComparison]? = nil, mode: ComparisonMode = .startLocation,
    fallback: DriveComparison.Fallback? = nil, timing: DriveComparison.Timing = .timestamps
  ) -> DriveComparison {
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared,
      profile: profile([[(0, 0), (6000, winner == 0 ? margin ?? 0 : -(margin ?? 0))]]),
      sharedDistance: 6000, agreement: 1, finalGap: winner == 0 ? margin ?? 0 : -(margin ?? 0),
      uncertainty: uncertainty)
    return DriveComparison(
      requestedMode: mode, mode: fallback == nil ? mode : .startLocation, fallback: fallback,
      engine: .matched, timing: timing, drives: drives ?? [drive("Tuesday"), drive("Thursday")],
      pairs: pairs ?? [pair], winner: winner, margin: margin, uncertainty: uncertainty)
  }

  /// Returns a document with the comparison and drives to the east along the equator at 10 m/s.
  static func document(_ comparison: DriveComparison, hasTimestamps: Bool = true) throws -> ComparisonDocument
  {
    let traces = try comparison.drives.map { drive in
      try TimedDrive(
        label: drive.label,
        coordinates: (0...600).map { Coordinate(latitude: 0, longitude: Double($0) * 10 / 111_319.49) },
        elapsed: (0...600).map(Double.init), hasTimestamps: hasTimestamps)
    }
    return ComparisonDocument(comparison, traces: traces)
  }
}
