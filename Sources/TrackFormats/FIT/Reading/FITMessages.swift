public import TrackModel

/// Iterates over the messages of one or more chained FIT files.
struct FITMessages: ~Copyable {
  enum Item {
    /// A data message of a local type. ``FITMessages/payload`` holds it until the next call.
    case message(local: Int)
    /// The end of a file.
    case endOfFile
    /// The end of the input.
    case end
  }

  private var input: ByteInput
  private let options: ReadingOptions
  private(set) var log = WarningLog()
  /// The definitions of the current file by local type.
  private(set) var definitions: [FITDefinition?] = Array(repeating: nil, count: 16)
  /// The layouts of ``definitions``.
  private var layouts = InlineArray<16, FITDefinition.Layout?>(repeating: nil)
  /// The timestamp of the last message, or of the most recent one with a timestamp, in FIT seconds.
  private var lastTimestamp: UInt32?
  /// The timestamp of the last message itself.
  private(set) var timestamp: UInt32?
  /// The number of data messages in all files.
  private(set) var count = 0

  private var isInFile = false
  private var files = 0
  /// The end offset of the current file's messages, or `nil` if its header does not contain it.
  private var end: Int?
  private var checksum = FITChecksum()
  /// The size of the current file's header, and its offset in the input.
  private var headerSize = 0
  private var start = 0
  /// The size of the last returned message in bytes, including its header.
  private var pending = 0

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    self.input = input
    self.options = options
  }

  /// The bytes of the last returned message, without its header.
  var payload: Span<UInt8> {
    @_lifetime(borrow self) get { input.available.extracting(min(pending, 1)..<pending) }
  }

  /// The number of message bytes left in the current file according to its header, or 0 if unknown.
  var expectedBytes: Int { end.map { max($0 - input.offset, 0) } ?? 0 }

  /// The offset of the last returned message.
  var offset: Int { input.offset }

  /// Counts a defect.
  mutating func warn(
    _ code: TrackWarning.Code, _ message: String, count: Int = 1, at place: InputLocation? = nil
  ) throws(TrackError) {
    let offset = input.offset
    try log.report(
      code, message, count: count, isStrict: options.isStrict, at: place ?? InputLocation(byteOffset: offset))
  }

  /// Advances to the next message.
  ///
  /// - Throws: `malformed` or `truncated` if reading cannot continue.
  mutating func next() throws(TrackError) -> Item {
    take(pending)
    pending = 0
    if !isInFile, try !beginFile() { return .end }
    while true {
      if try isAtEndOfMessages() {
        try endFile()
        return .endOfFile
      }
      let header = input.available[0]
      if header & 0xC0 == 0x40 {
        try readDefinition(hasDeveloperFields: header & 0x20 != 0)
        continue
      }
      let local = Int(header & 0x80 != 0 ? header >> 5 & 0x03 : header & 0x0F)
      guard let layout = layouts.span[local] else {
        throw damage("message of local type \(local) without a definition", .malformed)
      }
      try need(1 + layout.size, path: FITMessageNumber.name(layout.message))
      try checkForHeader(in: 1 + layout.size)
      pending = 1 + layout.size
      readTimestamp(header, layout)
      count += 1
      return .message(local: local)
    }
  }

  // MARK: Files

  /// Reads the header of the next file. Returns false at the end of the input.
  private mutating func beginFile() throws(TrackError) -> Bool {
    try input.fill(atLeast: FITHeader.fullSize)
    guard let header = FITHeader(input.available) else {
      if files > 0 {
        if !input.available.isEmpty {
          try warn(.trailingContent, "bytes after the end that are not a FIT file, ignored")
        }
        return try resume() ? beginFile() : false
      }
      if input.available.isEmpty { throw TrackError(.truncated, "the file is empty") }
      if input.available.count < FITHeader.fullSize { throw damage("truncated header", .truncated) }
      throw FITHeader.hasSignature(input.available)
        ? damage("header of \(input.available[0]) bytes instead of 12 or 14", .malformed)
        : damage("no FIT header", .malformed)
    }
    files += 1
    if header.hasWrongChecksum { try warn(.wrongChecksum, "wrong header checksum") }
    isInFile = true
    definitions = Array(repeating: nil, count: 16)
    layouts = InlineArray(repeating: nil)
    lastTimestamp = nil
    checksum = FITChecksum()
    start = input.offset
    headerSize = header.size
    end = header.dataSize == 0 ? nil : input.offset + header.size + header.dataSize
    take(header.size)
    if header.dataSize == 0 {
      try input.fill(atLeast: 3)
      // If only a checksum follows, the file is empty.
      if input.available.count > 2 {
        try warn(
          .wrongSize, "data size of 0 in the header, as after a power loss; read to the end")
      }
    }
    return true
  }

  /// Whether the current file has no more messages.
  private mutating func isAtEndOfMessages() throws(TrackError) -> Bool {
    if let end, input.offset >= end { return true }
    guard input.available.count < FITHeader.fullSize else {
      // Another file follows one whose header has no data size.
      return end == nil && FITHeader(input.available) != nil
    }
    try input.fill(atLeast: FITHeader.fullSize)
    if isAtChecksum {
      if end != nil { try warn(.wrongSize, "data size in the header larger than the file") }
      return true
    }
    if end == nil { return input.available.isEmpty || FITHeader(input.available) != nil }
    if input.available.isEmpty { throw damage("the file ends before its messages", .truncated) }
    return false
  }

  /// Whether the remaining bytes are the checksum of all previous bytes.
  private var isAtChecksum: Bool { input.available.count == 2 && isChecksumRight }

  /// Whether the stored checksum matches all previous bytes, or those bytes with the correct data size if the
  /// header's is 0.
  private var isChecksumRight: Bool {
    if storedChecksum == checksum.value { return true }
    guard end == nil, let size = UInt32(exactly: input.offset - start - headerSize) else { return false }
    return storedChecksum == checksum.value ^ FITHeader.checksumChange(dataSize: size, headerSize: headerSize)
  }

  private var storedChecksum: UInt16 { UInt16(input.available[0]) | UInt16(input.available[1]) << 8 }

  private mutating func endFile() throws(TrackError) {
    isInFile = false
    try input.fill(atLeast: 2)
    guard input.available.count >= 2, end != nil || FITHeader(input.available) == nil else {
      let rest = input.available.count
      if end != nil { take(rest) }
      return try warn(.missingChecksum, "missing checksum at the end")
    }
    let isWrong = !isChecksumRight
    take(2)
    if isWrong { try warn(.wrongChecksum, "wrong checksum; some data may be wrong") }
  }

  /// Searches for another file after damage.
  ///
  /// - Returns: whether there is one. ``next()`` then starts it.
  mutating func resume() -> Bool {
    isInFile = false
    pending = 0
    while true {
      do { try input.fill(atLeast: FITHeader.fullSize) } catch { return false }
      guard input.available.count >= FITHeader.fullSize else { return false }
      let count = input.available.count - FITHeader.fullSize + 1
      if let start = headerStart(in: 0..<count) {
        input.consume(start)
        return true
      }
      input.consume(count)
    }
  }

  /// The offset of the next valid header in the buffer. Headers with a wrong checksum are skipped.
  private func headerStart(in range: Range<Int>) -> Int? {
    let bytes = input.available
    let end = min(range.upperBound, bytes.count - FITHeader.fullSize + 1)
    var start = range.lowerBound
    while start < end, let candidate = FITMessages.signature(in: bytes, start..<end) {
      if bytes[candidate] == 14 || bytes[candidate] == 12,
        let header = FITHeader(bytes.extracting(candidate..<bytes.count)), !header.hasWrongChecksum
      {
        return candidate
      }
      start = candidate + 1
    }
    return nil
  }

  /// Returns the first offset at which a header with the point of the signature may begin, eight at a time.
  @inline(__always)
  private static func signature(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var start = range.lowerBound
    while start < range.upperBound, start &+ 16 <= bytes.count {
      let others =
        FITBaseType.bits(bytes, at: start &+ 8, size: 8, isBigEndian: false) ^ 0x2E2E_2E2E_2E2E_2E2E
      // The lowest bit that is set belongs to the first point.
      let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
      if found != 0 {
        start &+= found.trailingZeroBitCount >> 3
        return start < range.upperBound ? start : nil
      }
      start &+= 8
    }
    while start < range.upperBound {
      if bytes[start + 8] == 0x2E { return start }
      start += 1
    }
    return nil
  }

  /// If a file was truncated, the next file starts where its messages should be.
  private mutating func checkForHeader(in count: Int) throws(TrackError) {
    guard end != nil else { return }
    if input.available.count < count + FITHeader.fullSize {
      try input.fill(atLeast: count + FITHeader.fullSize)
    }
    guard let start = headerStart(in: 0..<count) else { return }
    take(start)
    throw damage("another file starts before the messages of this file end", .truncated)
  }

  // MARK: Messages

  private mutating func readDefinition(hasDeveloperFields: Bool) throws(TrackError) {
    let local = Int(input.available[0] & 0x0F)
    // The longest definition has 255 fields of each kind.
    if input.available.count < 2048 { try input.fill(atLeast: 2048) }
    let definition: FITDefinition
    let length: Int
    do throws(FITDefinition.Flaw) {
      let bytes = input.available
      (definition, length) = try FITDefinition.read(
        bytes.extracting(1..<bytes.count), hasDeveloperFields: hasDeveloperFields)
    } catch {
      switch error {
      case .incomplete: throw damage("the file ends inside a definition", .truncated)
      case .unknownArchitecture: throw damage("definition with an unknown byte order", .malformed)
      }
    }
    try need(1 + length, path: "definition")
    try checkForHeader(in: 1 + length)
    definitions[local] = definition
    layouts[local] = definition.layout
    take(1 + length)
  }

  /// Fills the buffer with a whole message.
  private mutating func need(_ count: Int, path: @autoclosure () -> String) throws(TrackError) {
    if input.available.count < count { try input.fill(atLeast: count) }
    guard input.available.count >= count else {
      throw damage("the file ends inside a message", .truncated, path: path())
    }
    if let end, input.offset + count > end {
      // Either the message or the header is wrong. If the file ends where its header says, the message is.
      let behind = end - input.offset + 2
      try input.fill(atLeast: behind + FITHeader.fullSize)
      if isEnd(of: behind) {
        throw damage("message exceeds the end of the file", .malformed, path: path())
      }
      try warn(.wrongSize, "data size in the header smaller than the file; read to the end")
      self.end = nil
    }
  }

  /// Whether the input ends, or another file starts, after `count` available bytes.
  private func isEnd(of count: Int) -> Bool {
    let available = input.available
    guard available.count > count else { return available.count == count }
    return FITHeader(available.extracting(count..<available.count)) != nil
  }

  private mutating func readTimestamp(_ header: UInt8, _ layout: FITDefinition.Layout) {
    timestamp = nil
    if let offset = layout.timestampOffset {
      let value = UInt32(
        truncatingIfNeeded: FITBaseType.bits(
          input.available, at: 1 + offset, size: 4, isBigEndian: layout.isBigEndian))
      if value != FITTime.invalid {
        timestamp = value
        lastTimestamp = value
      }
    }
    if header & 0x80 != 0, timestamp == nil, let last = lastTimestamp {
      // The offset replaces the low five bits, and rolls over every 32 seconds.
      let offset = UInt32(header & 0x1F)
      let value = last &+ ((offset &- (last & 0x1F)) & 0x1F)
      timestamp = value
      lastTimestamp = value
    }
  }

  private mutating func take(_ count: Int) {
    guard count > 0 else { return }
    checksum.add(input.available.extracting(0..<count))
    input.consume(count)
  }

  private func damage(_ message: String, _ code: TrackError.Code, path: String? = nil) -> TrackError {
    TrackError(code, message, place: InputLocation(byteOffset: input.offset, path: path))
  }
}

extension TrackWarning.Code {
  static let missingChecksum = TrackWarning.Code("missing-checksum")
  /// The file is damaged. The data before the damage is kept.
  public static let damaged = TrackWarning.Code("damaged")
  /// A FIT file of a type that has no tracks, such as settings.
  public static let noTrackFile = TrackWarning.Code("no-track-file")
  static let uptime = TrackWarning.Code("device-uptime")
  /// A developer field that is described but has no channel.
  public static let unplacedField = TrackWarning.Code("unplaced-field")
  /// A developer field lacks its description, so that its values cannot be read.
  public static let undescribedField = TrackWarning.Code("undescribed-field")
  static let sessionsNotParted = TrackWarning.Code("sessions-not-parted")
}
