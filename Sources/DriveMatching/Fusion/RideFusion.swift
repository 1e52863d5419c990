import TrackModel
import TrackTransforms

/// The combination of two recordings of the same ride.
///
/// Positions and times come from the device with more frequent fixes, or else the longer recording. Its
/// gaps are filled with points of the other device. Each channel, including those of loggers, comes from the
/// device with more values of it. Missing values come from the other device.
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
    let rows = Self.rows(of: base, filledFrom: other)
    filled = rows.count { $0.source == 1 }
    let channels = base.columns.channels.union(other.columns.channels)
    func order(_ share: (Source) -> Double) -> [Source] {
      share(other) > share(base) + 0.1 ? [other, base] : [base, other]
    }
    let preferred = channels.channels.map { channel in (channel, order { $0.share(of: channel) }) }
    let extraNames = base.extraNames + other.extraNames.filter { base.extraIndices[$0] == nil }
    let preferredExtras = extraNames.map { name in (name, order { $0.share(of: name) }) }
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
      var details = sources[source].details[row] ?? PointDetails()
      if !extraNames.isEmpty {
        let extra = ExtraValues(
          extraNames,
          preferredExtras.map { name, order in
            order[0].value(name, at: time) ?? order[1].value(name, at: time) ?? .nan
          })
        details.extraValues = extra.isEmpty ? nil : extra
      }
      segment.append(
        own.coordinate(at: row), time: Instant(microseconds: time), values: values, details: details)
    }
    if !segment.isEmpty { segments.append(segment) }
    self.segments = segments
  }

  /// Returns the points of the base in order of time, with those of the other device in its gaps.
  ///
  /// - Returns: the index of the source, 0 for the base, and of the row in it, and whether a segment starts.
  private static func rows(
    of base: Source, filledFrom other: Source
  ) -> [(time: Int64, source: Int, row: Int, breaks: Bool)] {
    var rows: [(time: Int64, source: Int, row: Int, breaks: Bool)] = []
    var next = 0
    func fill(until end: Int64, _ step: Int64) {
      while next < other.times.count, other.times[next] < end - step {
        rows.append((other.times[next], 1, next, false))
        next += 1
      }
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
      while next < other.times.count, other.times[next] <= time + step { next += 1 }
    }
    fill(until: .max, 0)
    return rows
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
    /// The names of the channels of a logger in the order of their first use, and their values by row.
    private(set) var extraNames: [ExtraValues.Name] = []
    private var extras: [[Double]] = []
    private(set) var extraIndices: [ExtraValues.Name: Int] = [:]

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
      // Points of a recording usually share their names.
      var names: [ExtraValues.Name] = []
      var indices: [Int] = []
      for row in columns.details {
        guard let extra = row.details.extraValues else { continue }
        if extra.names != names {
          names = extra.names
          indices = names.map { indexOfExtra($0) }
        }
        for (index, value) in zip(indices, extra.values) { extras[index][row.row] = value }
      }
    }

    /// Returns the index of a logger's channel, which is added if it is new.
    private mutating func indexOfExtra(_ name: ExtraValues.Name) -> Int {
      if let index = extraIndices[name] { return index }
      extraIndices[name] = extras.count
      extraNames.append(name)
      extras.append(Array(repeating: .nan, count: times.count))
      return extras.count - 1
    }

    /// Returns the values of a logger's channel by row, or nil if there are none.
    private func values(of name: ExtraValues.Name) -> [Double]? { extraIndices[name].map { extras[$0] } }

    func moved(by seconds: Double) -> Source {
      var result = self
      let move = Instant.microseconds(inSeconds: seconds)
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

    /// The share of rows with a value.
    func share(of channel: Channel) -> Double { Self.share(columns.values(of: channel)) }

    /// The share of rows with a value of a logger's channel.
    func share(of name: ExtraValues.Name) -> Double { Self.share(values(of: name)) }

    private static func share(_ values: [Double]?) -> Double {
      guard let values, !values.isEmpty else { return 0 }
      return Double(values.count { !$0.isNaN }) / Double(values.count)
    }

    /// Returns the value of a channel at a time.
    func value(_ channel: Channel, at time: Int64, isContinuous: Bool) -> Double? {
      columns.values(of: channel).flatMap { values in
        value(values, at: time) { start, end, fraction in
          isContinuous ? start + fraction * (end - start) : fraction < 0.5 ? start : end
        }
      }
    }

    /// Returns the value of a logger's channel at a time, interpolated as in resampling.
    func value(_ name: ExtraValues.Name, at time: Int64) -> Double? {
      values(of: name).flatMap { values in
        value(values, at: time) { name.interpolated(from: $0, to: $1, fraction: $2) }
      }
    }

    /// Returns the value at a time: that of the row or of its only neighbour, or one between both neighbours.
    private func value(
      _ values: [Double], at time: Int64,
      between: (_ start: Double, _ end: Double, _ fraction: Double) -> Double
    ) -> Double? {
      guard !times.isEmpty else { return nil }
      var after = times.partitionIndex { $0 >= time }
      if after < times.count, times[after] == time, !values[after].isNaN { return values[after] }
      var before = after - 1
      while before >= 0, values[before].isNaN, time - times[before] <= gap { before -= 1 }
      while after < times.count, values[after].isNaN, times[after] - time <= gap { after += 1 }
      let earlier = before >= 0 && !values[before].isNaN && time - times[before] <= gap ? before : nil
      let later = after < times.count && !values[after].isNaN && times[after] - time <= gap ? after : nil
      guard let earlier, let later else { return (earlier ?? later).map { values[$0] } }
      let fraction = Double(time - times[earlier]) / Double(max(times[later] - times[earlier], 1))
      return between(values[earlier], values[later], fraction)
    }
  }
}
