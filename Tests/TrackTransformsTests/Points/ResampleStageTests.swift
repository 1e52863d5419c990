import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct ResampleStageTests {
  private func run(_ step: ResampleStage.Step, _ segments: PointColumns...) -> StageRun {
    StageRun(
      [.header, .event(.beginTrack(TrackInfo()))] + segments.flatMap { StreamItem.segment($0) }
        + [.event(.endTrack)], [ResampleStage(step)])
  }

  // MARK: Time

  @Test("Resampling by time gives equal steps, exact ends and interpolated positions")
  func seconds() {
    let run = run(.seconds(10), .line([(0, 0, 0), (5, 0, 0.005), (25, 0.02, 0.025)]))
    #expect(run.lines[0].seconds == [0, 10, 20, 25])
    for (value, expected) in zip(run.lines[0].longitudes, [0, 0.010, 0.020, 0.025]) {
      #expect(isNear(value, expected))
    }
    // From 5 s to 25 s: a quarter and three quarters of 0.02.
    for (value, expected) in zip(run.lines[0].latitudes, [0, 0.005, 0.015, 0.02]) {
      #expect(isNear(value, expected))
    }
    #expect(run.summary == "resample: 3 points became 4")
  }

  @Test(
    "A step that divides the duration does not repeat the last point",
    arguments: [0.1, 0.2, 0.3, 0.6, 1.0 / 3])
  func dividing(step: Double) {
    let count = (3 / step).rounded()
    let run = run(.seconds(step), .line([(0, 0, 0), (3, 0, 3)]))
    #expect(run.lines[0].count == Int(count) + 1)
    #expect(run.lines[0].seconds.last == 3)
    for (index, second) in run.lines[0].seconds.enumerated() {
      #expect(isNear(second, Double(index) * step, within: 1e-6))
    }
  }

  @Test("Of points with equal times, the first and the last are kept exactly")
  func equalTimes() {
    let all = run(.seconds(1), .line([(5, 0, 1), (5, 0, 2), (5, 0, 3)]))
    #expect(all.lines[0].longitudes == [1, 3])
    let leading = run(.seconds(1), .line([(0, 0, 1), (0, 0, 2), (2, 0, 4), (2, 0, 5)]))
    #expect(leading.lines[0].longitudes == [1, 3, 5])
  }

  @Test("Channels are interpolated: directions on the shorter way, counts to whole numbers")
  func channels() {
    var points = PointColumns()
    points.append(
      Coordinate(latitude: 0, longitude: 0), time: .test(0),
      values: [.elevation: 100, .course: 350, .bearing: 10, .heartRate: 100, .speed: 5, .power: 7])
    points.append(
      Coordinate(latitude: 0, longitude: 1), time: .test(20),
      values: [.elevation: 150, .course: 10, .bearing: 340, .heartRate: 105, .temperature: 3, .power: 7])
    let line = run(.seconds(5), points).lines[0]
    #expect(line.values(of: .elevation) == [100, 112.5, 125, 137.5, 150])
    #expect(line.values(of: .course) == [350, 355, 0, 5, 10])
    #expect(line.values(of: .bearing) == [10, 2.5, 355, 347.5, 340])
    // 101.25, 102.5 and 103.75 rounded to whole beats.
    #expect(line.values(of: .heartRate) == [100, 101, 103, 104, 105])
    #expect(line.values(of: .power) == [7, 7, 7, 7, 7])
    // Values at one end only are not interpolated.
    #expect((0..<5).map { line.value(.speed, at: $0) } == [5, nil, nil, nil, nil])
    #expect((0..<5).map { line.value(.temperature, at: $0) } == [nil, nil, nil, nil, 3])
  }

  @Test("Extra channels are interpolated if both neighbours have a value")
  func extraChannels() {
    let names = [
      ExtraValues.Name("RPM"), ExtraValues.Name("gear"), ExtraValues.Name("Heading 2", unit: "deg"),
      ExtraValues.Name("yaw"),
    ]
    func details(_ names: [ExtraValues.Name], _ values: [Double]) -> PointDetails {
      var details = PointDetails()
      details.extraValues = ExtraValues(names, values)
      return details
    }
    var points = PointColumns()
    let all = [
      details(names, [1000, .nan, 350, -170]), details(names, [2000, 3, 10, 170]),
      // In another order, and without a gear.
      details([names[1], names[0]], [.nan, 1600]), PointDetails(name: "end"),
    ]
    for (index, details) in all.enumerated() {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index)), time: .test(Double(index) * 4), details: details)
    }
    let run = run(.seconds(2), points)
    let line = run.lines[0]
    let values = (0..<7).map { line.details(at: $0).extraValues }
    #expect(
      values[0...3] == [
        ExtraValues(names, [1000, .nan, 350, -170]), ExtraValues(names, [1500, .nan, 0, -180]),
        ExtraValues(names, [2000, 3, 10, 170]), ExtraValues(names, [1800, .nan, .nan, .nan]),
      ])
    // The last point has no channels.
    #expect(values[5] == nil && values[6] == nil)
    #expect(line.details(at: 6).name == "end")
    #expect(run.summary == "resample: 4 points became 7")
  }

  @Test("Segments with missing or descending times are unchanged and reported")
  func untouched() {
    let untimed = PointColumns.equator(seconds: [0, nil, 10])
    let disordered = PointColumns.equator(seconds: [0, 10, 5])
    let run = run(
      .seconds(1), untimed, disordered, .equator(seconds: [0, 2]), untimed, .equator(seconds: [nil]))
    #expect(run.lines[0] == untimed)
    #expect(run.lines[1] == disordered)
    #expect(run.lines.map(\.count) == [3, 3, 3, 3, 1])
    #expect(
      run.summary == "resample: 12 points became 13, 2 segments without times left as they were, "
        + "1 segment with times that run backwards left as it was")
  }

  @Test("Segments that would get too many points are unchanged, for any times")
  func huge() {
    var points = PointColumns()
    for time in [Int64.min + 1, .max] {
      points.append(Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: time))
    }
    let wrapped = run(.seconds(1), points)
    #expect(wrapped.lines[0] == points)
    let years = PointColumns.equator(seconds: [0, 3e7])
    let run = run(.seconds(1), years)
    #expect(run.lines[0] == years)
    #expect(run.summary == "resample: 2 points became 2, 1 segment too long for the step left as it was")
    #expect(self.run(.seconds(1e-300), .equator(seconds: [0, 1])).lines[0].count == 2)
    for width in [0, -1, Double.nan] {
      #expect(self.run(.seconds(width), .equator(seconds: [0, 1, 2])).lines[0].count == 3)
    }
  }

  @Test("The points of all segments of a stream together are limited")
  func hugeStream() {
    // Of two segments of 501 points, the limit allows one.
    let segment = StreamItem.segment(PointColumns.equator(seconds: [0, 500]))
    let run = StageRun(
      [.header, .event(.beginTrack(TrackInfo()))] + segment + segment + [.event(.endTrack)],
      [ResampleStage(.seconds(1), maximumPoints: 800)])
    #expect(run.lines.map(\.count) == [501, 2])
    #expect(run.summary?.hasSuffix("1 segment too long for the step left as it was") == true)
    // Points with extra values need more memory.
    var details = PointDetails()
    details.extraValues = ExtraValues([ExtraValues.Name("RPM")], [1000])
    var points = PointColumns()
    for second in [0.0, 500] {
      points.append(Coordinate(latitude: 0, longitude: second), time: .test(second), details: details)
    }
    let items =
      [.header, .event(.beginTrack(TrackInfo()))] + StreamItem.segment(points) + [.event(.endTrack)]
    #expect(StageRun(items, [ResampleStage(.seconds(1), maximumPoints: 2000)]).lines[0].count == 2)
    #expect(StageRun(items, [ResampleStage(.seconds(1), maximumPoints: 2008)]).lines[0].count == 501)
  }

  // MARK: Distance

  @Test("Resampling by distance gives equal steps along the line, with interpolated times and channels")
  func metres() {
    // 111.319 m each, in 10 s and in 20 s.
    var points = PointColumns()
    for (index, seconds) in [0.0, 10, 30].enumerated() {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index) / 1000), time: .test(seconds),
        values: [.elevation: seconds])
    }
    let line = run(.metres(50), points).lines[0]
    #expect(line.count == 6)
    let thousandth = degreeOfEquator / 1000
    for row in 0..<5 {
      let way = Double(row) * 50 / thousandth
      #expect(isNear(line.longitudes[row], way / 1000))
      let second = way < 1 ? way * 10 : 10 + (way - 1) * 20
      #expect(isNear(line.seconds[row], second, within: 1e-6))
      #expect(isNear(line.value(.elevation, at: row), second, within: 1e-6))
    }
    #expect(line.longitudes[5] == 0.002)
    #expect(line.seconds[5] == 30)
  }

  @Test("Points without times and points at one position are resampled by distance")
  func untimedMetres() {
    let line = run(.metres(100), .line([(nil, 0, 0), (nil, 0, 0), (nil, 0, 0.002), (nil, 0, 0.002)])).lines[0]
    #expect(line.count == 4)
    #expect(line.seconds == [nil, nil, nil, nil])
    let still = run(.metres(100), .line([(1, 0, 0), (2, 0, 0), (3, 0, 0)])).lines[0]
    #expect(still.seconds == [1, 3])
  }

  @Test("The shorter way across the antimeridian is used")
  func antimeridian() {
    for step in [ResampleStage.Step.seconds(1), .metres(degreeOfEquator)] {
      let line = run(step, .line([(0, 0, 178.5), (4, 0, -177.5)])).lines[0]
      for (value, expected) in zip(line.longitudes, [178.5, 179.5, -179.5, -178.5, -177.5]) {
        #expect(isNear(value, expected, within: 1e-9))
      }
      #expect(line.count == 5)
    }
  }

  @Test("Extreme times cause no trap when resampling by distance")
  func extremeTimes() {
    var points = PointColumns()
    for (index, time) in [Int64.min + 1, .max, .max - 1, .min + 1].enumerated() {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index) / 1000), time: Instant(microseconds: time))
    }
    let line = run(.metres(10), points).lines[0]
    #expect(line.times.first == Int64.min + 1)
    #expect(line.times.last == Int64.min + 1)
    // 333.96 m: 34 steps and the end.
    #expect(line.count == 35)
  }

  // MARK: Structure

  @Test("Details are kept if a new point equals the original one; the others are counted as removed")
  func details() {
    var points = PointColumns()
    for (index, name) in ["first", nil, "on", "between", "last"].enumerated() as EnumeratedSequence<[String?]>
    {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index)), time: .test([0, 4, 10, 17, 25][index]),
        details: PointDetails(name: name))
    }
    let run = run(.seconds(5), points)
    #expect(run.lines[0].seconds == [0, 5, 10, 15, 20, 25])
    #expect(run.lines[0].details.map(\.row) == [0, 2, 5])
    #expect(run.lines[0].details.map(\.details.name) == ["first", "on", "last"])
    #expect(run.summary == "resample: 5 points became 6, the names or other details of 1 point removed")
  }

  @Test("Extensions between the points of a segment do not split it")
  func extensions() {
    let run = StageRun(
      [
        .header, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(.line([(0, 0, 0)])),
        .extensions("x"), .points(.line([(4, 0, 4)])), .event(.endSegment), .extensions("track"),
        .event(.endTrack),
      ], [ResampleStage(.seconds(1))])
    #expect(run.items.count == 8)
    #expect(run.lines[0].longitudes == [0, 1, 2, 3, 4])
    #expect(run.items[4] == .extensions("x"))
    #expect(run.items[6] == .extensions("track"))
  }

  @Test("Many points are delivered in many batches")
  func many() {
    let line = run(.seconds(1), .line([(0, 0, 0), (20_000, 0, 2)])).lines[0]
    #expect(line.count == 20_001)
    let seconds = (0...20_000).map { Double($0) }
    #expect(line.seconds == seconds)
    #expect(line.longitudes.enumerated().allSatisfy { isNear($0.element, Double($0.offset) / 10_000) })
  }

  @Test("A stream without points has no summary, and a single point is kept")
  func few() {
    #expect(
      StageRun([.header] + StreamItem.track(TrackInfo(), PointColumns()), [ResampleStage(.metres(1))]).summary
        == nil)
    #expect(run(.metres(1), .equator(seconds: [1])).summary == "resample: 1 point became 1")
  }

  @Test("Filled gaps of many hours are reported")
  func gaps() {
    let points = PointColumns.equator(seconds: [0, 1, 30_000, 30_001])
    let items = [.header] + StreamItem.track(TrackInfo(), points)
    #expect(
      StageRun(items, [ResampleStage(.seconds(10_000))]).summary
        == "resample: 4 points became 5, 1 gap of more than 6 h filled")
    #expect(StageRun(items, [ResampleStage(.metres(100_000))]).summary == "resample: 4 points became 2")
  }
}
