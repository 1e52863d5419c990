import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackTransforms

@Suite struct SimplifyStageTests {
  private func simplified(_ points: PointColumns, _ metres: Double) -> PointColumns {
    StageRun([.header] + StreamItem.track(TrackInfo(), points), [SimplifyStage(metres: metres)]).lines[0]
  }

  private func line(_ points: [(Double, Double)]) -> PointColumns { .line(points.map { (nil, $0.0, $0.1) }) }

  @Test("A point is kept exactly if it is farther from the line than the tolerance")
  func threshold() {
    // A degree of latitude at the equator is a (1 − e²) π / 180 = 110574.28 m, so the point is 1.10574 m
    // away.
    let bend = line([(0, 0), (0.000_01, 0.001), (0, 0.002)])
    #expect(simplified(bend, 1.105).count == 3)
    #expect(simplified(bend, 1.106).count == 2)
    // At 60° a degree of longitude is a cos φ / √(1 − e² sin² φ) π / 180 = 55800 m: 0.5580 m.
    let north = line([(59.999, 5), (60, 5.000_01), (60.001, 5)])
    #expect(simplified(north, 0.557).count == 3)
    #expect(simplified(north, 0.559).count == 2)
  }

  @Test("The distance to a long chord is measured at the point, not at the chord's middle")
  func longChord() {
    // From the equator to 60° N: a hundredth of a degree of longitude is 1113 m near its start and 965 m in
    // the middle.
    let long = line([(0, 0), (0.5, 0.01), (60, 0)])
    for line in [long, long.rows(at: [2, 1, 0])] {
      #expect(simplified(line, 1100).count == 3)
      #expect(simplified(line, 1114).count == 2)
    }
  }

  @Test("The ends are kept, including those of a closed line")
  func ends() {
    #expect(simplified(line([(0, 0), (0, 0.001)]), 1e9).count == 2)
    #expect(simplified(line([(0, 0), (0, 0.001), (0, 0)]), 1e9).count == 2)
    #expect(simplified(line([(0, 0), (0, 0.001), (0, 0)]), 100).longitudes == [0, 0.001, 0])
    #expect(simplified(line([(5, 5)]), 1).count == 1)
  }

  @Test("No line touches a privacy zone that the points are outside of")
  func zones() {
    // A quarter of a circle of 203 m around the equator at 0°.
    let arc = line(
      (0...90).map { degree in
        let angle = Double(degree) * .pi / 180
        return (203 / 110_574.28 * sin(angle), 203 / 111_319.49 * cos(angle))
      })
    let zone = PrivacyStage.Circle(center: Coordinate(latitude: 0, longitude: 0), radius: 200)
    #expect(simplified(arc, 100).count == 2)
    let lines = StageRun(
      [.header] + StreamItem.track(TrackInfo(), arc), [SimplifyStage(metres: 100, outside: [zone])]
    ).lines
    #expect(lines.count == 1 && lines[0].count == 91)
    // The chord between its ends passes 143.5 m from the centre.
    let small = PrivacyStage.Circle(center: zone.center, radius: 143)
    let chord = StageRun(
      [.header] + StreamItem.track(TrackInfo(), arc), [SimplifyStage(metres: 100, outside: [small])]
    ).lines
    #expect(chord[0].count == 2)
  }

