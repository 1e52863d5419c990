import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Column block")
struct ColumnBlockTests {
  private static let count = ColumnBlock<Double>.count

  /// Packs and unpacks a block, and compares all bits.
  ///
  /// - Returns: how many bytes it took.
  @discardableResult
  private func checkedSize<Value: PackableValue>(_ values: [Value], _ what: String = "") -> Int {
    let bytes = ColumnBlock.pack(values.span)
    var unpacked: [Value] = [0]
    // What stands around the block makes no difference.
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

  /// How many there are to 1: those that blocks count in, and finer ones.
  private static let scales: [Double] = [1, 1e1, 1e2, 1e3, 1e5, 1e6, 1e7, 1e8, 1e9, 1e11, 1e13, 1e15]
  private static let steps: [Double] = [0, 1, 100, 40_000, 1e7, 1e10]
  /// How many values of a block are made others: none, few enough, and too many for differences.
  private static let oddities = [0, 0, 1, 40, 70, 600]

  @Test("Decimals of any length, steps of any size and what is no decimal come back bit for bit")
  func doubles() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    for round in 0..<400 {
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

  @Test("Times of any step, none among them, and the extremes of integers come back bit for bit")
  func integers() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    for round in 0..<400 {
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

  @Test("A block of any one value comes back bit for bit", arguments: specialDoubles.map(\.bitPattern))
  func constant(bits: UInt64) {
    // One byte and the value's eight.
    #expect(checkedSize([Double](repeating: Double(bitPattern: bits), count: Self.count)) == 9)
    #expect(checkedSize([Int64](repeating: Int64(bitPattern: bits), count: Self.count)) == 9)
    // The first and the last are on their own.
    var values = [Double](repeating: 46.5, count: Self.count)
    values[0] = Double(bitPattern: bits)
    checkedSize(values)
    values.reverse()
    checkedSize(values)
  }

  /// A block of differences has a head of 12 bytes and ends with 8 zeros.
  private func size(width: Int, exceptions: Int = 0) -> Int { 12 + Self.count * width + exceptions * 10 + 8 }

  @Test(
    "A difference takes as many bytes as it and its sign need",
    arguments: [
      (step: 1, width: 1), (63, 1), (64, 1), (127, 1), (128, 2), (32_767, 2), (32_768, 3), (8_388_607, 3),
      (8_388_608, 4),
    ])
  func widths(step: Int, width: Int) {
    // Ten millionths of a degree, forth and back.
    let degrees = (0..<Self.count).map { Double(469_480_800 + ($0 % 2) * step) / 1e7 }
    #expect(checkedSize(degrees) == size(width: width))
    let times = (0..<Self.count).map { Int64(1_715_926_352 + ($0 % 2) * step) * 1_000_000 }
    #expect(checkedSize(times) == size(width: width))
  }

  @Test(
    "Some values that are no decimals wait beside the others, too many as they are",
    arguments: [0, 1, 64, 65])
  func exceptions(count: Int) {
    var values = (0..<Self.count).map { Double(469_480_800 + $0 * 201) / 1e7 }
    for index in 0..<count { values[index * 15] = .nan }
    // Where one is left out, the next difference is twice as far, and two bytes as well.
    #expect(checkedSize(values) == (count <= 64 ? size(width: 2, exceptions: count) : 1 + 8 * Self.count))
  }
}
