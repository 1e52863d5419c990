public import TrackModel

/// The values of a channel over the elapsed time of a drive, such as speed or throttle.
public struct ChannelTrace: Sendable, Hashable {
  /// The name, and the unit of the values.
  public private(set) var name: ExtraValues.Name
  /// The elapsed seconds per value since the drive's first point, not descending.
  public private(set) var elapsed: [Double] = []
  /// The values.
  public private(set) var values: [Double] = []

  /// Creates a trace without values.
  public init(_ name: ExtraValues.Name) { self.name = name }

  /// Appends a value unless it is earlier than the last value.
  ///
  /// - Parameters:
  ///   - value: the value in the unit of the channel.
  ///   - seconds: the elapsed seconds since the drive's first point.
  public mutating func append(_ value: Double, at seconds: Double) {
    guard elapsed.last.map({ $0 <= seconds }) ?? true else { return }
    elapsed.append(seconds)
    values.append(value)
  }

  /// Appends the values of the same channel in a later part of the recording, which begins at `start`.
  mutating func append(_ part: ChannelTrace, at start: Double) {
    for (seconds, value) in zip(part.elapsed, part.values) { append(value, at: start + seconds) }
  }

  /// Returns the values of a part of the drive, whose times start at 0.
  func part(from start: Double, to end: Double) -> ChannelTrace {
    let rows = elapsed.partitionIndex { $0 >= start }..<elapsed.partitionIndex { $0 > end }
    var result = ChannelTrace(name)
    result.elapsed = elapsed[rows].map { $0 - start }
    result.values = Array(values[rows])
    return result
  }

  /// Removes the values between two times, without those at these times.
  ///
  /// - Parameter intervals: ascending pairs of times.
  mutating func remove(between intervals: [(start: Double, end: Double)]) {
    let rows = elapsed.indices.filter { row in
      let later = intervals.partitionIndex { $0.end > elapsed[row] }
      return later == intervals.count || elapsed[row] <= intervals[later].start
    }
    elapsed = rows.map { elapsed[$0] }
    values = rows.map { values[$0] }
  }

  /// Returns the channels of a recording in order of their first occurrence.
  ///
  /// - Parameters:
  ///   - recording: a recording with ``Recording/Segment/channels``.
  ///   - start: the time of the drive's first point in microseconds since 1970.
  ///   - duration: the seconds to the drive's last point.
  static func traces(of recording: Recording, from start: Int64, duration: Double) -> [ChannelTrace] {
    var traces: [ChannelTrace] = []
    for segment in recording.segments {
      guard let channels = segment.channels else { continue }
      for (channel, name) in channels.names.enumerated() {
        let index = traces.firstIndex { $0.name == name } ?? traces.count
        if index == traces.count { traces.append(ChannelTrace(name)) }
        for row in 0..<segment.count {
          guard segment.times[row] != Instant.absent, let value = channels.value(channel, at: row) else {
            continue
          }
          let seconds = (Double(segment.times[row]) - Double(start)) / 1e6
          if seconds >= 0, seconds <= duration { traces[index].append(value, at: seconds) }
        }
      }
    }
    return traces.filter { !$0.values.isEmpty }
  }
}
