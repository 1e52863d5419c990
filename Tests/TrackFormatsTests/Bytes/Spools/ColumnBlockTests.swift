import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Column block")
struct ColumnBlockTests {
  private static let count = ColumnBlock<Double>.count

  /// Packs and unpacks a block, and compares all bits.
  ///
  /// - Returns: the size of the block in bytes.
  @discardableResult
  private func checkedSize<Value: PackableValue>(_ values: [Value], _ what: String = "") -> Int {
    let bytes = ColumnBlock.pack(values.span)
    var unpacked: [Value] = [0]
    // The bytes around the block have no effect.
    ColumnBlock.unpack([7, 7, 7] + bytes + [7], at: 3, to: &unpacked)
    #expect(unpacked.map(\.bits) == values.map(\.bits), "\(what)")
    return bytes.count
  }

  private static let specialDoubles: [Double] = [
    0, -0.0, .nan, -.nan, .signalingNaN, Double(nan: 5, signaling: false), .infinity, -.infinity,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, 180,
    -180, 90,
    0.1, 0.1 + 0.2, 1e13, 0x1p51, 0x1p52, 0x1p53, 1e-13, 1e-14, 7.447400012345678, 1.0 / 3, .pi,
  ]

  /// The number of units per 1: those used by blocks, and finer ones.
  private static let scales: [Double] = [1, 1e1, 1e2, 1e3, 1e5, 1e6, 1e7, 1e8, 1e9, 1e11, 1e13, 1e15]
  private static let steps: [Double] = [0, 1, 100, 40_000, 1e7, 1e10]
  /// The number of other values in a block: none, few enough, and too many for differences.
  private static let oddities = [0, 0, 1, 40, 70, 600]

  @Test("Decimals of any length and step, and other values, are restored bit for bit")
  func doubles() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    for round in 0..<Effort.rounds(400) {
      let scale = Self.scales[round % Self.scales.count]
      let step = Self.steps[Int.random(in: 0..<Self.steps.count, using: &random)]
      let oddities = Self.oddities[Int.random(in: 0..<Self.oddities.count, using: &random)]
      var number = Double.random(in: -180...180, using: &random) * scale
      var values = (0..<Self.count).map { _ -> Double in
        number += Double.random(in: -step...step, using: &random).rounded()
        return number.rounded() / scale
      }
      for _ in 0..<oddities {
        let special = Self.specialDoubles[Int.random(in: 0..<Self.specialDoubles.count, using: &random)]
        values[Int.random(in: 0..<Self.count, using: &random)] =
          Bool.random(using: &random) ? special : Double(bitPattern: random.next())
      }
      checkedSize(values, "round \(round)")
    }
  }

  @Test("Times with any step, missing times and extreme integers are restored bit for bit")
  func integers() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    for round in 0..<Effort.rounds(400) {
      let unit: Int64 = [1_000_000, 1000, 1][round % 3]
      let oddities = Self.oddities[Int.random(in: 0..<Self.oddities.count, using: &random)]
      var time = Int64.random(in: -1_000_000_000_000...2_000_000_000_000, using: &random)
      var values = (0..<Self.count).map { _ -> Int64 in
        time += Int64.random(in: -3...100, using: &random)
        return time * unit
      }
      for _ in 0..<oddities {
        let specials: [Int64] = [
          Instant.absent, .min + 1, .max, -1, 0, 1, Int64(bitPattern: random.next()),
        ]
        values[Int.random(in: 0..<Self.count, using: &random)] =
          specials[Int.random(in: 0..<specials.count, using: &random)]
      }
      checkedSize(values, "round \(round)")
    }
  }

  @Test("A block of equal values is restored bit for bit", arguments: specialDoubles.map(\.bitPattern))
  func constant(bits: UInt64) {
    // One byte and the eight of the value.
    #expect(checkedSize([Double](repeating: Double(bitPattern: bits), count: Self.count)) == 9)
    #expect(checkedSize([Int64](repeating: Int64(bitPattern: bits), count: Self.count)) == 9)
    // The first and the last value differ.
    var values = [Double](repeating: 46.5, count: Self.count)
    values[0] = Double(bitPattern: bits)
    checkedSize(values)
    values.reverse()
    checkedSize(values)
  }

  /// A block of differences begins with 12 bytes and ends with 8 zeros.
  private func size(width: Int, exceptions: Int = 0) -> Int { 12 + Self.count * width + exceptions * 10 + 8 }

  @Test(
    "A difference has as many bytes as it and its sign need",
    arguments: [
      (step: 1, width: 1), (63, 1), (64, 1), (127, 1), (128, 2), (32_767, 2), (32_768, 3), (8_388_607, 3),
      (8_388_608, 4),
    ])
  func widths(step: Int, width: Int) {
    // Units of 10⁻⁷ degrees, back and forth.
    let degrees = (0..<Self.count).map { (row: Int) -> Double in Double(469_480_800 + row % 2 * step) / 1e7 }
    #expect(checkedSize(degrees) == size(width: width))
    let times = (0..<Self.count).map { Int64(1_715_926_352 + ($0 % 2) * step) * 1_000_000 }
    #expect(checkedSize(times) == size(width: width))
  }

  @Test(
    "A few values that are not decimals are stored separately; with too many the block is not packed",
    arguments: [0, 1, 64, 65])
  func exceptions(count: Int) {
    var values = (0..<Self.count).map { (row: Int) -> Double in Double(469_480_800 + row * 201) / 1e7 }
    for index in 0..<count { values[index * 15] = .nan }
    // If a value is omitted, the next difference is twice as large, and also has two bytes.
    #expect(checkedSize(values) == (count <= 64 ? size(width: 2, exceptions: count) : 1 + 8 * Self.count))
  }
}
