import TrackModel

/// The points of a track on their way out of the spool, laid out as `Track` elements.
struct TCXPointSource: ~Copyable {
  private var input: ByteInput
  /// Bytes of each segment that are not yet out.
  private var rest: [Int]

  init(_ input: consuming ByteInput, _ segments: [TCXSegment]) {
    self.input = input
    rest = segments.map(\.byteCount)
  }

  /// Copies the points of a lap, in the order of the laps.
  mutating func copy(_ lap: TCXLapPlan.PlannedLap, to sink: inout ByteSink) throws(TrackError) {
    for segment in lap.segments where rest[segment] > 0 {
      if let end = lap.end, segment == lap.segments.upperBound - 1 {
        try copy(segment, before: end, to: &sink)
        continue
      }
      sink.buffer.append("    <Track>\n")
      while try fill(segment) > 0 {
        take(try fill(segment), of: segment, to: &sink.buffer)
        try sink.flush()
      }
      sink.buffer.append("    </Track>\n")
    }
  }

  /// Copies all segments.
  mutating func copyAll(to spool: inout Spool) throws(TrackError) {
    for segment in rest.indices where rest[segment] > 0 {
      spool.buffer.append("   <Track>\n")
      while try fill(segment) > 0 {
        take(try fill(segment), of: segment, to: &spool.buffer)
        try spool.flush()
      }
      spool.buffer.append("   </Track>\n")
    }
  }

  /// Copies the points of a segment that come before the first one at or after a time.
  private mutating func copy(
    _ segment: Int, before end: Instant, to sink: inout ByteSink
  ) throws(TrackError) {
    var hasTrack = false
    while rest[segment] > 0 {
      let length = try line(of: segment)
      if let time = time(ofLine: length), time >= end { break }
      if !hasTrack { sink.buffer.append("    <Track>\n") }
      hasTrack = true
      take(length, of: segment, to: &sink.buffer)
      try sink.flush()
    }
    if hasTrack { sink.buffer.append("    </Track>\n") }
  }

  /// Sees to it that bytes of a segment are there where it has some left.
  ///
  /// - Returns: how many are.
  private mutating func fill(_ segment: Int) throws(TrackError) -> Int {
    if rest[segment] > 0, input.available.isEmpty, try !input.fill() { rest[segment] = 0 }
    return min(input.available.count, rest[segment])
  }

  private mutating func take(_ count: Int, of segment: Int, to bytes: inout ByteBuffer) {
    bytes.append(contentsOf: input.available.extracting(0..<count))
    input.consume(count)
    rest[segment] -= count
  }

  /// How many bytes the next line of a segment has, which are all there then.
  private mutating func line(of segment: Int) throws(TrackError) -> Int {
    var length = 0
    while length < rest[segment] {
      if length == input.available.count, try !input.fill() { return length }
      length += 1
      if input.available[length - 1] == UInt8(ascii: "\n") { return length }
    }
    return length
  }

  /// The time of the trackpoint whose line comes next; nil for the rest of one that has line feeds inside.
  private func time(ofLine length: Int) -> Instant? {
    let bytes = input.available
    var index = 0
    for byte in TCXPointWriter.lineStart {
      guard index < length, bytes[index] == byte else { return nil }
      index += 1
    }
    let start = index
    while index < length, bytes[index] != UInt8(ascii: "<") { index += 1 }
    return ISO8601.read(bytes.extracting(start..<index))?.instant
  }
}