  @Test("Points on the line are removed, and repeated ones even with a tolerance of 0")
  func collinear() {
    let even = line((0...1000).map { (0, Double($0) / 1000) })
    #expect(simplified(even, 0.001).longitudes == [0, 1])
    #expect(simplified(line([(1, 1), (1, 1), (1, 1), (2, 3), (2, 3)]), 0).latitudes == [1, 2])
    let bent = line([(0, 0), (0.001, 0.001), (0, 0.002), (0.001, 0.003)])
    for tolerance in [0, -5, Double.nan] { #expect(simplified(bent, tolerance).count == 4) }
  }

  @Test("Stops and changes of speed on a straight road are kept")
  func stop() {
    // 1 m/s along the equator, a stop of 600 s, and 1 m/s again.
    let pace = 1 / 111_319.5
    let points = PointColumns.line(
      (0...800).map { second in
        let metres = second <= 100 ? second : max(100, second - 600)
        return (Double(second), 0, pace * Double(metres))
      })
    #expect(simplified(points, 1).seconds == [0, 100, 700, 800])
    // Back on the same road: the turn is kept.
    let back = PointColumns.line(
      (0...200).map { second in
        let metres = second <= 100 ? second : 200 - second
        return (Double(second), 0, pace * Double(metres))
      })
    #expect(simplified(back, 1).seconds == [0, 100, 200])
  }

  @Test(
    "Without times only the shape is used, and equal or descending times cause no error"
  )
  func oddTimes() {
    let untimed = PointColumns.line([(0, 0, 0), (nil, 0, 0.9), (10, 0, 1)])
    #expect(simplified(untimed, 1).count == 2)
    let timed = PointColumns.line([(0, 0, 0), (5, 0, 0.9), (10, 0, 1)])
    #expect(simplified(timed, 1).count == 3)
    for times in [[3, 3, 3], [9, 5, 1], [0, 20, 10]] as [[Double]] {
      let odd = PointColumns.line(zip(times, [0, 0.5, 1]).map { ($0, 0, $1) })
      #expect(simplified(odd, 1).longitudes.first == 0 && simplified(odd, 1).longitudes.last == 1)
    }
  }

  @Test("Lines across the antimeridian take the shorter way")
  func antimeridian() {
    let straight = line([(0, 179.998), (0, 179.999), (0, 180), (0, -179.999), (0, -179.998)])
    #expect(simplified(straight, 0.01).longitudes == [179.998, -179.998])
    let bent = line([(0, 179.998), (0.001, -180), (0, -179.998)])
    #expect(simplified(bent, 100).count == 3)
    #expect(simplified(bent, 111).count == 2)
  }

  @Test("Segments and routes are simplified separately, with their ends kept")
  func segments() {
    let straight = PointColumns.equator(seconds: [0, 1, 2, 3])
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), straight, straight) + StreamItem.route(TrackInfo(), straight),
      [SimplifyStage(metres: 1)])
    #expect(run.lines.map(\.seconds) == [[0, 3], [0, 3], [0, 3]])
    #expect(run.summary == "simplify: 6 of 12 points removed")
  }

  @Test("Channels and details of remaining points are kept; removed details are counted")
  func details() {
    var points = PointColumns()
    for index in 0..<5 {
      points.append(
        Coordinate(latitude: 0.01 - 0.005 * Double(abs(index - 2)), longitude: Double(index) / 1000),
        time: .test(Double(index)),
        values: [.heartRate: Double(index)], details: PointDetails(name: index == 3 ? nil : "\(index)"))
    }
    let run = StageRun([.header] + StreamItem.track(TrackInfo(), points), [SimplifyStage(metres: 200)])
    #expect(run.lines[0] == points.rows(at: [0, 2, 4]))
    #expect(run.lines[0].details.map(\.details.name) == ["0", "2", "4"])
    #expect(run.summary == "simplify: 2 of 5 points removed, with the names or other details of 1 point")
  }

  @Test("Extensions between the points of a segment do not keep points")
  func extensions() {
    let half = PointColumns.line([(nil, 0, 0), (nil, 0, 1)])
    let other = PointColumns.line([(nil, 0, 2), (nil, 0, 3)])
    let items: [StreamItem] =
      [.header, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(half), .extensions("x")]
      + [.points(other), .event(.endSegment), .event(.endTrack)]
    let run = StageRun(items, [SimplifyStage(metres: 1)])
    #expect(run.lines[0].longitudes == [0, 3])
    #expect(run.items[4] == .extensions("x"))
  }

  @Test("An incomplete segment at the end of a broken stream is simplified")
  func brokenOff() {
    let items: [StreamItem] =
      [
        .header, .event(.beginTrack(TrackInfo())), .event(.beginSegment),
        .points(.equator(seconds: [0, 1, 2])),
      ]
    let run = StageRun(items, [SimplifyStage(metres: 1)], error: TrackError(.truncated, "cut"))
    #expect(run.lines[0].seconds == [0, 2])
    #expect(run.summary == "simplify: 1 of 3 points removed")
  }

  @Test("Removed points are within the tolerance of the line at their time")
  func boundedInTime() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Effort.rounds(40) {
      var points = PointColumns()
      var second = 0.0
      let walk = randomWalk(&generator, count: Int.random(in: 3...300, using: &generator))
      for row in 0..<walk.count {
        points.append(walk.coordinate(at: row), time: .test(second), values: [.elevation: Double(row)])
        second += Double.random(in: 0.1...30, using: &generator).rounded(.up)
      }
      let tolerance = Double.random(in: 0.5...300, using: &generator)
      let kept = (simplified(points, tolerance).values(of: .elevation) ?? []).map { Int($0) }
      for (first, last) in zip(kept, kept.dropFirst()) {
        for row in (first + 1)..<last {
          let (start, end) = (points.seconds[first] ?? 0, points.seconds[last] ?? 0)
          let there = Geodesy.interpolate(
            from: points.coordinate(at: first), to: points.coordinate(at: last),
            fraction: ((points.seconds[row] ?? 0) - start) / (end - start))
          #expect(
            Geodesy.distance(from: points.coordinate(at: row), to: there) <= tolerance * 1.001, "seed \(seed)"
          )
        }
      }
    }
  }

  @Test("Removed points without a time are within the tolerance of the line")
  func bounded() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Effort.rounds(40) {
      let points = randomWalk(&generator, count: Int.random(in: 3...300, using: &generator))
      let tolerance = Double.random(in: 0.5...300, using: &generator)
      let result = simplified(points, tolerance)
      // The elevation is the row of the original point.
      let kept = (result.values(of: .elevation) ?? []).map { Int($0) }
      #expect(kept.first == 0)
      #expect(kept.last == points.count - 1)
      for (first, last) in zip(kept, kept.dropFirst()) {
        for row in (first + 1)..<last {
          let distance = nearest(
            points.coordinate(at: row), points.coordinate(at: first), points.coordinate(at: last))
          #expect(distance <= tolerance * 1.001, "seed \(seed)")
        }
      }
    }
  }

  /// Returns a random line with steps of up to some hundred metres, sometimes kilometres, starting anywhere
  /// up to 80° or near the antimeridian.
  private func randomWalk(_ generator: inout SeededGenerator, count: Int) -> PointColumns {
    var latitude = Double.random(in: -80...80, using: &generator)
    var longitude = Bool.random(using: &generator) ? 179.99 : Double.random(in: -180...180, using: &generator)
    var points = PointColumns()
    for row in 0..<count {
      let scale = Int.random(in: 0...30, using: &generator) == 0 ? 0.05 : 0.002
      latitude += Double.random(in: -scale...scale, using: &generator)
      longitude += Double.random(in: -scale...(2 * scale), using: &generator)
      if longitude > 180 { longitude -= 360 }
      if longitude < -180 { longitude += 360 }
      points.append(Coordinate(latitude: latitude, longitude: longitude), values: [.elevation: Double(row)])
    }
    return points
  }

  /// Returns the distance to the nearest interpolated position between two points, in metres, by trial.
  private func nearest(_ point: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
    func distance(_ fraction: Double) -> Double {
      Geodesy.distance(from: point, to: Geodesy.interpolate(from: start, to: end, fraction: fraction))
    }
    var best = (0...50).map { Double($0) / 50 }.min { distance($0) < distance($1) } ?? 0
    var width = 0.02
    while width > 1e-9 {
      for next in [best - width, best + width] where next >= 0 && next <= 1 && distance(next) < distance(best)
      {
        best = next
      }
      width *= 0.7
    }
    return distance(best)
  }

  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test(
    "A hundred thousand points take less than a second, even if each division splits off only one",
    .enabled(if: isOptimized, "times count in a release build"))
  func speed() {
    var generator = SeededGenerator(seed: 1)
    let walk = randomWalk(&generator, count: 100_000)
    // A growing zigzag is always divided next to its end.
    let zigzag = line(
      (0..<100_000).map { row -> (Double, Double) in
        let height = row % 2048
        return (Double(row % 2 == 0 ? height : -height) / 1e6, Double(row) / 1e6)
      })
    for points in [walk, zigzag] {
      let times = (0..<3).map { _ in processorTime { _ = simplified(points, 0.01) } }
      let time = times.min() ?? .zero
      print("simplify: 100,000 points in \(time)")
      #expect(time < .seconds(1))
    }
  }
}
