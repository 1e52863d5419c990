import TestSupport
import Testing
import TrackModel

@Suite("Point batch")
struct PointBatchTests {
  /// Returns the values of a span, NaN as nil.
  private func values(_ span: Span<Double>) -> [Double?] {
    span.indices.map { span[$0].isNaN ? nil : span[$0] }
  }

  /// Returns a batch of the rows 0…: latitude = row, longitude = −row, time = 1000 · row.
  private func numbered(_ count: Int, capacity: Int) -> PointBatch {
    var batch = PointBatch(capacity: capacity)
    for row in 0..<count {
      batch.append(latitude: Double(row), longitude: Double(-row), time: Int64(row * 1000))
    }
    return batch
  }

  // MARK: Filling

  @Test("A new batch is empty and has the given capacity, at least one row")
  func empty() {
    let usual = PointBatch()
    #expect(usual.capacity == 4096)
    #expect(usual.count == 0)
    #expect(usual.channels == [])
    #expect(usual.details == [])
    let one = PointBatch(capacity: 0)
    #expect(one.capacity == 1)
    #expect(one.isFull == false)
    let negative = PointBatch(capacity: -5)
    #expect(negative.capacity == 1)
  }

  @Test("A row has its position and its time, and no channel until one is set")
  func row() {
    var batch = PointBatch(capacity: 2)
    batch.append(latitude: 47.5, longitude: 8.25, time: 7)
    batch.append(latitude: -1, longitude: -2)
    #expect(batch.coordinate(at: 0) == Coordinate(latitude: 47.5, longitude: 8.25))
    #expect(batch.coordinate(at: 1) == Coordinate(latitude: -1, longitude: -2))
    #expect(batch.time(at: 0) == Instant(microseconds: 7))
    #expect(batch.time(at: 1) == nil)
    #expect(batch.isFull == true)
    for channel in Channel.allCases {
      #expect(batch.value(channel, at: 0) == nil)
      let count = batch.values(of: channel).count
      #expect(count == 0)
    }
  }

  @Test("A channel added late is absent in earlier rows and in later ones that do not set it")
  func lateChannel() {
    var batch = PointBatch(capacity: 8)
    batch.append(latitude: 0, longitude: 0)
    batch.append(latitude: 1, longitude: 0)
    batch.set(.elevation, 100)
    batch.append(latitude: 2, longitude: 0)
    batch.append(latitude: 3, longitude: 0)
    batch.set(.heartRate, 120)
    batch.set(.elevation, 0)
    #expect(batch.channels.channels == [.elevation, .heartRate])
    let elevations = values(batch.values(of: .elevation))
    #expect(elevations == [nil, 100, nil, 0])
    let rates = values(batch.values(of: .heartRate))
    #expect(rates == [nil, nil, nil, 120])
    #expect(batch.value(.elevation, at: 0) == nil)
    #expect(batch.value(.elevation, at: 3) == 0)
    #expect(batch.value(.power, at: 3) == nil)
  }

  @Test("Every channel has a separate column", arguments: [1, 3, 64])
  func everyChannel(capacity: Int) {
    var batch = PointBatch(capacity: capacity)
    for row in 0..<capacity {
      batch.append(latitude: Double(row), longitude: Double(row) / 2, time: Int64(row))
      for channel in Channel.allCases { batch.set(channel, Double(Int(channel.rawValue) * 1000 + row)) }
    }
    #expect(batch.channels == .all)
    for row in 0..<capacity {
      #expect(batch.coordinate(at: row) == Coordinate(latitude: Double(row), longitude: Double(row) / 2))
      #expect(batch.time(at: row) == Instant(microseconds: Int64(row)))
      for channel in Channel.allCases {
        #expect(batch.value(channel, at: row) == Double(Int(channel.rawValue) * 1000 + row))
      }
    }
  }

  @Test("A channel set twice has the later value")
  func setAgain() {
    var batch = numbered(1, capacity: 1)
    batch.set(.speed, 1)
    batch.set(.speed, 2)
    #expect(batch.value(.speed, at: 0) == 2)
  }

