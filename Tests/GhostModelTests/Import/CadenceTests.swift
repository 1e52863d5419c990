import GhostModel
import TestSupport
import Testing
import TrackModel

@Suite struct CadenceTests {
  private func one(_ recording: Recording, _ cadence: Cadence = .auto) throws -> ImportedDrive {
    let drives = try DriveImporter.drives(from: recording, options: .with { $0.cadence = cadence }, name: "n")
    return try #require(drives.first)
  }

  @Test("Evenly spaced points are unchanged, at any interval", arguments: [0.2, 1, 5, 30])
  func even(_ step: Double) throws {
    let points = (0..<50).map { (seconds: Double($0) * step, longitude: Double($0) * 0.0012345678901234) }
    let result = try one(.track(points))
    #expect(!result.report.resampled)
    #expect(result.longitudes == points.map(\.longitude))
    #expect(abs(result.report.step - step) < 1e-12)
    #expect(result.report.largestTimeError < 1e-6)
  }

  @Test("Points with a time error below 50 ms are unchanged, and the error is reported")
  func nearlyEven() throws {
    // The mean step is 1 s; the second point is 40 ms late.
    let result = try one(.track([(0, 0), (1.04, 0.001), (2, 0.002), (3, 0.003)]))
    #expect(!result.report.resampled)
    #expect(abs(result.report.largestTimeError - 0.04) < 1e-9)
    #expect(result.report.warnings.isEmpty)
  }

  @Test("Points with a larger time error are resampled")
  func uneven() throws {
    let result = try one(.track([(0, 0), (1.06, 1.06), (2, 2), (3, 3)]))
    #expect(result.report.resampled)
    let expected = [0.0, 1, 2, 3]
    #expect(zip(result.longitudes, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(result.report.largestTimeError == 0)
  }

  @Test("Points with small time errors that add up are resampled")
  func drift() throws {
    // Ten steps of 1.02 s, then ten of 0.98 s. Each is within 20 ms of the mean, but the middle is 0.2 s
    // late.
    var seconds = 0.0
    var points: [(seconds: Double, longitude: Double)] = [(0, 0)]
    for index in 0..<20 {
      seconds += index < 10 ? 1.02 : 0.98
      points.append((seconds, seconds / 100))
    }
    let result = try one(.track(points))
    #expect(result.report.resampled)
    let kept = try one(.track(points), .keepPoints)
    #expect(abs(kept.report.largestTimeError - 0.2) < 1e-9)
  }

  @Test("The step is the one closest to 1 s that keeps the first and the last point exact")
  func nearestStep() throws {
    // 3.4 s are three gaps of 1.1333 s.
    let first = 0.12345678901234567
    let last = 3.5234567890123457
    let result = try one(.track([(0, first), (0.4, first + 0.4), (3.4, last)]))
    #expect(result.report.pointsInDrive == 4)
    #expect(abs(result.report.step - 3.4 / 3) < 1e-12)
    #expect(result.longitudes.first == first)
    #expect(result.longitudes.last == last)
    #expect(abs(result.longitudes[1] - (first + 3.4 / 3)) < 1e-9)
    #expect(abs(result.longitudes[2] - (first + 6.8 / 3)) < 1e-9)
    // 0.3 s are one gap.
    #expect(try one(.track([(0, 1), (0.02, 5), (0.3, 2)])).longitudes == [1, 2])
  }

  @Test("Computed positions have nine decimals")
  func decimals() throws {
    let result = try one(.track([(0, 0), (3, 1), (4, 2)]))
    #expect(result.longitudes == [0, 0.333333333, 0.666666667, 1, 2])
  }

  @Test("Evenly spaced points are also resampled if a step is requested")
  func wished() throws {
    let points: [(seconds: Double, longitude: Double)] = [(0, 0), (1, 1), (2, 2), (3, 3)]
    let half = try one(.track(points), .seconds(0.5))
    #expect(half.longitudes == [0, 0.5, 1, 1.5, 2, 2.5, 3])
    #expect(half.report.step == 0.5)
    #expect(try one(.track(points), .seconds(1.4)).longitudes == [0, 1.5, 3])
    // A step longer than the drive results in one gap.
    #expect(try one(.track(points), .seconds(100)).longitudes == [0, 3])
  }

  @Test("Kept points are unchanged, with a warning for errors above 50 ms")
  func kept() throws {
    let result = try one(.track([(0, 1), (1, 1.001), (10, 1.002)]), .keepPoints)
    #expect(result.longitudes == [1, 1.001, 1.002])
    #expect(!result.report.resampled)
    // Evenly spaced, the middle point would be at 5 s instead of 1 s.
    #expect(result.report.largestTimeError == 4)
    #expect(result.report.warnings.map(\.code) == [.unevenCadence])
    #expect(result.report.warnings.first?.message.contains("4 s") == true)
    #expect(try one(.track([(0, 1), (1.05, 1.001), (2, 1.002)]), .keepPoints).report.warnings.isEmpty)
  }

  @Test("A sample across the antimeridian is on the shorter side")
  func antimeridian() throws {
    let result = try one(.track([(0, 179.9), (2, -179.9), (3, -179.8)]))
    #expect(result.longitudes.count == 4)
    #expect(abs(result.longitudes[1]) == 180)
    let back = try one(.track([(0, -179.9), (4, 179.9), (5, 179.8)]))
    let expected = [-179.9, -179.95, 180, 179.95, 179.9, 179.8]
    #expect(back.longitudes.count == expected.count)
    for (longitude, expected) in zip(back.longitudes, expected) {
      // 180° and −180° are the same longitude.
      #expect(abs(longitude - expected) < 1e-9 || abs(longitude) + abs(expected) == 360)
    }
  }

  @Test("With the app's even spacing, every drive is at the recorded position at each time")
  func truth() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var points: [(seconds: Double, longitude: Double)] = []
      var seconds = 0.0
      for _ in 0..<Int.random(in: 2...60, using: &generator) {
        points.append((seconds, Double.random(in: -1...1, using: &generator)))
        seconds += Double(Int.random(in: 1...4_000_000, using: &generator)) / 1e6
      }
      let wished = Double.random(in: 0.05...3, using: &generator)
      let cadence: Cadence = Bool.random(using: &generator) ? .auto : .seconds(wished)
      let result = try one(.track(points), cadence)
      let longitudes = result.longitudes
      guard result.report.resampled else { continue }
      let step = result.drive.duration / Double(longitudes.count - 1)
      #expect(abs(result.drive.duration - (points.last?.seconds ?? 0)) < 1e-6, "seed \(seed)")
      // Half a microsecond at the highest speed, 2° per microsecond, is one degree. Such steps are rare, so
      // their samples are compared with the recorded point closest in time.
      for (index, longitude) in longitudes.enumerated() {
        let time = Double(index) * step
        let isTrue =
          abs(longitude - position(points, at: time)) < 1e-6
          || points.contains { abs($0.seconds - time) < 1e-6 && $0.longitude == longitude }
        #expect(isTrue, "sample \(index), seed \(seed)")
      }
      #expect(result.report.largestTimeError <= 1e-6, "seed \(seed)")
    }
  }

  /// Returns the longitude of the recording at a time, computed directly from the definition.
  private func position(_ points: [(seconds: Double, longitude: Double)], at time: Double) -> Double {
    for (start, end) in zip(points, points.dropFirst()) where start.seconds <= time && time <= end.seconds {
      let fraction = (time - start.seconds) / (end.seconds - start.seconds)
      return start.longitude * (1 - fraction) + end.longitude * fraction
    }
    return time <= 0 ? points[0].longitude : points[points.count - 1].longitude
  }
}
