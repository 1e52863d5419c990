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
    "Values come back in order and in any other, from memory and from the file",
    arguments: [0, 100, 80_000, 1 << 20], [0, 1, 9000, 30_001])
  func values(memoryLimit: Int, count: Int) throws {
    var spool = try filled(count, memoryLimit: memoryLimit)
    #expect(spool.count == count && spool.isEmpty == (count == 0))
    for index in 0..<count { #expect(try spool.value(at: index) == Int64(index) * 3) }
    for index in stride(from: count - 1, through: 0, by: -997) {
      #expect(try spool.value(at: index) == Int64(index) * 3)
    }
    #expect(try spool.value(at: count) == nil)
    // Filling may go on after reading.
    try spool.append(-1)
    #expect(try spool.value(at: count) == -1)
    if count > 0 { #expect(try spool.value(at: 0) == 0) }
  }

  @Test("Values from an index on are forgotten, wherever they lie", arguments: [0, 1, 9, 10, 15, 20])
  func removeFrom(index: Int) throws {
    // Ten values fit into memory; the first twenty may lie in the file.
    var spool = try filled(20, memoryLimit: 80)
    spool.removeValues(from: index)
    #expect(spool.count == index)
    #expect(try spool.value(at: index) == nil)
    for value in 100..<150 { try spool.append(Int64(value)) }
    for row in 0..<index { #expect(try spool.value(at: row) == Int64(row) * 3) }
    for row in 0..<50 { #expect(try spool.value(at: index + row) == Int64(100 + row)) }
  }

  @Test("Single values are left out, wherever they lie", arguments: [80, 1 << 20])
  func removeAt(memoryLimit: Int) throws {
    var spool = try filled(25, memoryLimit: memoryLimit)
    try spool.remove(at: [])
    #expect(spool.count == 25)
    try spool.remove(at: [0, 7, 8, 24])
    var left: [Int64] = []
    for index in 0..<spool.count { left.append(try #require(try spool.value(at: index))) }
    #expect(left == (0..<25).filter { ![0, 7, 8, 24].contains($0) }.map { Int64($0) * 3 })
  }
}
