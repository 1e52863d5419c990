public import TrackModel

/// Writes encoded polylines, one line per segment and per route. See ``PolylineReader`` for the encoding.
///
/// Differences are computed from rounded positions, so that rounding errors do not accumulate. All other data
/// is reported as a loss.
public struct PolylineWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  private let precision: PolylinePrecision
  public private(set) var losses = LossReport()

  private var latitude: Int64 = 0
  private var longitude: Int64 = 0
  private var lineHasPoints = false
  private var hasLines = false
  private var segmentsWithPoints = 0

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - precision: the number of decimals. Readers must use the same.
  public init(_ sink: consuming ByteSink, precision: PolylinePrecision = .five) {
    self.sink = sink
    self.precision = precision
  }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): losses.add(words: info)
    case .waypoint: losses.add("waypoints")
    case .beginTrack(let info):
      segmentsWithPoints = 0
      add(info)
    case .beginRoute(let info):
      add(info)
      beginLine()
    case .beginSegment: beginLine()
    case .points: append(batch)
    case .endSegment:
      if lineHasPoints { segmentsWithPoints += 1 } else { losses.add("segments without points") }
      endLine()
    case .endTrack:
      losses.add("bounds between segments of one track", max(segmentsWithPoints - 1, 0))
      if segmentsWithPoints == 0 { losses.add("tracks without points") }
    case .endRoute:
      losses.add(lineHasPoints ? "distinctions of routes from tracks" : "routes without points")
      endLine()
    case .annotation(.track(let info)): add(info)
    case .annotation(.extensions(let extensions)): losses.add("extensions", extensions.count)
    }
    try sink.flush()
  }

  /// Completes the file.
  ///
  /// - Throws: `noTracks` if there was no point, because an empty text is not a polyline.
  public mutating func finish() throws(TrackError) {
    guard hasLines else { throw TrackError(.noTracks, "there is no trackpoint to write") }
    try sink.finish()
  }

  private mutating func add(_ info: TrackInfo) {
    // The resolution of a polyline is implicit.
    var info = info
    if info.resolution == precision.resolution { info.resolution = nil }
    losses.add(words: info)
  }

  private mutating func beginLine() {
    latitude = 0
    longitude = 0
    lineHasPoints = false
  }

  private mutating func endLine() {
    if lineHasPoints { sink.buffer.append(UInt8(ascii: "\n")) }
  }

  private mutating func append(_ batch: borrowing PointBatch) {
    lineHasPoints = true
    hasLines = true
    let latitudes = batch.latitudes
    let longitudes = batch.longitudes
    let times = batch.times
    var timed = 0
    var rounded = 0
    for row in 0..<batch.count {
      if times[row] != Instant.absent { timed += 1 }
      let scaledLatitude = (latitudes[row] * precision.scale).rounded()
      let scaledLongitude = (longitudes[row] * precision.scale).rounded()
      if scaledLatitude / precision.scale != latitudes[row]
        || scaledLongitude / precision.scale != longitudes[row]
      {
        rounded += 1
      }
      // Positions are in range, so the numbers are small.
      let nextLatitude = Int64(exactly: scaledLatitude) ?? latitude
      let nextLongitude = Int64(exactly: scaledLongitude) ?? longitude
      append(nextLatitude &- latitude)
      append(nextLongitude &- longitude)
      latitude = nextLatitude
      longitude = nextLongitude
    }
    losses.add("times", timed)
    losses.add(valuesOf: batch)
    losses.add("positions with more than \(precision.rawValue) decimals (rounded)", rounded)
  }

  private mutating func append(_ difference: Int64) {
    var rest = difference.zigzag
    while rest >= 32 {
      sink.buffer.append(UInt8(truncatingIfNeeded: rest & 31 | 32) &+ 63)
      rest >>= 5
    }
    sink.buffer.append(UInt8(truncatingIfNeeded: rest) &+ 63)
  }
}
