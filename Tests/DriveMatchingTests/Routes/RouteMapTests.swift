import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Passing times at the marks of a route")
struct RouteMapTests {
  /// A drive to the north with a fix every 5 s.
  private static func drive(_ speeds: [Double]) throws -> TimedDrive {
    var metres = 0.0
    var coordinates = [Coordinate(latitude: 47, longitude: 8)]
    for speed in speeds {
      metres += 5 * speed
      coordinates.append(Coordinate(latitude: 47 + metres / 111_195, longitude: 8))
    }
    return try TimedDrive(
      label: "a", coordinates: coordinates, elapsed: coordinates.indices.map { 5 * Double($0) })
  }

  @Test("Parts last from gate to gate, even if they begin slowly or end before the reference")
  func parts() throws {
    var settings = ComparisonSettings()
    settings.areParts = true
    settings.trimStartIdle = false
    // 2 km, and 1.99 km with a slow start that would otherwise be idle time.
    let reference = try Self.drive([Double](repeating: 20, count: 20))
    let other = try Self.drive([0.5, 0.5] + [Double](repeating: 22, count: 18))
    let map = RouteMap(reference, settings: settings)
    for drive in [reference, other] {
      let passage = map.passage(of: drive)
      #expect(passage.elapsed.first == 0)
      #expect(passage.elapsed.last == 100)
      #expect(passage.elapsed.allSatisfy { !$0.isNaN })
    }
    let comparison = RouteComparison(map, [map.passage(of: reference), map.passage(of: other)])
    #expect(comparison.entries.map(\.duration) == [100, 100])
    let pair = try DriveComparison.compare([reference, other], settings: settings)
    #expect(pair.drives.allSatisfy { $0.motionStart == 0 && $0.motionEnd == 100 })
  }

  @Test("Laps of a circuit that is as short as the jitter of a receiver are compared")
  func shortCircuit() throws {
    // 220 m in 20 s and in 22 s.
    func lap(_ duration: Double) throws -> TimedDrive {
      let radius = 220 / (2 * Double.pi)
      let steps = (0...40).map { Double($0) / 40 }
      return try TimedDrive(
        label: "a",
        coordinates: steps.map { step in
          Coordinate(
            latitude: 47 + radius * sin(2 * Double.pi * step) / 111_195,
            longitude: 8 + radius * cos(2 * Double.pi * step) / 75_835)
        }, elapsed: steps.map { duration * $0 })
    }
    var settings = ComparisonSettings()
    settings.areParts = true
    settings.trimStartIdle = false
    let result = try DriveComparison.compare([try lap(20), try lap(22)], settings: settings)
    #expect(result.pairs[0].relation == .shared)
    #expect(abs(try #require(result.pairs[0].finalGap) - 2) < 1e-6)
  }
}
