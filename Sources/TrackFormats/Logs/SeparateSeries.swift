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
    /// The number of the fix in the track, or NaN if the file has none.
    var number = Double.nan
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

  /// Whether all times of fixes, and of values, are in the first two days after 1970, as times of day are.
  var areFixesTimesOfDay: Bool {
    fixes.contains { $0.time != Instant.absent }
      && fixes.allSatisfy { $0.time == Instant.absent || Self.timesOfDay.contains($0.time) }
  }
  var areValuesTimesOfDay: Bool {
    series.values.allSatisfy { $0.allSatisfy { Self.timesOfDay.contains($0.time) } }
  }
  private static let timesOfDay: Range<Int64> = 0..<172_800_000_000

  /// Removes the times of all fixes.
  mutating func removeTimes() {
    for index in fixes.indices { fixes[index].time = Instant.absent }
  }

  /// Sorts the fixes by time, unless this makes their path longer, as after a change of the clock. A fix
  /// without a time stays after the one before it.
  ///
  /// A pause stays after the fix before it, according to the numbers of the fixes or their order in the file.
  ///
  /// - Parameter pauses: the numbers of the pauses.
  mutating func sortFixes(pauses: [Double]) {
    sortByNumber(pauses)
    var latest = Int64.min
    let times = fixes.map { fix in
      if fix.time != Instant.absent { latest = fix.time }
      return latest
    }
    guard zip(times, times.dropFirst()).contains(where: { $0 > $1 }) else { return }
    var sorted: [Fix] = []
    sorted.reserveCapacity(fixes.count)
    var isAfterPause = false
    for index in fixes.indices.sorted(by: { (times[$0], $0) < (times[$1], $1) }) {
      sorted.append(fixes[index])
      sorted[sorted.count - 1].startsSegment = isAfterPause
      isAfterPause = index + 1 < fixes.count && fixes[index + 1].startsSegment
    }
    if Self.length(sorted) <= Self.length(fixes) { fixes = sorted }
  }

  /// Sorts the fixes by their numbers, if they all have different ones.
  private mutating func sortByNumber(_ pauses: [Double]) {
    guard !fixes.contains(where: { $0.number.isNaN }),
      zip(fixes, fixes.dropFirst()).contains(where: { $0.number > $1.number })
    else { return }
    var sorted = fixes.sorted { $0.number < $1.number }
    guard !zip(sorted, sorted.dropFirst()).contains(where: { $0.number == $1.number }) else { return }
    for index in sorted.indices { sorted[index].startsSegment = false }
    for pause in pauses {
      let next = sorted.partitionIndex { $0.number > pause }
      if next > 0, next < sorted.count { sorted[next].startsSegment = true }
    }
    fixes = sorted
  }

  /// Returns the length of the path of fixes in metres.
  private static func length(_ fixes: [Fix]) -> Double {
    zip(fixes, fixes.dropFirst()).reduce(0) { length, pair in
      length
        + Geodesy.sphericalDistance(
          from: Coordinate(latitude: pair.0.latitude, longitude: pair.0.longitude),
          to: Coordinate(latitude: pair.1.latitude, longitude: pair.1.longitude))
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
