import TrackModel

/// Packs a block of consecutive column values into few bytes: as differences of integers, if the values are
/// multiples of a unit.
///
/// A coordinate read from text with seven decimals is a multiple of 10⁻⁷, and its difference from its
/// neighbour takes two bytes instead of eight. The difference of a time takes one byte. Unpacked values are
/// bit-for-bit the same. Values that are not multiples of the unit are stored unchanged next to the
/// differences. If there are many of them, the whole block is stored unchanged.
///
/// The first byte is the kind of block. If all values are the same (0xFE), the bits of the value follow. If
/// the values are stored unchanged (0xFF), all their bits follow. Otherwise the byte is the index of the
/// unit, followed by
/// - one byte: the size of a difference in bytes, 0 to 8,
/// - two bytes: the number of values that are not multiples of the unit,
/// - eight bytes: the number that the first difference refers to,
/// - the differences, with the sign in the lowest bit, and zero for values that are not multiples,
/// - for each of these values its index, two bytes, and its bits, eight bytes,
/// - eight zero bytes, so that a whole word can be read at the start of any difference.
///
/// All numbers are little-endian.
enum ColumnBlock<Value: PackableValue> {
  /// The number of values in a block: large enough that the overhead is negligible, and small enough to
  /// unpack several columns in the first-level cache.
  static var count: Int { 1024 }

  /// The largest number of values that are not multiples of the unit.
  private static var maximumExceptions: Int { count / 16 }
  private static var headerSize: Int { 12 }

  private static var raw: UInt8 { 0xFF }
  private static var same: UInt8 { 0xFE }

  // MARK: Packing

  /// - Precondition: there are ``count`` values.
  static func pack(_ values: Span<Value>) -> [UInt8] {
    precondition(values.count == count, "a block is full")
    var bytes = ByteBuffer(capacity: headerSize + 2 * count)
    if isSame(values) {
      bytes.append(same)
      bytes.append(word: values[0].bits, count: 8)
      return bytes.array
    }
    var differences = [UInt64](repeating: 0, count: count)
    var exceptions: [Int] = []
    for unit in firstUnit(values)..<Value.units {
      guard let first = measure(values, in: unit, &differences, &exceptions) else { continue }
      let width = (71 - differences.reduce(0, |).leadingZeroBitCount) / 8
      bytes.append(UInt8(truncatingIfNeeded: unit))
      bytes.append(UInt8(truncatingIfNeeded: width))
      bytes.append(word: UInt64(exceptions.count), count: 2)
      bytes.append(word: UInt64(bitPattern: first), count: 8)
      for difference in differences { bytes.append(word: difference, count: width) }
      for index in exceptions {
        bytes.append(word: UInt64(index), count: 2)
        bytes.append(word: values[index].bits, count: 8)
      }
      bytes.append(word: 0, count: 8)
      return bytes.array
    }
    bytes.append(raw)
    for index in values.indices { bytes.append(word: values[index].bits, count: 8) }
    return bytes.array
  }

  private static func isSame(_ values: Span<Value>) -> Bool {
    for index in values.indices where values[index].bits != values[0].bits { return false }
    return true
  }

  /// Returns the coarsest unit that fits a sample of the values, to avoid trying unsuitable units.
  private static func firstUnit(_ values: Span<Value>) -> Int {
    var first = 0
    for index in stride(from: 0, to: values.count, by: 128) {
      if let unit = (0..<Value.units).first(where: { values[index].count(of: $0) != nil }) {
        first = max(first, unit)
      }
    }
    return first
  }

  /// Computes the differences, and finds the values that are not multiples of the unit.
  ///
  /// - Returns: the number that the first difference refers to; nil if there are too many of these values.
  private static func measure(
    _ values: Span<Value>, in unit: Int, _ differences: inout [UInt64], _ exceptions: inout [Int]
  ) -> Int64? {
    exceptions.removeAll()
    var first: Int64?
    for index in values.indices {
      first = values[index].count(of: unit)
      if first != nil { break }
    }
    var last = first ?? 0
    for index in values.indices {
      guard let number = values[index].count(of: unit) else {
        if exceptions.count == maximumExceptions { return nil }
        exceptions.append(index)
        differences[index] = 0
        continue
      }
      // An overflow of the difference is undone by the overflow of the addition.
      let difference = number &- last
      differences[index] = difference.zigzag
      last = number
    }
    return first
  }

