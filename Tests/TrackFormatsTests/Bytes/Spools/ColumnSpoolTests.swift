import TestSupport
import Testing

@testable import TrackFormats

@Suite("Column spool")
struct ColumnSpoolTests {
  private func filled(_ count: Int, memoryLimit: Int) throws -> ColumnSpool<Int64> {
    var spool = ColumnSpool<Int64>(memoryLimit: memoryLimit)
    for value in 0..<count { try spool.append(Int64(value) * 3) }
    return spool
  }

  @Test(
    "Values are returned in order and in any other order, from memory and from the file",
    arguments: [0, 100, 80_000, 1 << 20], [0, 1, 9000, 30_001])
  func values(memoryLimit: Int, count: Int) throws {
    var spool = try filled(count, memoryLimit: memoryLimit)
    #expect(spool.count == count && spool.isEmpty == (count == 0))
    for index in 0..<count { #expect(try spool.value(at: index) == Int64(index) * 3) }
    for index in stride(from: count - 1, through: 0, by: -997) {
      #expect(try spool.value(at: index) == Int64(index) * 3)
    }
    #expect(try spool.value(at: count) == nil)
    // Values can be added after reading.
    try spool.append(-1)
    #expect(try spool.value(at: count) == -1)
    if count > 0 { #expect(try spool.value(at: 0) == 0) }
  }

  @Test(
    "Values from an index on are removed from memory and from the file", arguments: [0, 4000, 1 << 20],
    [0, 1, 1023, 1024, 1025, 2048, 4999, 5000, 5119])
  func removeFrom(memoryLimit: Int, index: Int) throws {
    // Four blocks, some of them in the file, and the beginning of a fifth.
    var spool = try filled(5120, memoryLimit: memoryLimit)
    _ = try spool.value(at: 5000)
    try spool.removeValues(from: index)
    #expect(spool.count == index)
    #expect(try spool.value(at: index) == nil)
    for value in 10_000..<13_000 { try spool.append(Int64(value)) }
    for row in 0..<index { #expect(try spool.value(at: row) == Int64(row) * 3) }
    for row in 0..<3000 { #expect(try spool.value(at: index + row) == Int64(10_000 + row)) }
    #expect(try spool.value(at: index + 3000) == nil)
  }

  @Test("Single values are removed from memory and from the file", arguments: [0, 1 << 20], [25, 3000])
  func removeAt(memoryLimit: Int, count: Int) throws {
    var spool = try filled(count, memoryLimit: memoryLimit)
    try spool.remove(at: [])
    #expect(spool.count == count)
    let removed = [0, 7, 8, count - 1]
    try spool.remove(at: removed)
    var left: [Int64] = []
    for index in 0..<spool.count { left.append(try #require(try spool.value(at: index))) }
    let others = (0..<count).filter { !removed.contains($0) }
    #expect(left == others.map { Int64($0) * 3 })
  }

  @Test("A long column that cannot be packed moves to the file, and little remains in memory")
  func spill() throws {
    let seed = SeededGenerator.printedSeed()
    var random = SeededGenerator(seed: seed)
    var spool = ColumnSpool<Double>()
    // 3.2 MB.
    let count = 400_000
    for _ in 0..<count {
      try spool.append(Double(bitPattern: random.next()))
      #expect(spool.memorySize <= 1 << 20)
    }
    #expect(spool.memorySize < count * 8 / 2)
    random = SeededGenerator(seed: seed)
    for index in 0..<count { #expect(try spool.value(at: index)?.bitPattern == random.next()) }
    #expect(try spool.value(at: count) == nil)
  }

  @Test("The coordinates of a hundred hours remain in memory")
  func coordinates() throws {
    var spool = ColumnSpool<Double>()
    let count = 360_000
    for index in 0..<count { try spool.append(Double(469_480_800 + index * 201) / 1e7) }
    // 351 full blocks, each with two bytes per value and 20 others: nothing was written to the file.
    #expect(spool.memorySize == 351 * (2 * 1024 + 20))
    for index in 0..<count { #expect(try spool.value(at: index) == Double(469_480_800 + index * 201) / 1e7) }
  }
}
