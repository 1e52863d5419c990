import TrackFormats
import TrackModel

/// Unpacks gzip (RFC 1952, RFC 1951) byte by byte, up to the very place of a damage.
///
/// For damaged files only: libarchive is several times faster, but gives nothing of the last 64 KiB before a
/// damage.
struct Inflation: ~Copyable {
  private enum Stop: Error { case damage }

  /// A Huffman code: how many codes there are of each length, and their symbols in the order of the codes.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(lengths: some Collection<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      for length in 1...15 {
        for (symbol, other) in lengths.enumerated() where other == length { symbols.append(symbol) }
      }
    }
  }

  private enum Block {
    case none
    case stored(Int)
    case compressed(Code, Code)
  }

  private var input: ByteInput
  private var bits = 0
  private var bitCount = 0
  private var block = Block.none
  private var isLast = false
  private var isInMember = false
  private var isAtEnd = false
  /// What was unpacked and not yet taken, behind what references may still reach.
  private var window: [UInt8] = []
  private var taken = 0

  /// How far back a reference reaches.
  private static let reach = 1 << 15

  init(_ input: consuming ByteInput) { self.input = input }

  /// Unpacks some more.
  ///
  /// - Returns: some bytes; none at the end or the damage.
  mutating func next() -> ArraySlice<UInt8> {
    if window.count > 4 * Inflation.reach {
      window.removeFirst(window.count - Inflation.reach)
      taken = window.count
    }
    do throws(Stop) {
      while !isAtEnd, window.count - taken < Inflation.reach { try step() }
    } catch {
      isAtEnd = true
    }
    defer { taken = window.count }
    return window[taken...]
  }

  // MARK: Bits

  private mutating func byte() throws(Stop) -> UInt8 {
    if input.available.isEmpty {
      guard (try? input.fill()) == true else { throw .damage }
    }
    let byte = input.available[0]
    input.consume(1)
    return byte
  }

  private mutating func take(_ count: Int) throws(Stop) -> Int {
    while bitCount < count {
      bits |= Int(try byte()) << bitCount
      bitCount += 8
    }
    let value = bits & (1 << count - 1)
    bits >>= count
    bitCount -= count
    return value
  }

  private mutating func symbol(_ code: Code) throws(Stop) -> Int {
    var value = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw .damage
  }

  // MARK: Steps

  private mutating func step() throws(Stop) {
    guard isInMember else { return try beginMember() }
    switch block {
    case .none: try isLast ? endMember() : beginBlock()
    case .stored(let count):
      guard count > 0 else {
        block = .none
        return
      }
      window.append(try byte())
      block = .stored(count - 1)
    case .compressed(let literals, let distances): try readSymbol(literals, distances)
    }
  }

  private mutating func beginMember() throws(Stop) {
    // Members may follow each other; what is none ends the file.
    guard try byte() == 0x1F, try byte() == 0x8B, try byte() == 8 else { throw .damage }
    let flags = try byte()
    for _ in 0..<6 { _ = try byte() }
    if flags & 4 != 0 {
      let low = Int(try byte())
      let high = Int(try byte())
      for _ in 0..<(low | high << 8) { _ = try byte() }
    }
    if flags & 8 != 0 { while try byte() != 0 {} }
    if flags & 16 != 0 { while try byte() != 0 {} }
    if flags & 2 != 0 { for _ in 0..<2 { _ = try byte() } }
    isInMember = true
    isLast = false
  }

  private mutating func endMember() throws(Stop) {
    (bits, bitCount) = (0, 0)
    for _ in 0..<8 { _ = try byte() }
    isInMember = false
  }

  private mutating func beginBlock() throws(Stop) {
    isLast = try take(1) == 1
    switch try take(2) {
    case 0:
      (bits, bitCount) = (0, 0)
      let low = Int(try byte())
      let length = low | Int(try byte()) << 8
      for _ in 0..<2 { _ = try byte() }
      block = .stored(length)
    case 1:
      let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
      block = .compressed(Code(lengths: lengths), Code(lengths: Array(repeating: 5, count: 30)))
    case 2: try beginDynamicBlock()
    default: throw .damage
    }
  }

  /// In which order the lengths of the code for lengths stand.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func beginDynamicBlock() throws(Stop) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let orderCount = try take(4) + 4
    var lengths = [Int](repeating: 0, count: 19)
    for place in Inflation.order.prefix(orderCount) { lengths[place] = try take(3) }
    let code = Code(lengths: lengths)
    var all: [Int] = []
    while all.count < literalCount + distanceCount {
      switch try symbol(code) {
      case 16:
        guard let last = all.last else { throw .damage }
        all += Array(repeating: last, count: try take(2) + 3)
      case 17: all += Array(repeating: 0, count: try take(3) + 3)
      case 18: all += Array(repeating: 0, count: try take(7) + 11)
      case let length: all.append(length)
      }
    }
    guard all.count == literalCount + distanceCount else { throw .damage }
    block = .compressed(Code(lengths: all.prefix(literalCount)), Code(lengths: all.suffix(distanceCount)))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
  ]

  private mutating func readSymbol(_ literals: Code, _ distances: Code) throws(Stop) {
    let value = try symbol(literals)
    if value < 256 {
      window.append(UInt8(value))
    } else if value == 256 {
      block = .none
    } else {
      guard value - 257 < Inflation.lengthBases.count else { throw .damage }
      let length = Inflation.lengthBases[value - 257] + (try take(Inflation.lengthBits[value - 257]))
      let place = try symbol(distances)
      guard place < Inflation.distanceBases.count else { throw .damage }
      let distance = Inflation.distanceBases[place] + (try take(max(place / 2 - 1, 0)))
      guard distance <= window.count else { throw .damage }
      for _ in 0..<length { window.append(window[window.count - distance]) }
    }
  }
}