  // MARK: Unpacking

  /// Replaces the content of `values` with the values of a block.
  ///
  /// - Parameters:
  ///   - bytes: bytes that include the result of ``pack(_:)``.
  ///   - start: the offset of that result.
  static func unpack(_ bytes: [UInt8], at start: Int = 0, to values: inout [Value]) {
    let bytes = bytes.span.extracting(start...)
    values.removeAll(keepingCapacity: true)
    values.reserveCapacity(count)
    switch bytes[0] {
    case same:
      let value = Value(bits: word(bytes, at: 1))
      for _ in 0..<count { values.append(value) }
    case raw:
      for index in 0..<count { values.append(Value(bits: word(bytes, at: 1 + 8 * index))) }
    default: unpackDifferences(bytes, to: &values)
    }
  }

  private static func unpackDifferences(_ bytes: Span<UInt8>, to values: inout [Value]) {
    let unit = Int(bytes[0])
    let width = Int(bytes[1])
    let exceptions = Int(bytes[2]) | Int(bytes[3]) << 8
    var number = Int64(bitPattern: word(bytes, at: 4))
    let mask: UInt64 = width == 8 ? .max : 1 << UInt64(8 * width) - 1
    var place = headerSize
    for _ in 0..<count {
      let difference = word(bytes, at: place) & mask
      number &+= Int64(zigzag: difference)
      values.append(Value(number, of: unit))
      place += width
    }
    for _ in 0..<exceptions {
      let index = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      values[index] = Value(bits: word(bytes, at: place + 2))
      place += 10
    }
  }

  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}

/// A value of 64 bits that may be a multiple of one of several units.
protocol PackableValue: BitwiseCopyable, ExpressibleByIntegerLiteral {
  /// The number of units. The first is the coarsest, and each is a multiple of the next.
  static var units: Int { get }
  /// Returns the value as a multiple of a unit; nil if ``init(_:of:)`` would not restore all its bits.
  func count(of unit: Int) -> Int64?
  /// Creates a value from a multiple of a unit.
  init(_ count: Int64, of unit: Int)

  var bits: UInt64 { get }
  init(bits: UInt64)
}

/// Decimals: the unit with index n is 10⁻ⁿ.
extension Double: PackableValue {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
  ]

  static var units: Int { powersOfTen.count }

  @inline(__always)
  func count(of unit: Int) -> Int64? {
    let scale = Double.powersOfTen[unit]
    let scaled = self * scale
    // From 2^52 on a number has no fraction to round. NaN fails this comparison too.
    guard abs(scaled) < 0x1p51 else { return nil }
    let shifted = scaled + 0x1.8p52
    // Minus zero would be restored as zero, so it is not a multiple.
    guard ((shifted - 0x1.8p52) / scale).bitPattern == bitPattern else { return nil }
    // Between 2^52 and 2^53 consecutive integers have consecutive bit patterns.
    return Int64(bitPattern: shifted.bitPattern &- (0x1.8p52).bitPattern)
  }

  @inline(__always)
  init(_ count: Int64, of unit: Int) { self = Double(count) / Double.powersOfTen[unit] }

  var bits: UInt64 { bitPattern }
  init(bits: UInt64) { self.init(bitPattern: bits) }
}

/// Microseconds: multiples of seconds, milliseconds or microseconds. The smallest number,
/// ``Instant/absent``, is not a multiple of any unit, so no difference involves it.
extension Int64: PackableValue {
  static var units: Int { 3 }

  @inline(__always)
  func count(of unit: Int) -> Int64? {
    guard self != .min else { return nil }
    switch unit {
    case 0: return isMultiple(of: 1_000_000) ? self / 1_000_000 : nil
    case 1: return isMultiple(of: 1000) ? self / 1000 : nil
    default: return self
    }
  }

  @inline(__always)
  init(_ count: Int64, of unit: Int) {
    switch unit {
    case 0: self = count &* 1_000_000
    case 1: self = count &* 1000
    default: self = count
    }
  }

  var bits: UInt64 { UInt64(bitPattern: self) }
  init(bits: UInt64) { self.init(bitPattern: bits) }
}
