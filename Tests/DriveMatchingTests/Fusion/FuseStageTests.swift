import Testing
import TrackModel

@testable import DriveMatching
@testable import TestSupport

@Suite struct FuseStageTests {
  /// Returns points to the east along the equator at 10 m/s, shifted by `north` metres, with an optional
  /// pulse.
  private static func points(
    _ seconds: [Int], pulse: Double? = nil, elevation: Double? = nil, north: Double = 0
  ) -> PointColumns {
    var points = PointColumns()
    for second in seconds {
      var values: [Channel: Double] = [:]
      values[.heartRate] = pulse.map { $0 + Double(second) }
      values[.elevation] = elevation
      points.append(
        // The offset between two receivers is not constant.
        Coordinate(
          latitude: (north + (north > 0 ? 3 * Double(second * 7 % 5) : 0)) / 111_195,
          longitude: Double(second) * 10 / 111_319.5), time: Instant(microseconds: Int64(second) * 1_000_000),
        values: values)
    }
    return points
  }

  private func points(_ run: StageRun) -> [PointColumns] {
    run.items.compactMap { if case .points(let points) = $0 { points } else { nil } }
  }

  @Test("Gaps of the better recording are filled, and each channel is taken from the device that has it")
  func fusing() throws {
    let car = Self.points(Array(0...99) + Array(160...299), elevation: 12)
    let watch = Self.points(Array(stride(from: 40, through: 340, by: 2)), pulse: 100, north: 4)
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(name: "car"), car)
        + StreamItem.track(TrackInfo(name: "watch"), watch), [FuseStage()])
    let fused = try #require(points(run).first)
    #expect(points(run).count == 1)
    // From the watch: 100…158 s and 300…340 s, every other second. Points within half a step of one of the
    // car's are not added.
    let gap = 30 + 21
    #expect(fused.count == 240 + gap)
    #expect(fused.times == fused.times.sorted())
    #expect(Set(fused.times).count == fused.count)
    for row in 0..<fused.count {
      let second = Double(fused.times[row]) / 1e6
      let isOfWatch = (second > 99.5 && second < 159.5) || second > 299.5
      #expect((fused.latitudes[row] > 1e-6) == isOfWatch, "\(second)")
      #expect((fused.value(.heartRate, at: row) != nil) == (second >= 30), "\(second)")
    }
    #expect(fused.value(.elevation, at: 50) == 12)
    #expect(
      run.summary == "fuse: 2 recordings made one, \(gap) points filled in where the better one has none")
    guard case .event(.beginTrack(let info)) = run.items[1] else {
      Issue.record("no track")
      return
    }
    #expect(info.name == "car")
  }

  @Test("Channels of a logger are taken from the device that has them, and interpolated between its fixes")
  func loggerChannels() throws {
    let rpm = ExtraValues.Name("RPM", unit: "1/min")
    let boost = ExtraValues.Name("boost")
    /// Returns points with values of these channels.
    func logged(_ points: PointColumns, _ names: [ExtraValues.Name], _ value: (Double) -> Double)
      -> PointColumns
    {
      var result = PointColumns()
      for row in 0..<points.count {
        var details = PointDetails()
        let value = value(Double(points.times[row]) / 1e6)
        details.extraValues = ExtraValues(names, names.map { _ in value })
        result.append(points.coordinate(at: row), time: points.time(at: row), details: details)
      }
      return result
    }
    // The better recording has fixes each second, the other one every other second.
    let car = logged(Self.points(Array(0...299)), [boost]) { $0 }
    let logger = logged(Self.points(Array(stride(from: 0, through: 310, by: 2)), north: 4), [rpm]) {
      1000 + 10 * $0
    }
    for tracks in [[car, logger], [logger, car]] {
      let run = StageRun(
        [.header] + tracks.flatMap { StreamItem.track(TrackInfo(name: "a"), $0) }, [FuseStage()])
      let fused = try #require(points(run).first)
      for row in fused.details {
        let second = Double(fused.times[row.row]) / 1e6
        let extra = try #require(row.details.extraValues)
        let values = Dictionary(zip(extra.names, extra.values)) { first, _ in first }
        #expect(values[rpm] == 1000 + 10 * second)
        // Beyond the end, the last value is repeated until the gap.
        if second <= 299 { #expect(values[boost] == second) }
      }
      #expect(fused.details.count == fused.count)
    }
  }

  /// Two points without times.
  private static let untimed: PointColumns = {
    var points = PointColumns()
    points.append(Coordinate(latitude: 0, longitude: 0))
    points.append(Coordinate(latitude: 0, longitude: 0.01))
    return points
  }()

  /// The tracks beside one of five minutes, by their differences.
  private static let otherRides: [String: [PointColumns]] = [
    "1 at another time": [points(Array(1000...1100))],
    "1 without times": [untimed],
    "1 at another place": [points(Array(0...300), north: 5000)],
    // 100 m behind.
    "1 of another person": [points(Array(0...300), north: 4).shifted(seconds: 10)],
    "1 at another place, 2 at another time": [
      points(Array(0...300), north: 5000), points(Array(2000...2100)), points(Array(3000...3100)),
    ],
  ]

  @Test(
    "Tracks of other rides are not changed, and the summary has the difference",
    arguments: otherRides.keys.sorted())
  func others(_ difference: String) throws {
    let tracks = [Self.points(Array(0...300))] + (try #require(Self.otherRides[difference]))
    let items = [StreamItem.header] + tracks.flatMap { StreamItem.track(TrackInfo(name: "a"), $0) }
    let run = StageRun(items, [FuseStage()])
    #expect(run.items == items)
    #expect(
      run.summary == "fuse: no two tracks are recordings of the same ride (\(difference)); nothing changed")
  }

  @Test("Input without tracks has no summary, and a track without times is counted at any place")
  func noOthers() {
    #expect(StageRun([.header], [FuseStage()]).summary == nil)
    let timed = Self.points(Array(0...100))
    for (tracks, difference) in [
      ([timed], ""), ([Self.untimed], " (1 without times)"), ([Self.untimed, timed], " (1 without times)"),
    ] {
      let items = [StreamItem.header] + tracks.flatMap { StreamItem.track(TrackInfo(name: "a"), $0) }
      #expect(
        StageRun(items, [FuseStage()]).summary
          == "fuse: no two tracks are recordings of the same ride\(difference); nothing changed")
    }
  }
}

extension PointColumns {
  /// Returns the points with later times.
  fileprivate func shifted(seconds: Int64) -> PointColumns {
    var points = PointColumns()
    for row in 0..<count {
      points.append(coordinate(at: row), time: Instant(microseconds: times[row] + 1_000_000 * seconds))
    }
    return points
  }
}
