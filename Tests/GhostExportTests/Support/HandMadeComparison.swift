import GhostModel
import TrackModel

/// A comparison with exact numbers, for tests of the output.
enum HandMadeComparison {
  static let corner = Coordinate(latitude: 46.5, longitude: 7.25)

  /// Tuesday waits 20 s, drives 4 km in 400 s, 2 km in 260 s including a stop of 60 s, and 5 km in 500 s,
  /// and waits 15 s. Thursday drives the first part in 380 s, a detour of 2.8 km in 224 s, and the last
  /// part in 514 s. So Thursday gains 20 s and 36 s and loses 14 s, in total 42 s, with 9 km of shared
  /// road.
  static var commute: DriveComparison {
    let tuesday = ComparedDrive(
      label: "tuesday", source: "tuesday.gpx", points: 1196, startIndex: 20, endIndex: 1195, timeOffset: -20,
      duration: 1175, distance: 11_000, motionStart: 20, motionEnd: 1180, elapsed: 1195,
      stops: [Stop(coordinate: corner, arrival: 520, departure: 580)])
    let thursday = ComparedDrive(
      label: "thursday", source: "thursday.fit", points: 1119, startIndex: 0, endIndex: 1118, timeOffset: 0,
      duration: 1118, distance: 11_800, motionStart: 0, motionEnd: 1118, elapsed: 1118, stops: [])
    var profile = GapProfile()
    profile.latitudes = [46.5, 46.54, 46.56]
    profile.longitudes = [7.25, 7.25, 7.25]
    profile.distances = [0, 4000, 6000]
    profile.firstElapsed = [20, 420, 680]
    profile.secondElapsed = [0, 380, 604]
    profile.gaps = [0, -20, -56]
    profile.stretchStarts = [0, 2]
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared,
      events: [
        RouteEvent(
          kind: .divergence, coordinate: Coordinate(latitude: 46.54, longitude: 7.25),
          elapsed: Paired(420, 380), position: Paired(420, 380)),
        RouteEvent(
          kind: .convergence, coordinate: Coordinate(latitude: 46.56, longitude: 7.25),
          elapsed: Paired(680, 604), position: Paired(680, 604)),
      ], profile: profile,
      legs: [
        leg(.shared, (0, 4000, 20, 420, 0), (0, 4000, 0, 380, 0)),
        leg(.detour, (4000, 6000, 420, 680, 60), (4000, 6800, 380, 604, 0)),
        leg(.shared, (6000, 11_000, 680, 1180, 0), (6800, 11_800, 604, 1118, 0)),
      ], sharedDistance: 9000, agreement: 1, finalGap: -42, uncertainty: 0.6)
    return DriveComparison(
      requestedMode: .startLocation, mode: .startLocation, fallback: nil, engine: .matched,
      timing: .timestamps, drives: [tuesday, thursday], pairs: [pair], winner: 1, margin: 42, uncertainty: 0.6
    )
  }

  /// Returns a leg. Each side is start and end in metres, start and end in seconds, and seconds of waiting.
  private static func leg(
    _ kind: Leg.Kind, _ first: (Double, Double, Double, Double, Double),
    _ second: (Double, Double, Double, Double, Double)
  ) -> Leg {
    func side(_ numbers: (Double, Double, Double, Double, Double)) -> Leg.Side {
      Leg.Side(
        from: corner, to: corner, fromDistance: numbers.0, toDistance: numbers.1, fromElapsed: numbers.2,
        toElapsed: numbers.3, waiting: numbers.4)
    }
    return Leg(kind: kind, sides: Paired(side(first), side(second)))
  }
}
