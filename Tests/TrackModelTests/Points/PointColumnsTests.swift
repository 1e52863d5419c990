import Testing
import TrackModel

@Suite("Point columns")
struct PointColumnsTests {
  private func present(_ values: [Double]?) -> [Double?]? { values.map { $0.map { $0.isNaN ? nil : $0 } } }

  @Test("New columns are empty")
  func empty() {
    let columns = PointColumns()
    #expect(columns.isEmpty)
    #expect(columns.count == 0)
    #expect(columns.channels == [])
    #expect(columns.values(of: .elevation) == nil)
  }

  @Test("Rows have their given values; a channel added late is absent before and after")
  func rows() {
    var columns = PointColumns()
    columns.append(Coordinate(latitude: 1, longitude: 2))
    columns.append(
      Coordinate(latitude: 3, longitude: 4), time: Instant(microseconds: 5), values: [.elevation: 100],
      details: PointDetails(name: "b"))
    columns.append(Coordinate(latitude: 6, longitude: 7), values: [.bearing: 0, .elevation: 101])
    columns.append(Coordinate(latitude: 8, longitude: 9))
    #expect(columns.count == 4)
    #expect(columns.latitudes == [1, 3, 6, 8])
    #expect(columns.longitudes == [2, 4, 7, 9])
    #expect(columns.times == [Instant.absent, 5, Instant.absent, Instant.absent])
    #expect(columns.time(at: 0) == nil)
    #expect(columns.time(at: 1) == Instant(microseconds: 5))
    #expect(columns.coordinate(at: 2) == Coordinate(latitude: 6, longitude: 7))
    #expect(columns.channels.channels == [.elevation, .bearing])
    #expect(present(columns.values(of: .elevation)) == [nil, 100, 101, nil])
    #expect(present(columns.values(of: .bearing)) == [nil, nil, 0, nil])
    #expect(columns.values(of: .speed) == nil)
    #expect(columns.value(.elevation, at: 0) == nil)
    #expect(columns.value(.elevation, at: 2) == 101)
    #expect(columns.value(.speed, at: 2) == nil)
    #expect(columns.details == [PointBatch.RowDetails(row: 1, details: PointDetails(name: "b"))])
  }

  @Test("Batches are appended row by row, with any channels")
  func batches() {
    var batch = PointBatch(capacity: 2)
    var columns = PointColumns()
    batch.append(latitude: 1, longitude: 10, time: 100)
    batch.set(.elevation, 5)
    batch.append(latitude: 2, longitude: 20)
    columns.append(batch)
    batch.removeAll()
    columns.append(batch)
    batch.append(latitude: 3, longitude: 30, time: 300)
    batch.set(.speed, 7)
    batch.set(PointDetails(name: "third"))
    columns.append(batch)
    columns.append(Coordinate(latitude: 4, longitude: 40), values: [.elevation: 6])
    #expect(columns.latitudes == [1, 2, 3, 4])
    #expect(columns.longitudes == [10, 20, 30, 40])
    #expect(columns.times == [100, Instant.absent, 300, Instant.absent])
    #expect(present(columns.values(of: .elevation)) == [5, nil, nil, 6])
    #expect(present(columns.values(of: .speed)) == [nil, nil, 7, nil])
    #expect(columns.details == [PointBatch.RowDetails(row: 2, details: PointDetails(name: "third"))])
  }

  @Test("Rows added one by one and in batches of any size are equal", arguments: [1, 2, 5, 64])
  func oneByOneOrBatches(capacity: Int) {
    var random = SeededRandom()
    var oneByOne = PointColumns()
    var joined = PointColumns()
    var batch = PointBatch(capacity: capacity)
    for row in 0..<100 {
      let coordinate = Coordinate(latitude: Double(row), longitude: Double(-row))
      let time = random.integer(0...3) == 0 ? nil : Instant(microseconds: Int64(row))
      // Late channels: none before row 40.
      var values: [Channel: Double] = [:]
      if row > 40, random.integer(0...2) == 0 { values[.elevation] = Double(random.integer(0...9)) }
      if row > 60 { values[.heartRate] = 100 }
      let details = PointDetails(name: random.integer(0...5) == 0 ? "\(row)" : nil)
      oneByOne.append(coordinate, time: time, values: values, details: details)
      if batch.isFull {
        joined.append(batch)
        batch.removeAll()
      }
      batch.append(
        latitude: coordinate.latitude, longitude: coordinate.longitude,
        time: time?.microseconds ?? Instant.absent)
      for (channel, value) in values { batch.set(channel, value) }
      batch.set(details)
    }
    joined.append(batch)
    #expect(joined == oneByOne, "\(random)")
  }

  @Test("Columns differ if a row differs in position, time, a value, its absence, or details")
  func inequality() {
    let coordinate = Coordinate(latitude: 1, longitude: 2)
    let time = Instant(microseconds: 3)
    func columns(
      _ coordinate: Coordinate, _ time: Instant?, _ values: [Channel: Double],
      _ details: PointDetails = PointDetails()
    ) -> PointColumns {
      var columns = PointColumns()
      columns.append(coordinate, time: time, values: values, details: details)
      return columns
    }
    let base = columns(coordinate, time, [.elevation: 4])
    #expect(base == columns(coordinate, time, [.elevation: 4]))
    let others = [
      PointColumns(), columns(Coordinate(latitude: 1, longitude: 3), time, [.elevation: 4]),
      columns(Coordinate(latitude: 2, longitude: 2), time, [.elevation: 4]),
      columns(coordinate, nil, [.elevation: 4]),
      columns(coordinate, time, [.elevation: 5]), columns(coordinate, time, [:]),
      columns(coordinate, time, [.speed: 4]),
      columns(coordinate, time, [.elevation: 4, .speed: 4]),
      columns(coordinate, time, [.elevation: 4], PointDetails(name: "x")),
    ]
    for other in others {
      #expect(base != other)
      #expect(other != base)
    }
  }

  @Test("A column without values equals a missing column")
  func emptyColumn() {
    var batch = PointBatch(capacity: 2)
    batch.append(latitude: 1, longitude: 1)
    batch.append(latitude: 2, longitude: 2)
    batch.set(.elevation, 3)
    batch.keepRows { $0 == 0 }
    var kept = PointColumns()
    kept.append(batch)
    var plain = PointColumns()
    plain.append(Coordinate(latitude: 1, longitude: 1))
    #expect(kept == plain)
    #expect(plain == kept)
  }
}
