import TrackModel

/// Converts an input from UTF-16 to UTF-8. PowerShell writes the output of other programs as UTF-16.
final class UTF16Stream: ByteStream {
  enum Order { case big, little }

  private var input: ByteInput
  private let order: Order
  /// Converted bytes that have not been read yet.
  private var made: [UInt8] = []
  private var taken = 0
  /// The first half of a surrogate pair whose second half has not been read yet.
  private var highSurrogate: UInt32?

  init(_ input: consuming ByteInput, _ order: Order) {
    self.input = input
    self.order = order
  }

  /// Returns the byte order, from a byte order mark or because JSON text begins with ASCII; nil if the input
  /// is not UTF-16.
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
          // An incomplete code unit at the end.
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

  /// Appends a scalar. Invalid values become U+FFFD. A byte order mark is converted too.
  private func append(scalar: UInt32) {
    made.append(contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? .init())
  }
}

extension ByteInput {
  /// Prepares reading text from its start: converts UTF-16 to UTF-8, and skips a byte order mark.
  mutating func openText() throws(TrackError) {
    try fill(atLeast: 4)
    if let order = UTF16Stream.order(of: available) {
      var wide = ByteInput(bytes: [])
      swap(&wide, &self)
      let name = wide.name
      self = ByteInput(stream: UTF16Stream(wide, order), name: name)
      try fill(atLeast: 4)
    }
    if available.count >= 3, available[0] == 0xEF, available[1] == 0xBB, available[2] == 0xBF { consume(3) }
  }
}
