import CMath
import GhostExport
import GhostModel
import TrackModel

@testable import DriveMatching

/// Drives with any number of points on the same winding road. The first has one point per second, each
/// further drive is 2 % slower; the gap profile has a row per point.
enum LongDrive {
  static func document(points: Int, drives count: Int = 2) throws -> ComparisonDocument {
    var traces: [TimedDrive] = []
    for drive in 0..<count {
      let coordinates = (0..<points).map { index in
        let way = Double(index) * 0.0002
        return Coordinate(
          latitude: 47 + 0.02 * sin(way * 9) + Double(drive) * 1e-5, longitude: -120 + way)
      }
      let step = 1 + Double(drive) * 0.02
      traces.append(
        try TimedDrive(
          label: "Drive \(drive + 1) <&>\"' 🏁", coordinates: coordinates,
          elapsed: (0..<points).map { Double($0) * step }))
    }
    let drives = traces.map { trace in
      ComparedDrive(
        label: trace.label, source: nil, points: points, startIndex: 0, endIndex: points - 1, timeOffset: 0,
        duration: trace.duration, distance: Double(points) * 15, motionStart: 0, motionEnd: trace.duration,
        elapsed: trace.duration, stops: [])
    }
    let pairs = traces.indices.dropFirst().map { second in
      var profile = GapProfile()
      profile.latitudes = traces[0].latitudes
      profile.longitudes = traces[0].longitudes
      profile.distances = (0..<points).map { Double($0) * 15 }
      profile.firstElapsed = traces[0].elapsed
      profile.secondElapsed = traces[second].elapsed
      profile.gaps = zip(traces[second].elapsed, traces[0].elapsed).map { $0 - $1 }
      profile.stretchStarts = [0]
      return PairComparison(
        first: 0, second: second, relation: .shared, profile: profile, sharedDistance: Double(points) * 15,
        agreement: 1, finalGap: profile.gaps.last, uncertainty: 1)
    }
    return ComparisonDocument(
      DriveComparison(
        requestedMode: .startLocation, mode: .startLocation, fallback: nil, engine: .matched,
        timing: .timestamps, drives: drives, pairs: Array(pairs), winner: 0, margin: pairs.first?.finalGap,
        uncertainty: 1), traces: traces)
  }
}
