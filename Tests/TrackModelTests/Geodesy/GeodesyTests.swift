import TestSupport
import Testing
import TrackModel

@Suite struct GeodesyTests {
  @Test("Short distances match GeographicLib to a millionth", arguments: GeodesicTable.short)
  func short(_ row: GeodesicTable.Row) {
    let length = Geodesy.distance(from: row.start, to: row.end)
    #expect(abs(length - row.length) <= 1e-6 * row.length, "\(length) instead of \(row.length)")
  }

  @Test("Distances of any length match GeographicLib to 0.6 %", arguments: GeodesicTable.long)
  func long(_ row: GeodesicTable.Row) {
    let length = Geodesy.distance(from: row.start, to: row.end)
    #expect(abs(length - row.length) <= 6e-3 * row.length, "\(length) instead of \(row.length)")
  }

  @Test(
    "A distance is the same in both directions and mirrored",
    arguments: GeodesicTable.short + GeodesicTable.long)
  func symmetry(_ row: GeodesicTable.Row) {
    func mirrored(_ place: Coordinate) -> Coordinate {
      Coordinate(latitude: -place.latitude, longitude: -place.longitude)
    }
    let length = Geodesy.distance(from: row.start, to: row.end)
    #expect(abs(Geodesy.distance(from: row.end, to: row.start) - length) <= 1e-9 * length)
    #expect(abs(Geodesy.distance(from: mirrored(row.start), to: mirrored(row.end)) - length) <= 1e-9 * length)
  }

  @Test(
    "Equal positions have distance 0 and bearing 0",
    arguments: [(46.5, 7.5), (0, 0), (90, 12), (-90, -12), (89.9999, 180), (-45, -180)])
  func equal(latitude: Double, longitude: Double) {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    #expect(Geodesy.distance(from: place, to: place) == 0)
    #expect(Geodesy.initialBearing(from: place, to: place) == 0)
  }

  @Test("The longitudes ±180° are equal, and so are all longitudes at a pole")
  func names() {
    let west = Coordinate(latitude: 10, longitude: -180)
    let east = Coordinate(latitude: 10, longitude: 180)
    #expect(Geodesy.distance(from: west, to: east) < 1e-6)
    let pole = Coordinate(latitude: 90, longitude: 10)
    #expect(Geodesy.distance(from: pole, to: Coordinate(latitude: 90, longitude: -77)) == 0)
  }

  @Test("The formulas for short and long distances agree at their boundary")
  func seam() {
    // 0.002 rad is 0.11459155902616464 degrees.
    for latitude in [0.0, 30, 46.5, 60, -80] {
      let start = Coordinate(latitude: latitude, longitude: 7)
      for (north, east) in [(1.0, 0.0), (0, 1), (0.6, 1), (1, -0.3)] {
        func length(_ degrees: Double) -> Double {
          Geodesy.distance(
            from: start,
            to: Coordinate(latitude: latitude + north * degrees, longitude: 7 + east * degrees))
        }
        let below = 0.11459155902616464 * (1 - 1e-12)
        let above = 0.11459155902616464 * (1 + 1e-12)
        #expect(abs(length(above) - length(below)) <= 1e-9 * length(below))
      }
    }
  }

