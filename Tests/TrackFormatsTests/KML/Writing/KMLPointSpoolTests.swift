import Testing
import TrackModel

@testable import TrackFormats

@Suite("KML point spool")
struct KMLPointSpoolTests {
  /// Returns the values of a row, derived from its index.
  private func values(_ row: Int) -> (time: Int64, latitude: Double, longitude: Double, speed: Double) {
    (row % 7 == 0 ? Instant.absent : Int64(row) * 1000, Double(row % 90), -Double(row % 180), Double(row) / 4)
  }

  private func fill(_ spool: inout KMLPointSpool, rows: Range<Int>, capacity: Int) throws {
    var batch = PointBatch(capacity: capacity)
    for row in rows {
      let value = values(row)
      batch.append(latitude: value.latitude, longitude: value.longitude, time: value.time)
      // The channels vary between ranges of rows.
      if row / 5000 % 2 == 1 { batch.set(.speed, value.speed) }
      if row % 3 == 0 { batch.set(.elevation, value.speed) }
      if batch.isFull || row == rows.upperBound - 1 {
        try spool.append(batch)
        batch.removeAll()
      }
    }
  }

  private func check(_ spool: inout KMLPointSpool, rows: Range<Int>) throws {
    var rest = rows
    while !rest.isEmpty {
      let (block, found) = try spool.block(at: rest)
      try #require(!found.isEmpty && found.count <= rest.count)
      // One expectation for all rows: each costs far more than the comparison.
      var wrong: Int?
      for (row, index) in zip(rest, found) {
        let value = values(row)
        let speed = block.column(.speed)?[index] ?? .nan
        let elevation = block.column(.elevation)?[index] ?? .nan
        let isRight =
          block.times[index] == value.time && block.latitudes[index] == value.latitude
          && block.longitudes[index] == value.longitude
          && (row / 5000 % 2 == 1 ? speed == value.speed : speed.isNaN)
          && (row % 3 == 0 ? elevation == value.speed : elevation.isNaN)
        if !isRight { wrong = wrong ?? row }
      }
      #expect(wrong == nil)
      #expect(block.column(.power) == nil)
      rest = (rest.lowerBound + found.count)..<rest.upperBound
    }
  }

  @Test(
    "Rows are returned in any order and repeatedly, from memory and from the file",
    arguments: [1 << 30, 100_000, 0], [1, 61, 4096])
  func rows(memoryLimit: Int, capacity: Int) throws {
    var spool = KMLPointSpool(memoryLimit: memoryLimit)
    for _ in 0..<2 {
      let count = capacity == 1 ? 3000 : 12_345
      try fill(&spool, rows: 0..<count, capacity: capacity)
      #expect(spool.count == count)
      try check(&spool, rows: 0..<count)
      try check(&spool, rows: (count - 5)..<count)
      try check(&spool, rows: 0..<1)
      try check(&spool, rows: 100..<2900)
      // Rows can be added after reading.
      try fill(&spool, rows: count..<(count + 200), capacity: capacity)
      try check(&spool, rows: 0..<(count + 200))
      spool.removeAll()
      #expect(spool.count == 0)
    }
  }
}
