import TrackModel

/// The spooled points of a track, written as `Track` elements.
struct TCXPointSource: ~Copyable {
  private var input: ByteInput
  /// The number of remaining bytes of each segment.
  private var rest: [Int]

  init(_ input: consuming ByteInput, _ segments: [TCXSegment]) {
    self.input = input
    rest = segments.map(\.byteCount)
  }

  /// Copies the points of a lap. Call it in the order of the laps.
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

  /// Reads all points and returns the figures of each lap of a plan.
  mutating func figures(_ plan: TCXLapPlan) throws(TrackError) -> [TCXLapFigures] {
    var figures: [TCXLapFigures] = []
    // The point at which a segment is split. It ends one lap and begins the next.
    var carried: TCXTrackpointLine?
    for lap in plan.laps {
      var figure = TCXLapFigures()
      for segment in lap.segments where rest[segment] > 0 || carried != nil {
        let end = segment == lap.segments.upperBound - 1 ? lap.end : nil
        var part = TCXSegment()
        var next = carried
        carried = nil
        while carried == nil, next != nil || rest[segment] > 0 {
          if let point = next {
            // The points before the first lap and after a lap are written with it, but are not part of it.
            let isBefore = lap.lap.start.map { point.time < $0 } ?? false
            let isAfter = lap.lap.end.map { end in part.lastTime.map { $0 >= end } ?? false } ?? false
            if !isBefore, !isAfter { point.add(to: &part) }
            if let end, point.time >= end { carried = point }
          }
          guard carried == nil, rest[segment] > 0 else {
            next = nil
            continue
          }
          let length = try line(of: segment)
          next = TCXTrackpointLine(input.available.extracting(0..<length))
          drop(length, of: segment)
        }
        figure.add(part)
      }
      figures.append(figure)
    }
    return figures
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

  /// Copies the points of a segment up to the first one at or after a time.
  private mutating func copy(
    _ segment: Int, before end: Instant, to sink: inout ByteSink
  ) throws(TrackError) {
    var hasTrack = false
    while rest[segment] > 0 {
      let length = try line(of: segment)
      if let time = TCXTrackpointLine.time(input.available.extracting(0..<length)), time >= end { break }
      if !hasTrack { sink.buffer.append("    <Track>\n") }
      hasTrack = true
      take(length, of: segment, to: &sink.buffer)
      try sink.flush()
    }
    if hasTrack { sink.buffer.append("    </Track>\n") }
  }

  /// Reads more bytes of a segment if none are available and some remain.
  ///
  /// - Returns: the number of available bytes.
  private mutating func fill(_ segment: Int) throws(TrackError) -> Int {
    if rest[segment] > 0, input.available.isEmpty, try !input.fill() { rest[segment] = 0 }
    return min(input.available.count, rest[segment])
  }

  private mutating func take(_ count: Int, of segment: Int, to bytes: inout ByteBuffer) {
    bytes.append(contentsOf: input.available.extracting(0..<count))
    drop(count, of: segment)
  }

  private mutating func drop(_ count: Int, of segment: Int) {
    input.consume(count)
    rest[segment] -= count
  }

  /// Returns the length of the next line of a segment in bytes, after reading all of it.
  private mutating func line(of segment: Int) throws(TrackError) -> Int {
    var length = 0
    while length < rest[segment] {
      if length == input.available.count, try !input.fill() { return length }
      length += 1
      if input.available[length - 1] == UInt8(ascii: "\n") { return length }
    }
    return length
  }
}
