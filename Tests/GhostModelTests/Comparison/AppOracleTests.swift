import GhostModel
import TestSupport
import Testing
import TrackModel

/// Compares the engine with a transliteration of the app's description.
@Suite struct AppOracleTests {
  /// Returns two or three drives with the same start, some of them with idle ends, detours, different paces
  /// or no motion at all.
  private func drives(_ random: inout SeededGenerator) -> [AppOracle.Drive] {
    let origin = (
      lat: Double.random(in: -70...70, using: &random), lon: Double.random(in: -180...179, using: &random)
    )
    let heading = Double.random(in: 0..<4, using: &random).rounded(.down)
    return (0..<Int.random(in: 2...3, using: &random)).map { _ in
      let count = [0, 1, 2, Int.random(in: 3...12, using: &random)].randomElement(using: &random) ?? 0
      let length =
        Int.random(in: 0..<8, using: &random) > 0 ? Int.random(in: 20...120, using: &random) : count
      let idleStart = Bool.random(using: &random) ? Int.random(in: 0...12, using: &random) : 0
      let idleEnd = Bool.random(using: &random) ? Int.random(in: 0...12, using: &random) : 0
      let isParked = Int.random(in: 0..<8, using: &random) == 0
      let detours = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        (Int.random(in: 0...100, using: &random), Int.random(in: 2...25, using: &random))
      }
      var points: [(lat: Double, lon: Double)] = []
      var along = 0.0
      for index in 0..<length {
        let side =
          detours.contains { $0.0..<($0.0 + $0.1) ~= index } ? Double.random(in: 20...120, using: &random) : 0
        let noise = Double.random(in: -3...3, using: &random)
        let (forward, across) = (along / 111_000, (side + noise) / 111_000)
        points.append(
          heading < 2
            ? (origin.lat + forward, origin.lon + across) : (origin.lat + across, origin.lon + forward))
        let isIdle = isParked || index < idleStart || index >= length - 1 - idleEnd
        along += isIdle ? 0 : Double.random(in: 6...14, using: &random)
      }
      let pace = Int.random(in: 0..<10, using: &random) == 0 ? 0 : Double.random(in: 0.5...4, using: &random)
      // Half of the parked drives have no noise, because noise keeps them from being detected as parked.
      if isParked, Bool.random(using: &random), let first = points.first {
        points = Array(repeating: first, count: length)
      }
      return AppOracle.Drive(duration: pace * Double(max(length - 1, 0)), coordinates: points)
    }
  }

  private func drive(_ drive: AppOracle.Drive) -> Drive {
    Drive(
      name: "", startTime: nil, endTime: nil, duration: drive.duration, distance: 0,
      coordinates:
        drive.coordinates.map { Coordinate(latitude: $0.lat, longitude: $0.lon) })
  }

  @Test("A thousand random comparisons equal those of the transliteration")
  func random() throws {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    var equal = 0
    var anchored = 0
    var cleanEnds = 0
    for _ in 0..<1000 {
      let cases = drives(&random)
      let mode = try #require(ComparisonMode.allCases.randomElement(using: &random))
      var settings = ComparisonSettings(mode: mode)
      settings.trimStartIdle = Bool.random(using: &random)
      settings.trimEndIdle = Bool.random(using: &random)
      settings.samplingStride = Int.random(in: 1...6, using: &random)
      settings.divergenceAngle = Double.random(in: 5...60, using: &random)
      var oracle = AppOracle.Settings()
      oracle.mode = mode.rawValue
      oracle.trimStartIdle = settings.trimStartIdle
      oracle.trimEndIdle = settings.trimEndIdle
      oracle.stride = settings.samplingStride
      oracle.divergenceAngle = settings.divergenceAngle
      let trimmed = cases.map { drive in
        var segment = AppOracle.trimmed(drive, oracle)
        // The only intended deviation: if nothing is idle at the end, the description results in an empty
        // slice.
        if oracle.trimEndIdle, segment.endIndex == drive.coordinates.count {
          cleanEnds += 1
          segment.endIndex -= 1
        }
        return segment
      }
      let expected = AppOracle.alignSegments(trimmed, oracle)
      let found = DriveComparisonEngine.alignDrives(cases.map(drive), settings: settings)
      let isEqual = zip(found, expected).allSatisfy { found, expected in
        found.startIndex == expected.startIndex && found.endIndex == expected.endIndex
          && abs(found.timeOffset - expected.timeOffset) < 1e-9
          && found.coordinates.map { [$0.latitude, $0.longitude] }
            == expected.coordinates.map { [$0.lat, $0.lon] }
      }
      let events = zip(found.dropFirst(), expected.dropFirst()).allSatisfy { other, expectedOther in
        let divergences = DriveComparisonEngine.findDivergencePoints(
          between: found[0], and: other, settings: settings)
        let convergences = DriveComparisonEngine.findConvergencePoints(
          between: found[0], and: other, settings: settings)
        anchored += divergences.count + convergences.count
        return divergences.map { AppOracle.Event(first: $0.firstIndex, second: $0.secondIndex) }
          == AppOracle.findDivergencePoints(expected[0], expectedOther, oracle)
          && convergences.map { AppOracle.Event(first: $0.firstIndex, second: $0.secondIndex) }
            == AppOracle.findConvergencePoints(expected[0], expectedOther, oracle)
      }
      if isEqual, events, found.count == expected.count { equal += 1 }
    }
    #expect(equal == 1000)
    // Enough of the cases are not trivial.
    #expect(anchored > 1000 && cleanEnds > 100)
  }

  @Test("If nothing is idle at the end, the description's slice is empty; the engine keeps the drive")
  func cleanEnd() throws {
    let drive = AppOracle.Drive(duration: 3, coordinates: (0..<4).map { (0, Double($0) * 0.0001) })
    var settings = AppOracle.Settings()
    settings.trimEndIdle = true
    #expect(AppOracle.alignDrives([drive], settings)[0].coordinates.isEmpty)
    let found = DriveComparisonEngine.alignDrives(
      [self.drive(drive)], settings: .with { $0.trimEndIdle = true })
    #expect(found[0].coordinates.count == 4)
  }
}
