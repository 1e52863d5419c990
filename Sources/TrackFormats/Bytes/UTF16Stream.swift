import TrackModel

/// UTF-16 on its way in, turned into UTF-8: what PowerShell makes of another program's output.
final class UTF16Stream: ByteStream {
  enum Order { case big, little }

  private var input: ByteInput
  private let order: Order
  /// UTF-8 that was made and not yet asked for.
  private var made: [UInt8] = []
  private var taken = 0
  /// The first half of a surrogate pair whose other half has not come yet.
  private var highSurrogate: UInt32?

  init(_ input: consuming ByteInput, _ order: Order) {
    self.input = input
    self.order = order
  }

  /// The order of the bytes, by a byte order mark or because text of JSON begins with ASCII; nil for what is
  /// not UTF-16.
  static func order(of bytes: Span<UInt8>) -> Order? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xFF, 0xFE, 0, 0): return nil  // UTF-32
    case (0xFF, 0xFE, _, _): return .little
    case (0xFE, 0xFF, _, _): return .big
    case (1..., 0, 1..., 0): return .little
    case (0, 1..., 0, 1...): return .big
    default: return nil
    }
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    while taken == made.count {
      made.removeAll(keepingCapacity: true)
      taken = 0
      if input.available.count < 2, try !input.fill() {
        if !input.available.isEmpty || highSurrogate != nil {
          // Half a character at the very end.
          input.consumeAll()
          highSurrogate = nil
          made = Array("\u{FFFD}".utf8)
          continue
        }
        return 0
      }
      convert()
    }
    let given = min(count, made.count - taken)
    unsafe made.withUnsafeBufferPointer { bytes in
      if let first = bytes.baseAddress { unsafe start.update(from: first + taken, count: given) }
    }
    taken += given
    return given
  }

  private func convert() {
    let count = input.available.count & ~1
    for index in stride(from: 0, to: count, by: 2) {
      let first = UInt32(input.available[index])
      let second = UInt32(input.available[index + 1])
      append(order == .big ? first << 8 | second : second << 8 | first)
    }
    input.consume(count)
  }

  private func append(_ unit: UInt32) {
    if let high = highSurrogate {
      highSurrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        append(scalar: 0x10000 + (high & 0x3FF) << 10 + unit & 0x3FF)
        return
      }
      append(scalar: 0xFFFD)
    }
    if unit & 0xFC00 == 0xD800 {
      highSurrogate = unit
    } else {
      append(scalar: unit)
    }
  }

  /// What is no character becomes U+FFFD. A byte order mark comes out as one.
  private func append(scalar: UInt32) {
    made.append(contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? .init())
  }
}
