import TrackModel

/// The positions and the sensor values of a track that a file stores in separate lists.
struct SeparateSeries {
  struct Fix {
    /// Microseconds since 1970.
    var time: Int64
    var latitude: Double
    var longitude: Double
    /// Metres, or NaN without an elevation.
    var elevation = Double.nan
    var startsSegment = false
  }

  private struct Value {
    var time: Int64
    var value: Double
  }

  private(set) var fixes: [Fix] = []
  private var series: [Channel: [Value]] = [:]
  /// Whether a value was omitted because the track is too long.
  private(set) var isTooLong = false
  private var size = 0
  private let limit: Int

  /// The number of delivered fixes, and of values that are not later.
  private var delivered = 0
  private var cursors: [Channel: Int] = [:]

  /// The age in microseconds above which a value does not belong to a fix.
  private static let maximumAge: Int64 = 2_000_000

  /// - Parameter limit: the maximum size of the lists in bytes.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ fix: Fix) {
    if hasRoom(for: MemoryLayout<Fix>.stride) { fixes.append(fix) }
  }

  mutating func append(_ channel: Channel, _ value: Double, at time: Int64) {
    if hasRoom(for: MemoryLayout<Value>.stride) {
      series[channel, default: []].append(Value(time: time, value: value))
    }
  }

  private mutating func hasRoom(for bytes: Int) -> Bool {
    size += bytes
    if size > limit { isTooLong = true }
    return size <= limit
  }

  /// Prepares the delivery: sorts the values by time and adds a number of microseconds to all times.
  ///
  /// - Parameters:
  ///   - shift: what to add to the times.
  ///   - start: what to add to those of fixes in addition, if they count from the start.
  mutating func finish(addingToTimes shift: Int64 = 0, toRelativeFixes start: Int64? = nil) {
    for index in fixes.indices where fixes[index].time != Instant.absent {
      fixes[index].time += shift + (start ?? 0)
    }
    for (channel, values) in series {
      series[channel] = values.sorted { $0.time < $1.time }.map {
        Value(time: $0.time + shift, value: $0.value)
      }
    }
  }

  /// Returns the next fix with the most recent values; nil after the last one.
  mutating func next() -> LogEntry? {
    guard delivered < fixes.count else { return nil }
    let fix = fixes[delivered]
    delivered += 1
    var point = LogPoint(latitude: fix.latitude, longitude: fix.longitude)
    point.time = fix.time
    for (channel, values) in series where fix.time != Instant.absent {
      var cursor = cursors[channel, default: 0]
      while cursor < values.count, values[cursor].time <= fix.time { cursor += 1 }
      cursors[channel] = cursor
      guard cursor > 0, fix.time - values[cursor - 1].time <= Self.maximumAge else { continue }
      point[channel] = values[cursor - 1].value
    }
    if !fix.elevation.isNaN { point[.elevation] = fix.elevation }
    return .point(point, starts: fix.startsSegment ? .segment : nil)
  }
}
