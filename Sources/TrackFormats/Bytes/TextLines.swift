import TrackModel

/// The lines of a text input in UTF-8, UTF-16, UTF-32 or an 8-bit encoding, read one by one. A line ends
/// with a line feed, a carriage return or both.
///
/// Only the current line is in memory. A line that cannot be read has a ``flaw``. Zero bytes at the end of
/// the input, with which some loggers reserve space, are left out.
struct TextLines: ~Copyable {
  private var input: ByteInput
  /// The number of the current line, from 1.
  private(set) var number = 0
  /// The offset of the current line.
  private var start = 0
  /// The length of the current line, and of the line with its end.
  private var length = 0
  private var lengthWithEnd = 0
  /// The length of a byte order mark at the start of the line, which files have that were joined.
  private var markLength = 0
  /// Why the current line cannot be read. It is then empty.
  private(set) var flaw: LineFlaw?

  /// The maximum length of a line in bytes.
  private let limit: Int

  init(_ input: consuming ByteInput, _ options: ReadingOptions) {
    self.input = input
    limit = options.limits.lineSize
  }

  /// The bytes of the current line without its end.
  var line: Span<UInt8> {
    @_lifetime(borrow self) get { input.available.extracting(markLength..<(markLength + length)) }
  }

  /// Whether a line end follows the current line, not the end of the input.
  var isClosed: Bool { lengthWithEnd > markLength + length }

  /// The place of the current line, for errors.
  var place: InputLocation { InputLocation(line: number, byteOffset: start) }

  /// Reads the next line.
  ///
  /// - Returns: false at the end of the input.
  mutating func advance() throws(TrackError) -> Bool {
    input.consume(lengthWithEnd)
    length = 0
    markLength = 0
    lengthWithEnd = 0
    flaw = nil
    if number == 0 { try input.openText() }
    start = input.offset
    var searched = 0
    var zeros = 0
    while true {
      searched = TextLines.endOfLine(in: input.available, from: searched, &zeros)
      if searched < input.available.count {
        // The line feed after a carriage return may not have been read yet.
        if input.available[searched] == 0x0D { try input.fill(atLeast: searched + 2) }
        let isPair =
          input.available[searched] == 0x0D && searched + 1 < input.available.count
          && input.available[searched + 1] == 0x0A
        lengthWithEnd = searched + (isPair ? 2 : 1)
        break
      }
      if searched > limit {
        flaw = .tooLong(limit: limit)
        input.consume(searched)
        searched = 0
      }
      if try !input.fill() {
        guard input.offset + searched > start + zeros else {
          input.consume(searched)
          return false
        }
        lengthWithEnd = searched
        break
      }
    }
    if zeros > 0 { flaw = .zeros } else if searched > limit { flaw = .tooLong(limit: limit) }
    markLength = flaw == nil && input.available.starts(with: "\u{FEFF}") ? 3 : 0
    length = flaw == nil ? searched - markLength : 0
    number += 1
    return true
  }

  /// Returns the index of the first line end from an index on, or the count, and counts the zeros before it.
  private static func endOfLine(in bytes: Span<UInt8>, from start: Int, _ zeros: inout Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index] <= 0x0D {
        if bytes[index] == 0x0A || bytes[index] == 0x0D { break }
        if bytes[index] == 0 { zeros += 1 }
      }
      index += 1
    }
    return index
  }
}

/// Why a line cannot be read.
enum LineFlaw: Equatable {
  /// The line has more bytes than the limit.
  case tooLong(limit: Int)
  /// The line has zero bytes, which a file has in place of blocks that were lost.
  case zeros

  var code: TrackWarning.Code {
    switch self {
    case .tooLong: .tooLongLine
    case .zeros: .damaged
    }
  }

  var message: String {
    switch self {
    case .tooLong(let limit): "line of more than \(ReadingLimits.text(size: limit)), skipped"
    case .zeros: "line with zero bytes in place of lost data, skipped"
    }
  }
}

extension WarningLog {
  /// Counts a warning about the current line, and quotes the line. For a line with a flaw, this is the
  /// warning.
  mutating func report(
    _ code: TrackWarning.Code, _ message: String, line lines: borrowing TextLines, isStrict: Bool
  ) throws(TrackError) {
    let (code, message) = lines.flaw.map { ($0.code, $0.message) } ?? (code, message)
    if !isStrict, reportRepeated(code, message) { return }
    try report(
      code, message, isStrict: isStrict, at: lines.place, offendingText: lines.line.trimmedText)
  }
}

extension Span<UInt8> {
  /// Returns the index of the first byte from `index` on that is neither white space nor a control character.
  func indexAfterBlanks(from index: Int) -> Int {
    var index = index
    while index < count, self[index] <= 0x20 { index += 1 }
    return index
  }

  /// Returns the index of the first blank from `index` on, or the count.
  func indexOfBlank(from index: Int) -> Int {
    var index = index
    while index < count, self[index] > 0x20 { index += 1 }
    return index
  }

  /// Returns the index of the first byte with a value from `index` on, or the count.
  package func index(of byte: UInt8, from index: Int) -> Int {
    var index = index
    while index < count, self[index] != byte { index += 1 }
    return Swift.min(index, count)
  }

  /// Whether the bytes start with ASCII text.
  package func starts(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      for index in 0..<text.count where unsafe self[index] != text[index] { return false }
      return true
    }
  }

  /// Returns the number formed by the ASCII digits of a range, or `nil` if it has other bytes or is empty.
  func digits(_ range: Range<Int>) -> Int? {
    guard range.lowerBound >= 0, range.upperBound <= count, !range.isEmpty, range.count <= 18 else {
      return nil
    }
    var value = 0
    for index in range {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// The text without surrounding blanks, decoded as UTF-8, or as Latin-1 if it is not valid UTF-8.
  var trimmedText: String {
    let bytes = array.drop { $0 <= 0x20 }
    let text = bytes.prefix((bytes.lastIndex { $0 > 0x20 } ?? bytes.startIndex - 1) - bytes.startIndex + 1)
    return String(validating: text, as: UTF8.self)
      ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
  }
}

extension TrackWarning.Code {
  static let tooLongLine = TrackWarning.Code("too-long-line")
}