  @Test("The length of a line is the sum of its steps")
  func length() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    var way: [Coordinate] = []
    var sum = 0.0
    for index in 0..<1000 {
      way.append(
        Coordinate(
          latitude: .random(in: -90...90, using: &generator),
          longitude: .random(in: -180...180, using: &generator)))
      if index > 0 { sum += Geodesy.distance(from: way[index - 1], to: way[index]) }
    }
    #expect(Geodesy.length(of: way) == sum, "seed \(seed)")
    #expect(Geodesy.length(of: [way[0]]) == 0)
    #expect(Geodesy.length(of: []) == 0)
  }

  @Test("The length of a line of short steps matches the sum of their distances to 1e-9")
  func shortSteps() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var place = Coordinate(
        latitude: .random(in: -89.9...89.9, using: &generator),
        longitude: .random(in: -180...180, using: &generator))
      var way = [place]
      var sum = 0.0
      // From metres to beyond the longest short step.
      let reach = Double.random(in: 1e-4...4e-3, using: &generator)
      for _ in 0..<100 {
        let longitude = place.longitude + .random(in: -reach...reach, using: &generator)
        place = Coordinate(
          latitude: max(-90, min(90, place.latitude + .random(in: -reach...reach, using: &generator))),
          longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
        sum += Geodesy.distance(from: way[way.count - 1], to: place)
        way.append(place)
      }
      let length = Geodesy.length(of: way)
      #expect(abs(length - sum) <= 1e-9 * sum, "seed \(seed)")
      let (latitudes, longitudes) = (way.map(\.latitude), way.map(\.longitude))
      #expect(
        Geodesy.length(latitudes: latitudes.span, longitudes: longitudes.span, rows: 0..<way.count) == length)
    }
    #expect(
      Geodesy.length(of: [Coordinate(latitude: 46, longitude: 7), Coordinate(latitude: .nan, longitude: 7)])
        .isNaN)
  }

  @Test("The length of steps from 1 m to 1 km matches GeographicLib to 2e-9", arguments: GeodesicTable.short)
  func shortStep(row: GeodesicTable.Row) {
    let length = Geodesy.length(of: [row.start, row.end])
    // The coordinates of shorter steps are not precise enough.
    let error = row.length < 0.9 ? 1e-6 : 2e-9
    #expect(abs(length - row.length) <= error * row.length, "\(length) instead of \(row.length)")
  }

  @Test(
    "Bearings along the equator and meridians are multiples of 90°",
    arguments: [
      (0.0, 0.0, 0.0, 1.0, 90.0), (0, 1, 0, 0, 270), (10, 5, 11, 5, 0), (11, 5, 10, 5, 180),
      (0, 179.5, 0, -179.5, 90), (0, -179.5, 0, 179.5, 270), (80, 0, 80, 180, 0), (-80, 0, -80, 180, 180),
      (46.5, 7.5, 90, 0, 0), (46.5, 7.5, -90, 100, 180),
    ])
  func rightAngles(
    _ from: Double, _ fromLongitude: Double, _ to: Double, _ toLongitude: Double, _ bearing: Double
  ) {
    let result = Geodesy.initialBearing(
      from: Coordinate(latitude: from, longitude: fromLongitude),
      to: Coordinate(latitude: to, longitude: toLongitude))
    #expect(abs(result - bearing) < 1e-9)
    #expect((0..<360).contains(result))
  }

  @Test("The bearing from Baghdad to Osaka matches the textbook")
  func textbook() {
    // Veness, "Calculate distance, bearing and more between points": the initial bearing from 35° N 45° E
    // to 35° N 135° E is 60°.
    let bearing = Geodesy.initialBearing(
      from: Coordinate(latitude: 35, longitude: 45), to: Coordinate(latitude: 35, longitude: 135))
    // By hand: atan2(cos 35°, cos 35° sin 35°) = atan(1 / sin 35°) = 60.16°.
    #expect(abs(bearing - 60.162) < 0.001)
  }

  @Test("A bearing between close positions is not lost in rounding errors")
  func neighbours() {
    // Equal differences in degrees at 60° north: the step to the east is half of that to the north, atan(1
    // / 2) = 26.565051177°.
    let bearing = Geodesy.initialBearing(
      from: Coordinate(latitude: 60, longitude: 7),
      to: Coordinate(latitude: 60 + 0x1p-30, longitude: 7 + 0x1p-30))
    #expect(abs(bearing - 26.565051177) < 1e-6)
  }

  @Test(
    "Interpolated positions are on the shorter way around the Earth",
    arguments: [
      (179.0, -179.0, 0.25, 179.5), (179, -179, 0.75, -179.5), (-179, 179, 0.75, 179.5), (10, 20, 0.5, 15),
      (170, -150, 0.75, -160), (-180, 179, 0.5, 179.5), (180, -180, 0.5, 180),
    ])
  func interpolation(_ start: Double, _ end: Double, _ fraction: Double, _ expected: Double) {
    let place = Geodesy.interpolate(
      from: Coordinate(latitude: -10, longitude: start), to: Coordinate(latitude: 10, longitude: end),
      fraction: fraction)
    #expect(abs(place.longitude - expected) < 1e-12)
    #expect(abs(place.latitude - (-10 + 20 * fraction)) < 1e-12)
  }

  @Test("Interpolation is exact at the ends and does not extrapolate")
  func ends() {
    let start = Coordinate(latitude: 46.123456789012345, longitude: 179.99999999999997)
    let end = Coordinate(latitude: -0.1, longitude: -179.3)
    #expect(Geodesy.interpolate(from: start, to: end, fraction: 0) == start)
    #expect(Geodesy.interpolate(from: start, to: end, fraction: 1) == end)
    #expect(Geodesy.interpolate(from: start, to: end, fraction: -2) == start)
    #expect(Geodesy.interpolate(from: start, to: end, fraction: 2) == end)
  }
}
