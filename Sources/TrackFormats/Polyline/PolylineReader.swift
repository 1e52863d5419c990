public import TrackModel

/// Reads encoded polylines. Each line of the text is a track with one segment.
///
/// The encoding ("Encoded Polyline Algorithm Format" of Google Maps): latitude and longitude in steps of a
/// power of ten, as differences to the previous point; zigzag coded in groups of five bits, lowest first; 32
/// is added to all groups except the last, and 63 to each group to obtain a character. There are no times. A
/// broken line among several is counted and does not affect the others.
public struct PolylineReader: FaultDeferringReader, ~Copyable {
  private var input: ByteInput
  private let options: ReadingOptions
  private let precision: PolylinePrecision
  private var log = WarningLog()

  private enum Step { case opening, betweenLines, beginSegment, points, endSegment, endTrack, end }
  private var step = Step.opening
  var fault = ReadingFault.none
  private var line = 1
  private var hasPoint = false
  /// The number of complete lines, and the error of the first incomplete one.
  private var wholeLines = 0
  private var brokenLine: TrackError?

  /// The current number and its number of bits.
  private var bits: UInt64 = 0
  private var shift: UInt64 = 0
  /// The difference in latitude, if the longitude is still missing.
  private var latitudeStep: Int64?
  private var latitude: Int64 = 0
  private var longitude: Int64 = 0

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - precision: the number of decimals of the polylines.
  ///   - options: the options for reading.
  public init(
    _ input: consuming ByteInput, precision: PolylinePrecision = .five,
    options: ReadingOptions = ReadingOptions()
  ) {
    self.input = input
    self.precision = precision
    self.options = options
  }

