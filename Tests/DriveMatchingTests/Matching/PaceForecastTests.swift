import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Forecast of the pace")
struct PaceForecastTests {
  /// Returns the line of a drive to the north with the given distances and times.
  private static func line(_ fixes: [(metres: Double, seconds: Double)]) throws -> MatchablePolyline {
    MatchablePolyline(
      try TimedDrive(
        label: "a",
        coordinates: fixes.map { Coordinate(latitude: 47 + $0.metres / 111_180, longitude: 8) },
        elapsed: fixes.map(\.seconds)))
  }

  @Test("Delays between fixes do not slow the forecast", arguments: [true, false])
  func delays(isFirstSparse: Bool) throws {
    let dense = try Self.line((0...300).map { (metres: 15 * Double($0), seconds: Double($0)) })
    // At 10 m/s with one fix every 30 s, and stops of 45 s after 600 m and after 1,800 m.
    let fixes = (0...15).map { (fix: Int) -> (metres: Double, seconds: Double) in
      let delays: Double = fix > 6 ? 90 : fix > 2 ? 45 : 0
      return (300 * Double(fix), 30 * Double(fix) + delays)
    }
    let sparse = try Self.line(fixes)
    let lines = isFirstSparse ? Paired(sparse, dense) : Paired(dense, sparse)
    let length = min(sparse.length, dense.length)
    let shared = stride(from: 0, to: length, by: 10).map { SharedRoad.Place($0, $0) }
    for side in [StretchEnd.Side.start, .end] {
      let forecast = PaceForecast(lines.first, lines.second, isFirstSparse: isFirstSparse, shared, side)
      let ratio = forecast.ratio(at: 150, pace: 1 / 15)
      #expect(abs(ratio.value - 1.5) < 0.06)
      #expect(ratio.deviation < PaceForecast.unknown)
    }
  }

  @Test("Delays near the forecast, which look like a slower pace, do not slow it either")
  func shortDelays() throws {
    let dense = try Self.line((0...600).map { (metres: 15 * Double($0), seconds: Double($0)) })
    // At 10 m/s with one fix per minute, and stops of 18 to 28 s, two of them in the first four intervals.
    var seconds = 0.0
    let delays = [0.0, 20, 0, 18, 0, 0, 0, 0, 0, 26, 28, 0, 22, 0]
    let fixes =
      [(metres: 0.0, seconds: 0.0)]
      + delays.enumerated().map { fix, delay in
        seconds += 60 + delay
        return (600 * Double(fix + 1), seconds)
      }
    let sparse = try Self.line(fixes)
    let shared = stride(from: 0, to: sparse.length, by: 10).map { SharedRoad.Place($0, $0) }
    let forecast = PaceForecast(sparse, dense, isFirstSparse: true, shared, .start)
    #expect(abs(forecast.ratio(at: 300, pace: 1 / 15).value - 1.5) < 0.1)
  }

  @Test("Without intervals, the forecast is unknown")
  func unknown() throws {
    let line = try Self.line([(0, 0), (300, 20), (600, 40)])
    let forecast = PaceForecast(
      line, line, isFirstSparse: true, [SharedRoad.Place(0, 0), SharedRoad.Place(600, 600)], .start)
    #expect(forecast.ratio(at: 100, pace: 0.1).value == 1)
    #expect(forecast.ratio(at: 100, pace: 0.1).deviation == PaceForecast.unknown)
  }
}
