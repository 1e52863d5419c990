import GhostModel
import Testing
import TrackModel
import TrackTransforms

/// A drive at 20 m/s to the east with a fix per second.
@Suite struct OutlyingFixesTests {
  private static let metresPerDegree = 111_320.0

  /// - Parameter places: metres to the east and to the north, one per interval.
  private func trace(_ places: [(east: Double, north: Double)], every interval: Double = 1) throws
    -> TimedDrive
  {
    var segment = Recording.Segment()
    for (index, place) in places.enumerated() {
      segment.append(
        Coordinate(
          latitude: place.north / Self.metresPerDegree, longitude: place.east / Self.metresPerDegree),
        time: Instant(microseconds: Int64(Double(index) * interval * 1e6)))
    }
    return try TimedDrive(Recording(segments: [segment]), label: "")
  }

  private func straight(_ count: Int, step: Double = 20) -> [(east: Double, north: Double)] {
    (0..<count).map { (step * Double($0), 0) }
  }

  @Test(arguments: [40.0, 80, 300]) func `A fix beside the way is left out and counted`(metres: Double) throws
  {
    var places = straight(30)
    places[12].north = metres
    let trace = try trace(places)
    #expect(trace.elapsed == (0..<30).filter { $0 != 12 }.map(Double.init))
    #expect(trace.latitudes.allSatisfy { abs($0) < 1e-9 })
    #expect(trace.warnings.map(\.code) == [.outlyingFix])
    #expect(trace.warnings.first?.count == 1)
  }

  @Test func `Noise at 10 Hz is kept`() throws {
    // 2 m to either side, which would be an acceleration of 400 m/s².
    let places = (0..<100).map { (east: 2 * Double($0), north: $0.isMultiple(of: 2) ? 2.0 : -2) }
    #expect(try trace(places, every: 0.1).count == 100)
  }

  @Test func `A jump that lasts is kept, also one back along the way`() throws {
    let aside = straight(30).enumerated().map { ($1.east, $0 < 15 ? 0.0 : 60) }
    #expect(try trace(aside).count == 30)
    let back = straight(30).enumerated().map { ($0 < 15 ? $1.east : $1.east - 60, 0.0) }
    #expect(try trace(back).count == 30)
  }

  @Test func `A hairpin between sparse fixes is kept`() throws {
    // 300 m up a road and back in 60 s, with a fix every 30 s at 10 m/s.
    let places: [(east: Double, north: Double)] = [(0, 0), (300, 0), (600, 0), (300, 10), (0, 10)]
    #expect(try trace(places, every: 30).count == 5)
  }

  @Test func `The first fix of a segment is kept`() throws {
    var places = straight(10)
    places[5].north = 80
    let whole = try trace(places)
    #expect(whole.count == 9)
    var first = Recording.Segment()
    var second = Recording.Segment()
    for (index, place) in places.enumerated() {
      let coordinate = Coordinate(
        latitude: place.north / Self.metresPerDegree, longitude: place.east / Self.metresPerDegree)
      let time = Instant(microseconds: Int64(index < 5 ? index : index + 5) * 1_000_000)
      if index < 5 { first.append(coordinate, time: time) } else { second.append(coordinate, time: time) }
    }
    #expect(try TimedDrive(Recording(segments: [first, second]), label: "").count == 10)
  }
}