  public var warnings: [TrackWarning] { log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func advance(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch step {
    case .end: return nil
    case .opening:
      try input.fill(atLeast: 3)
      guard !input.available.isEmpty else { throw TrackError(.truncated, "the file is empty") }
      input.skipByteOrderMark()
      step = .betweenLines
      return .header(FileInfo())
    case .betweenLines:
      guard try findLine() else {
        step = .end
        if wholeLines == 0, let brokenLine { throw brokenLine }
        return nil
      }
      step = .beginSegment
      var info = TrackInfo()
      // A step of 1e-5 degrees on a meridian or the equator, with 111,319.5 m per degree.
      info.resolution = precision.resolution
      return .beginTrack(info)
    case .beginSegment:
      latitude = 0
      longitude = 0
      step = .points
      return .beginSegment
    case .points:
      do throws(TrackError) { try readPoints(&batch) } catch { try leaveLine(error) }
      hasPoint = hasPoint || batch.count > 0
      if batch.count > 0 { return .points }
      step = .endTrack
      return .endSegment
    case .endSegment:
      step = .endTrack
      return .endSegment
    case .endTrack:
      step = .betweenLines
      return .endTrack
    }
  }

  /// Skips whitespace to the first character of a line. Returns false at the end of the input.
  private mutating func findLine() throws(TrackError) -> Bool {
    while true {
      if input.available.isEmpty, try !input.fill() { return false }
      let byte = input.available[0]
      guard byte <= 0x20 else { return true }
      if byte == 0, try !endsWithZeros() { return true }
      if byte == 0x0A { line += 1 }
      if byte != 0 { input.consume(1) }
    }
  }

  /// Consumes zero bytes, up to the last one if other bytes follow.
  ///
  /// - Returns: whether the input ends with them, as files do in which a program reserved space. Otherwise,
  ///   data was lost.
  private mutating func endsWithZeros() throws(TrackError) -> Bool {
    while true {
      if input.available.count < 2 { try input.fill(atLeast: 2) }
      guard input.available.count > 1 else {
        if !input.available.isEmpty { input.consume(1) }
        return true
      }
      guard input.available[1] == 0 else { return false }
      input.consume(1)
    }
  }

  /// Skips the rest of a broken line.
  ///
  /// - Throws: the line's error if it is the only line.
  private mutating func leaveLine(_ error: TrackError) throws(TrackError) {
    guard error.code == .malformed, !options.isStrict else { throw error }
    bits = 0
    shift = 0
    latitudeStep = nil
    while true {
      if input.available.isEmpty, try !input.fill() { break }
      let blank = PolylineReader.endOfWord(input.available)
      input.consume(blank)
      if !input.available.isEmpty { break }
    }
    guard try findLine() || wholeLines > 0 || brokenLine != nil else { throw error }
    if brokenLine == nil { brokenLine = error }
    try log.report(
      .brokenRecord, "broken polyline, its complete points are kept", at: error.place,
      offendingText: error.offendingText)
    step = .endSegment
  }

  private static func endOfWord(_ bytes: Span<UInt8>) -> Int {
    var index = 0
    while index < bytes.count, bytes[index] > 0x20 || bytes[index] == 0 { index += 1 }
    return index
  }

  /// Reads points up to the end of the line or until the batch is full.
  private mutating func readPoints(_ batch: inout PointBatch) throws(TrackError) {
    while !batch.isFull {
      if input.available.isEmpty, try !input.fill() {
        try endLine(isAtEnd: true, hasPoint || batch.count > 0)
        step = .endSegment
        break
      }
      var index = 0
      let count = input.available.count
      while index < count, !batch.isFull {
        let byte = input.available[index]
        if byte <= 0x20 { break }
        guard (63...126).contains(byte) else {
          let place = InputLocation(line: line, byteOffset: input.offset + index)
          input.consume(index)
          throw TrackError(
            .malformed, "invalid character in a polyline at byte \(input.offset)", place: place,
            offendingText: String(decoding: [byte], as: UTF8.self))
        }
        try take(byte &- 63, at: index, &batch)
        index += 1
      }
      let isAtBlank = index < count && !batch.isFull
      input.consume(index)
      if isAtBlank, input.available[0] == 0 {
        guard try !endsWithZeros() else { continue }
        throw TrackError(
          .malformed, "zero bytes in place of a polyline's data at byte \(input.offset)",
          place: InputLocation(line: line, byteOffset: input.offset))
      }
      if isAtBlank {
        try endLine(isAtEnd: false, true)
        step = .endSegment
        break
      }
    }
  }

  /// Adds five bits to the current number. After the last bits of a longitude, adds the point.
  @inline(__always)
  private mutating func take(_ group: UInt8, at index: Int, _ batch: inout PointBatch) throws(TrackError) {
    guard shift <= 45 else {
      throw TrackError(
        .malformed, "number too long for a polyline at byte \(input.offset + index)",
        place: InputLocation(line: line, byteOffset: input.offset + index))
    }
    bits |= UInt64(group & 31) << shift
    shift += 5
    guard group < 32 else { return }
    let difference = Int64(zigzag: bits)
    bits = 0
    shift = 0
    guard let first = latitudeStep else {
      latitudeStep = difference
      return
    }
    latitudeStep = nil
    latitude &+= first
    longitude &+= difference
    let coordinate = Coordinate(
      latitude: Double(latitude) / precision.scale, longitude: Double(longitude) / precision.scale)
    guard coordinate.isValid else {
      let place = InputLocation(line: line, byteOffset: input.offset + index)
      try log.report(
        .invalidPosition, "position out of range, point skipped", isStrict: options.isStrict, at: place,
        offendingText: "\(coordinate.latitude), \(coordinate.longitude)")
      return
    }
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// Checks that a line does not end inside a point.
  private mutating func endLine(isAtEnd: Bool, _ hasPoint: Bool) throws(TrackError) {
    guard shift > 0 || latitudeStep != nil else {
      wholeLines += 1
      return
    }
    bits = 0
    shift = 0
    latitudeStep = nil
    let place = InputLocation(line: line, byteOffset: input.offset)
    if isAtEnd, hasPoint, !options.isStrict {
      try log.report(.truncated, "the file ends inside a point; complete points are kept", at: place)
      return
    }
    throw TrackError(
      isAtEnd ? .truncated : .malformed, "the polyline ends inside a point at byte \(input.offset)",
      place: place)
  }
}
