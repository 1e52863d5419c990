package import TrackModel

/// Converts an input from UTF-16 or UTF-32 to UTF-8. PowerShell writes the output of other programs as
/// UTF-16.
final class WideTextStream: ByteStream {
  struct Encoding: Equatable {
    /// The bytes of a code unit, 2 or 4.
    let width: Int
    let isBigEndian: Bool
  }

  private var input: ByteInput
  private let encoding: Encoding
  /// Converted bytes that have not been read yet.
  private var made: [UInt8] = []
  private var taken = 0
  /// The first half of a surrogate pair whose second half has not been read yet.
  private var highSurrogate: UInt32?

  init(_ input: consuming ByteInput, _ encoding: Encoding) {
    self.input = input
    self.encoding = encoding
  }

  /// Returns the encoding, from a byte order mark or because the text begins with ASCII; nil if it is neither
  /// UTF-16 nor UTF-32.
  static func encoding(of bytes: Span<UInt8>) -> Encoding? {
    guard bytes.count >= 4 else { return nil }
    return switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xFF, 0xFE, 0, 0), (1..., 0, 0, 0): Encoding(width: 4, isBigEndian: false)
    case (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...): Encoding(width: 4, isBigEndian: true)
    case (0xFF, 0xFE, _, _), (1..., 0, 1..., 0): Encoding(width: 2, isBigEndian: false)
    case (0xFE, 0xFF, _, _), (0, 1..., 0, 1...): Encoding(width: 2, isBigEndian: true)
    default: nil
    }
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    while taken == made.count {
      made.removeAll(keepingCapacity: true)
      taken = 0
      if input.available.count < encoding.width, try !input.fill() {
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
    let width = encoding.width
    let count = input.available.count & ~(width - 1)
    for index in stride(from: 0, to: count, by: width) {
      var unit: UInt32 = 0
      for byte in 0..<width {
        unit = unit << 8 | UInt32(input.available[index + (encoding.isBigEndian ? byte : width - 1 - byte)])
      }
      if width == 4 { append(scalar: unit) } else { append(unit) }
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
  /// Prepares reading text from its start: converts UTF-16 and UTF-32 to UTF-8, and skips a byte order
  /// mark.
  ///
  /// - Returns: whether the text is converted, so that its offsets are not those of the file.
  @discardableResult
  package mutating func openText() throws(TrackError) -> Bool {
    try fill(atLeast: 4)
    let encoding = WideTextStream.encoding(of: available)
    if let encoding {
      var wide = ByteInput(bytes: [])
      swap(&wide, &self)
      let name = wide.name
      self = ByteInput(stream: WideTextStream(wide, encoding), name: name)
      try fill(atLeast: 4)
    }
    skipByteOrderMark()
    return encoding != nil
  }

  /// Skips a UTF-8 byte order mark at the start of ``available``.
  mutating func skipByteOrderMark() {
    let length = available.byteOrderMarkLength
    consume(length)
  }
}
