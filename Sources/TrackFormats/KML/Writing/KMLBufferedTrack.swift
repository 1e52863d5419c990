import TrackModel

/// A track or route that is spooled until it is complete.
struct KMLBufferedTrack: ~Copyable {
  struct Segment {
    /// The range of its rows in the spool.
    var rows: Range<Int>
    /// The number of rows with a time that can be written.
    var timed = 0
    /// The number of rows with an elevation.
    var elevations = 0
    /// The channels with values in some row, except the elevation.
    var sensors: ChannelSet = []
    var extensions: [ExtensionElement] = []

    var count: Int { rows.count }
    /// Whether only some rows have a time.
    var hasUntimed: Bool { timed > 0 && timed < count }
    /// Whether every row has an elevation.
    var isAboveSea: Bool { count > 0 && elevations == count }
  }

  var info = TrackInfo()
  private(set) var isRoute = false
  private(set) var segments: [Segment] = []
  var spool = KMLPointSpool()

  var count: Int { spool.count }
  /// The channels with values in some row, except the elevation.
  var sensors: ChannelSet { segments.reduce(into: []) { $0.formUnion($1.sensors) } }
  var hasUntimed: Bool { segments.contains(where: \.hasUntimed) }
  /// Whether the points have values that a line cannot represent.
  var needsTracks: Bool { segments.contains { $0.timed > 0 || !$0.sensors.isEmpty } }

  mutating func begin(_ info: TrackInfo, isRoute: Bool) {
    self.info = info
    self.isRoute = isRoute
    segments = []
    spool.removeAll()
    if isRoute { beginSegment() }
  }

  mutating func end() {
    info = TrackInfo()
    segments = []
    spool.removeAll()
  }

  mutating func beginSegment() { segments.append(Segment(rows: spool.count..<spool.count)) }

  mutating func addToSegment(_ extensions: [ExtensionElement]) {
    if !segments.isEmpty { segments[segments.count - 1].extensions += extensions }
  }

  /// Adds points to the last segment, and counts the values that a track cannot represent.
  mutating func append(_ batch: borrowing PointBatch, _ losses: inout LossReport) throws(TrackError) {
    guard !segments.isEmpty else { return }
    let last = segments.count - 1
    let times = batch.times
    var timed = 0
    for row in times.indices where Instant(microseconds: times[row]).hasXMLYear { timed += 1 }
    for row in times.indices
    where times[row] != Instant.absent && !Instant(microseconds: times[row]).hasXMLYear {
      losses.add("times before year 1 or after 9999")
    }
    segments[last].timed += timed
    for channel in batch.channels.channels {
      let values = batch.values(of: channel)
      var count = 0
      for row in values.indices where !values[row].isNaN { count += 1 }
      if channel == .elevation {
        segments[last].elevations += count
      } else if count > 0 {
        segments[last].sensors.insert(ChannelSet(channel))
      }
    }
    for row in batch.details {
      losses.add(details: row.details, of: isRoute ? "routepoints" : "trackpoints")
    }
    try spool.append(batch)
    segments[last].rows = segments[last].rows.lowerBound..<spool.count
  }
}

extension LossReport {
  /// Counts all details of points.
  fileprivate mutating func add(details: PointDetails, of points: String) {
    if let extra = details.extraValues { add(extra) }
    if details.name != nil { add("names of \(points)") }
    if details.comment != nil || details.description != nil { add("descriptions of \(points)") }
    if details.source != nil { add("sources of \(points)") }
    add("links of \(points)", details.links.count)
    if details.symbol != nil { add("symbols of \(points)") }
    if details.type != nil { add("types of \(points)") }
    if details.fix != nil || details.differentialStation != nil { add("kinds of fix of \(points)") }
    add("extensions of \(points)", details.extensions.count)
  }
}
