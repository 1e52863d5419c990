import TrackModel

/// Neighbours of a column that wait together in few bytes: as differences of whole numbers, where the values
/// are whole numbers of some unit.
///
/// A coordinate that was read from a text of seven decimals is a whole number of ten millionths, and next to
/// its neighbour it is two bytes instead of eight; a time is one. Values come back bit for bit. What is no
/// whole number of the unit waits beside the differences as it is; where there is much of that, so does the
/// whole block.
///
/// In the first byte is what the block is. Where all values are the same, its bits follow (0xFE); where they
/// wait as they are, all their bits (0xFF). Otherwise the byte is the index of the unit, and then come
/// - a byte with how many bytes a difference has, 0 to 8,
/// - two bytes with how many values are no whole numbers,
/// - eight with the number that the first difference is to,
/// - the differences, the sign in the lowest bit, that of such values zero,
/// - the index, two bytes, and the bits, eight, of each of such values,
/// - eight zeros, so that behind the start of any difference there is a whole word.
///
/// All numbers have their lowest byte first.
enum ColumnBlock<Value: PackableValue> {
  /// How many values a block has: enough to make what stands around them vanish, few enough to be unpacked
  /// next to other columns in the first-level cache.
  static var count: Int { 1024 }

  /// How many values may be no whole numbers.
  private static var maximumExceptions: Int { count / 16 }
  private static var headerSize: Int { 12 }

  private static var raw: UInt8 { 0xFF }
  private static var same: UInt8 { 0xFE }

  // MARK: Packing

  /// - Precondition: as many values as ``count`` says.
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

  /// The coarsest unit that some of the values have, so that hardly any is tried on all of them in vain.
  private static func firstUnit(_ values: Span<Value>) -> Int {
    var first = 0
    for index in stride(from: 0, to: values.count, by: 128) {
      if let unit = (0..<Value.units).first(where: { values[index].count(of: $0) != nil }) {
        first = max(first, unit)
      }
    }
    return first
  }

  /// Works out the differences, and which values are no whole numbers.
  ///
  /// - Returns: the number that the first difference is to; nil where there are too many of those values.
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
      // A difference that runs over runs back when it is added.
      let difference = number &- last
      differences[index] = UInt64(bitPattern: difference << 1 ^ difference >> 63)
      last = number
    }
    return first
  }

  // MARK: Unpacking

  /// Puts the values of a block in place of what is in `values`.
  ///
  /// - Parameters:
  ///   - bytes: among them what ``pack(_:)`` made.
  ///   - start: where that begins.
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
      number &+= Int64(bitPattern: difference >> 1) ^ -Int64(bitPattern: difference & 1)
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

/// A value of 64 bits that may be a whole number of one of several units.
protocol PackableValue: BitwiseCopyable, ExpressibleByIntegerLiteral {
  /// How many units there are; the first is the coarsest, and each is a whole number of the next.
  static var units: Int { get }
  /// How many of a unit the value is; nil where ``init(_:of:)`` would not give it back to the bit.
  func count(of unit: Int) -> Int64?
  /// So many of a unit.
  init(_ count: Int64, of unit: Int)

  var bits: UInt64 { get }
  init(bits: UInt64)
}

/// Decimals: of a unit there are as many to 1 as its index has zeros behind a one.
extension Double: PackableValue {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
  ]

  static var units: Int { powersOfTen.count }

  @inline(__always)
  func count(of unit: Int) -> Int64? {
    let scale = Double.powersOfTen[unit]
    let scaled = self * scale
    // Beyond 2^52 a number has no fraction to round off; what is no number is not less either.
    guard abs(scaled) < 0x1p51 else { return nil }
    let shifted = scaled + 0x1.8p52
    // Minus zero comes back as zero, and so is none.
    guard ((shifted - 0x1.8p52) / scale).bitPattern == bitPattern else { return nil }
    // From 2^52 to 2^53 the bits of a number count by one.
    return Int64(bitPattern: shifted.bitPattern &- (0x1.8p52).bitPattern)
  }

  @inline(__always)
  init(_ count: Int64, of unit: Int) { self = Double(count) / Double.powersOfTen[unit] }

  var bits: UInt64 { bitPattern }
  init(bits: UInt64) { self.init(bitPattern: bits) }
}

/// Microseconds: whole seconds, milliseconds, or any. The smallest number, ``Instant/absent``, is of no unit,
/// so that no difference is to it.
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