  @Test("The time of the last row can be set and removed")
  func setTime() {
    var batch = numbered(2, capacity: 2)
    batch.set(time: 5)
    #expect(batch.time(at: 1) == Instant(microseconds: 5))
    batch.set(time: Instant.absent)
    #expect(batch.time(at: 1) == nil)
    #expect(batch.time(at: 0) == Instant(microseconds: 0))
  }

  @Test("Details apply to the last row; later details replace them, and empty details remove them")
  func details() {
    var batch = numbered(1, capacity: 3)
    batch.set(PointDetails(name: "a"))
    batch.set(PointDetails(name: "b"))
    batch.append(latitude: 1, longitude: 1)
    batch.append(latitude: 2, longitude: 2)
    batch.set(PointDetails(name: "c"))
    #expect(
      batch.details == [
        PointBatch.RowDetails(row: 0, details: PointDetails(name: "b")),
        PointBatch.RowDetails(row: 2, details: PointDetails(name: "c")),
      ])
    batch.set(PointDetails())
    #expect(batch.details == [PointBatch.RowDetails(row: 0, details: PointDetails(name: "b"))])
  }

  @Test("Removing a row removes its details and values")
  func removeLast() {
    var batch = numbered(2, capacity: 4)
    batch.set(.elevation, 5)
    batch.set(PointDetails(name: "gone"))
    batch.removeLast()
    #expect(batch.count == 1)
    #expect(batch.details == [])
    #expect(batch.value(.elevation, at: 0) == nil)
    batch.append(latitude: 9, longitude: 9)
    #expect(batch.value(.elevation, at: 1) == nil)
    batch.removeLast()
    batch.removeLast()
    batch.removeLast()
    #expect(batch.count == 0)
  }

  @Test("Removing all rows also removes channels and details")
  func removeAll() {
    var batch = numbered(3, capacity: 4)
    batch.set(.elevation, 5)
    batch.set(PointDetails(name: "gone"))
    batch.removeAll()
    #expect(batch.count == 0)
    #expect(batch.channels == [])
    #expect(batch.details == [])
    let elevations = batch.values(of: .elevation).count
    #expect(elevations == 0)
    for row in 0..<4 { batch.append(latitude: Double(row), longitude: 0) }
    batch.set(.elevation, 1)
    let again = values(batch.values(of: .elevation))
    #expect(again == [nil, nil, nil, 1])
  }

  // MARK: Filling from columns

  private func columns(_ count: Int) -> PointColumns {
    var columns = PointColumns()
    for row in 0..<count {
      columns.append(
        Coordinate(latitude: Double(row), longitude: Double(-row)),
        time: Instant(microseconds: Int64(row * 1000)),
        values: row % 2 == 0 ? [.elevation: Double(row)] : [.speed: Double(row)],
        details: PointDetails(name: row % 3 == 0 ? "row \(row)" : nil))
    }
    return columns
  }

  @Test(
    "Columns are split into as many batches as necessary", arguments: [1, 2, 7, 10, 4096],
    [0, 1, 9, 10, 20, 21])
  func split(capacity: Int, count: Int) {
    let source = columns(count)
    var batch = PointBatch(capacity: capacity)
    var joined = PointColumns()
    var sizes: [Int] = []
    var next = 0
    while true {
      batch.removeAll()
      let added = batch.append(source, from: next)
      guard added > 0 else { break }
      #expect(batch.count == added)
      #expect(batch.details.allSatisfy { $0.details.name == "row \($0.row + next)" })
      joined.append(batch)
      sizes.append(added)
      next += added
    }
    #expect(joined == source)
    #expect(sizes.dropLast().allSatisfy { $0 == capacity })
    #expect(sizes.reduce(0, +) == count)
  }

  @Test("Columns are appended to existing rows; missing channels of either are absent")
  func appendBehindRows() {
    var batch = PointBatch(capacity: 5)
    batch.append(latitude: 50, longitude: 60)
    batch.set(.power, 300)
    batch.set(PointDetails(name: "first"))
    let added = batch.append(columns(9), from: 2)
    #expect(added == 4)
    #expect(batch.isFull == true)
    let latitudes = values(batch.latitudes)
    #expect(latitudes == [50, 2, 3, 4, 5])
    let powers = values(batch.values(of: .power))
    #expect(powers == [300, nil, nil, nil, nil])
    let elevations = values(batch.values(of: .elevation))
    #expect(elevations == [nil, 2, nil, 4, nil])
    let speeds = values(batch.values(of: .speed))
    #expect(speeds == [nil, nil, 3, nil, 5])
    #expect(batch.time(at: 0) == nil)
    #expect(batch.time(at: 4) == Instant(microseconds: 5000))
    #expect(
      batch.details == [
        PointBatch.RowDetails(row: 0, details: PointDetails(name: "first")),
        PointBatch.RowDetails(row: 2, details: PointDetails(name: "row 3")),
      ])
  }

  @Test("Nothing is appended to a full batch, nor from beyond the last row")
  func nothingToAppend() {
    var full = numbered(2, capacity: 2)
    #expect(full.append(columns(3), from: 0) == 0)
    #expect(full.channels == [])
    var free = numbered(0, capacity: 2)
    #expect(free.append(columns(3), from: 3) == 0)
    #expect(free.append(columns(3), from: .max) == 0)
    #expect(free.append(PointColumns(), from: 0) == 0)
    #expect(free.count == 0)
  }

  // MARK: Columns

  @Test("Each column has one value per row")
  func spans() {
    let batch = numbered(3, capacity: 8)
    let times = batch.times.indices.map { batch.times[$0] }
    #expect(times == [0, 1000, 2000])
    let latitudes = values(batch.latitudes)
    #expect(latitudes == [0, 1, 2])
    let longitudes = values(batch.longitudes)
    #expect(longitudes == [0, -1, -2])
  }

  @Test("Changes in the mutable columns change the rows")
  func mutableSpans() {
    var batch = numbered(3, capacity: 8)
    batch.set(.elevation, 8)
    var times = batch.mutableTimes
    let count = times.count
    #expect(count == 3)
    for row in 0..<count { times[row] += 5 }
    times[1] = Instant.absent
    var elevations = batch.mutableValues(of: .elevation)
    elevations[2] += 0.5
    #expect(batch.time(at: 0) == Instant(microseconds: 5))
    #expect(batch.time(at: 1) == nil)
    #expect(batch.time(at: 2) == Instant(microseconds: 2005))
    #expect(batch.coordinate(at: 1) == Coordinate(latitude: 1, longitude: -1))
    #expect(batch.value(.elevation, at: 2) == 8.5)
    batch.append(latitude: 9, longitude: 9)
    #expect(batch.count == 4)
  }

  // MARK: Leaving out

  @Test("Rows that are kept keep their channels, details and order")
  func keepRows() {
    var batch = PointBatch(capacity: 9)
    _ = batch.append(columns(9), from: 0)
    let removed = batch.keepRows { [1, 2, 3, 6, 8].contains($0) }
    #expect(removed == 4)
    #expect(batch.count == 5)
    let latitudes = values(batch.latitudes)
    #expect(latitudes == [1, 2, 3, 6, 8])
    let longitudes = values(batch.longitudes)
    #expect(longitudes == [-1, -2, -3, -6, -8])
    let times = batch.times.indices.map { batch.times[$0] }
    #expect(times == [1000, 2000, 3000, 6000, 8000])
    let elevations = values(batch.values(of: .elevation))
    #expect(elevations == [nil, 2, nil, 6, 8])
    let speeds = values(batch.values(of: .speed))
    #expect(speeds == [1, nil, 3, nil, nil])
    #expect(batch.details.map(\.row) == [2, 3])
    #expect(batch.details.map(\.details.name) == ["row 3", "row 6"])
  }

  @Test("The closure is called once per row, in ascending order")
  func keepRowsAsks() {
    var batch = numbered(5, capacity: 5)
    var asked: [Int] = []
    batch.keepRows { row in
      asked.append(row)
      return row == 4
    }
    #expect(asked == [0, 1, 2, 3, 4])
    #expect(batch.count == 1)
    #expect(batch.coordinate(at: 0).latitude == 4)
  }

  @Test("All or no rows can be kept, and rows can be appended afterwards")
  func keepAllOrNone() {
    var batch = PointBatch(capacity: 6)
    _ = batch.append(columns(4), from: 0)
    #expect(batch.keepRows { _ in true } == 0)
    #expect(batch.count == 4)
    #expect(batch.details.map(\.row) == [0, 3])
    #expect(batch.keepRows { _ in false } == 4)
    #expect(batch.count == 0)
    #expect(batch.details == [])
    batch.append(latitude: 1, longitude: 1)
    #expect(batch.value(.elevation, at: 0) == nil)
  }

  @Test("Any sequence of appending and removing gives the same rows as a simple array")
  func againstPlainRows() {
    struct Row: Equatable {
      var latitude: Double
      var time: Int64
      var values: [Channel: Double]
      var name: String?
    }
    var random = SeededRandom()
    var batch = PointBatch(capacity: 37)
    var rows: [Row] = []
    for _ in 0..<Effort.rounds(4000) {
      switch random.integer(0...30) {
      case 0:
        batch.removeAll()
        rows = []
      case 1:
        let kept = (0..<rows.count).map { _ in random.integer(0...2) > 0 }
        batch.keepRows { kept[$0] }
        rows = zip(rows, kept).filter(\.1).map(\.0)
      case 2:
        batch.removeLast()
        if !rows.isEmpty { rows.removeLast() }
      default:
        guard !batch.isFull else { continue }
        var row = Row(
          latitude: Double(random.integer(-90...90)), time: Int64(random.integer(0...9)), values: [:])
        batch.append(latitude: row.latitude, longitude: 0, time: row.time)
        for _ in 0..<random.integer(0...3) {
          let channel = Channel.allCases[random.integer(0...Channel.allCases.count - 1)]
          row.values[channel] = Double(random.integer(0...100))
          batch.set(channel, row.values[channel] ?? .nan)
        }
        if random.integer(0...4) == 0 {
          row.name = random.digits(3)
          batch.set(PointDetails(name: row.name))
        }
        rows.append(row)
      }
      var said = (0..<batch.count).map { row in
        Row(
          latitude: batch.coordinate(at: row).latitude, time: batch.time(at: row)?.microseconds ?? -1,
          values: Dictionary(
            uniqueKeysWithValues: Channel.allCases.compactMap { channel in
              batch.value(channel, at: row).map { (channel, $0) }
            }))
      }
      for row in batch.details { said[row.row].name = row.details.name }
      guard said == rows else {
        Issue.record("\(said) is not \(rows); \(random)")
        return
      }
    }
  }

  // MARK: Preconditions

  @Test("Appending to a full batch traps")
  func fullBatch() async {
    await #expect(processExitsWith: .failure) {
      var batch = PointBatch(capacity: 1)
      batch.append(latitude: 0, longitude: 0)
      batch.append(latitude: 0, longitude: 0)
    }
  }

  @Test("Reading a row beyond the last traps")
  func noSuchRow() async {
    await #expect(processExitsWith: .failure) {
      var batch = PointBatch(capacity: 4)
      batch.append(latitude: 0, longitude: 0)
      _ = batch.coordinate(at: 1)
    }
    await #expect(processExitsWith: .failure) {
      let batch = PointBatch(capacity: 4)
      _ = batch.time(at: -1)
    }
  }

  @Test("Setting values in an empty batch traps")
  func noLastRow() async {
    await #expect(processExitsWith: .failure) {
      var batch = PointBatch(capacity: 4)
      batch.set(.elevation, 1)
    }
  }
}
