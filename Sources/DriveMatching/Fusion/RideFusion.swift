import TrackModel

/// The combination of two recordings of the same ride.
///
/// Positions and times come from the device with more frequent fixes, or else the longer recording. Its
/// gaps are filled with points of the other device. Each channel comes from the device with more values of
/// it. Missing values come from the other device.
struct RideFusion {
  /// The points ordered by time.
  let segments: [PointColumns]
  /// The number of points from the other device.
  let filled: Int

  /// The shortest gap in seconds, and in multiples of the usual interval.
  private static let leastGap = 10.0
  private static let usualSteps = 3.0
  /// Channels that describe the quality of a position and are taken from the same recording as the
  /// position.
  private static let placeChannels: ChannelSet = Set<Channel>([
    .horizontalAccuracy, .verticalAccuracy, .hdop, .vdop, .pdop, .satellites, .differentialAge, .geoidHeight,
    .magneticVariation,
  ]).reduce(into: []) { $0.insert(ChannelSet($1)) }
  /// Channels that may be interpolated.
  private static let continuous: Set<Channel> = [.elevation, .depth, .temperature, .waterTemperature]

  /// - Parameters:
  ///   - lag: the seconds by which the second recording lags.
  init(_ first: [PointColumns], _ second: [PointColumns], lag: Double) {
    let one = Source(first)
    let two = Source(second)
    let isFirst = one.isBetter(than: two)
    let base = isFirst ? one : two
    let other = (isFirst ? two : one).moved(by: (isFirst ? -lag : lag))
    var rows: [(time: Int64, source: Int, row: Int, breaks: Bool)] = []
    var next = 0
    func fill(until end: Int64, _ step: Int64) {
      while next < other.times.count, other.times[next] < end - step {
        rows.append((other.times[next], 1, next, false))
        next += 1
      }
    }
    func skip(until begin: Int64, _ step: Int64) {
      while next < other.times.count, other.times[next] <= begin + step { next += 1 }
    }
    let step = base.step / 2
    for (row, time) in base.times.enumerated() {
      var isFilled = false
      if row == 0 || time - base.times[row - 1] > base.gap {
        let before = rows.count
        fill(until: time, step)
        isFilled = rows.count > before && row > 0
      }
      rows.append((time, 0, row, base.starts.contains(row) && row > 0 && !isFilled))
      skip(until: time, step)
    }
    fill(until: .max, 0)
    filled = rows.count { $0.source == 1 }
    let channels = base.columns.channels.union(other.columns.channels)
    let preferred = channels.channels.map { channel -> (Channel, [Source]) in
      let isOther = other.share(of: channel) > base.share(of: channel) + 0.1
      return (channel, isOther ? [other, base] : [base, other])
    }
    let sources = [base, other]
    var segments: [PointColumns] = []
    var segment = PointColumns()
    for (time, source, row, breaks) in rows {
      if breaks, !segment.isEmpty {
        segments.append(segment)
        segment = PointColumns()
      }
      let own = sources[source].columns
      var values: [Channel: Double] = [:]
      for (channel, order) in preferred {
        if Self.placeChannels.contains(channel) {
          values[channel] = own.value(channel, at: row)
        } else if channel == .distance {
          // Distances of the other device have a different origin.
          if source == 0 { values[channel] = own.value(channel, at: row) }
        } else {
          values[channel] =
            order[0].value(channel, at: time, isContinuous: Self.continuous.contains(channel))
            ?? order[1].value(channel, at: time, isContinuous: Self.continuous.contains(channel))
        }
      }
      let details = sources[source].details[row] ?? PointDetails()
      segment.append(
        own.coordinate(at: row), time: Instant(microseconds: time), values: values, details: details)
    }
    if !segment.isEmpty { segments.append(segment) }
    self.segments = segments
  }

  /// A recording as a sequence of points with ascending times.
  private struct Source {
    private(set) var columns = PointColumns()
    /// The times in microseconds since 1970, ascending.
    private(set) var times: [Int64] = []
    /// The first row of each segment.
    private(set) var starts: Set<Int> = []
    /// The usual interval and the shortest gap in microseconds.
    let step: Int64
    let gap: Int64
    let details: [Int: PointDetails]

    init(_ segments: [PointColumns]) {
      for segment in segments {
        var last = times.last ?? .min
        let rows = (0..<segment.count).filter { row in
          guard segment.times[row] != Instant.absent, segment.times[row] > last else { return false }
          last = segment.times[row]
          return true
        }
        guard !rows.isEmpty else { continue }
        starts.insert(times.count)
        times += rows.map { segment.times[$0] }
        columns.append(segment.rows(at: rows))
      }
      let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
      step = steps.isEmpty ? 1_000_000 : steps[steps.count / 2]
      gap = Int64(max(RideFusion.leastGap * 1e6, RideFusion.usualSteps * Double(step)))
      details = Dictionary(columns.details.map { ($0.row, $0.details) }) { first, _ in first }
    }

    func moved(by seconds: Double) -> Source {
      var result = self
      let move = Int64((seconds * 1e6).rounded())
      result.times = times.map { $0 &+ move }
      return result
    }

    /// The recorded time without gaps in microseconds.
    private var coverage: Int64 {
      zip(times, times.dropFirst()).reduce(0) { $0 + min($1.1 - $1.0, gap) }
    }

    func isBetter(than other: Source) -> Bool {
      let steps = Double(step) / Double(max(other.step, 1))
      if steps < 0.67 || steps > 1.5 { return steps < 1 }
      return coverage >= other.coverage
    }

    /// The number of rows with a value.
    func share(of channel: Channel) -> Double {
      guard let values = columns.values(of: channel), !values.isEmpty else { return 0 }
      return Double(values.count { !$0.isNaN }) / Double(values.count)
    }

    /// Returns the value at a time: the value of the row or of the nearer neighbour, or an interpolated
    /// value.
    func value(_ channel: Channel, at time: Int64, isContinuous: Bool) -> Double? {
      guard let values = columns.values(of: channel), !times.isEmpty else { return nil }
      var after = times.partitionIndex { $0 >= time }
      if after < times.count, times[after] == time, !values[after].isNaN { return values[after] }
      var before = after - 1
      while before >= 0, values[before].isNaN, time - times[before] <= gap { before -= 1 }
      while after < times.count, values[after].isNaN, times[after] - time <= gap { after += 1 }
      let earlier = before >= 0 && !values[before].isNaN && time - times[before] <= gap ? before : nil
      let later = after < times.count && !values[after].isNaN && times[after] - time <= gap ? after : nil
      guard let earlier, let later else { return (earlier ?? later).map { values[$0] } }
      let fraction = Double(time - times[earlier]) / Double(max(times[later] - times[earlier], 1))
      if isContinuous { return values[earlier] + fraction * (values[later] - values[earlier]) }
      return values[fraction < 0.5 ? earlier : later]
    }
  }
}
