import DriveMatching
import GhostModel
import TrackModel

/// The plots of speed and sensor values along the road, one per channel that at least two drives have.
///
/// The x axis is that of the gap plot: the distance along the first drive. Values of the other drives are at
/// the distance where the first drive passed the same place.
struct ChannelPlots: Sendable {
  struct Series: Sendable {
    /// The index of the drive.
    var drive: Int
    var lines: [MapColumns]
  }

  struct Plot: Sendable {
    var name: String
    var unit: String?
    var series: [Series]
    var values: ClosedRange<Double>
    var ticks: [GapPlot.Tick]
  }

  /// The plots, with the speed first.
  let plots: [Plot]
  /// The metres over which values are averaged, or nil if they are further apart.
  let resolution: Double?

  private static let speed = ExtraValues.Name(Channel.speed.title, unit: Channel.speed.unit)
  /// The width of the plots in pixels, and the number of intervals in which values are averaged at first.
  private static let width = 1000
  /// The largest number of points in all plots. Values are averaged over longer intervals if there are more.
  private static let pointLimit = 40_000
  /// The longest time between two connected values, in seconds.
  private static let longestStep = 30.0

  init(_ document: ComparisonDocument, _ distances: ClosedRange<Double>) {
    let passages = Self.passages(of: document.comparison)
    let channels = document.traces.map(Self.channels)
    let ambiguous = Self.ambiguousNames(channels)
    // The name of each trace, equal for those of the same channel.
    let keys = channels.map { $0.map { Self.key($0.name, ambiguous) } }
    let names = keys.reduce(into: [ExtraValues.Name]()) { names, keys in
      for key in keys where !names.contains(key) { names.append(key) }
    }
    let speed = Self.key(Self.speed, ambiguous)
    var intervals = Self.width
    var plots: [Plot] = []
    repeat {
      plots = (names.filter { $0 == speed } + names.filter { $0 != speed }).compactMap { name in
        let traces = zip(keys, channels).map { keys, channels in
          keys.firstIndex(of: name).map { channels[$0] }
        }
        return Self.plot(traces, passages, distances, intervals)
      }
      intervals /= 2
    } while intervals > 50 && Self.pointCount(plots) > Self.pointLimit
    self.plots = plots
    intervals *= 2
    let values = channels.flatMap { $0.map(\.values.count) }.max() ?? 0
    resolution =
      values > intervals ? (distances.upperBound - distances.lowerBound) / Double(intervals) : nil
  }

  private static func pointCount(_ plots: [Plot]) -> Int {
    plots.reduce(0) { count, plot in
      plot.series.reduce(count) { count, series in series.lines.reduce(count) { $0 + $1.x.count } }
    }
  }

  /// Returns a name without its case, blanks and underscores, which differ between recorders.
  private static func folded(_ name: ExtraValues.Name) -> ExtraValues.Name {
    ExtraValues.Name(name.name.lowercased().filter { $0 != "_" && !$0.isWhitespace }, unit: name.unit)
  }

  /// Returns the folded names of several channels of one drive.
  private static func ambiguousNames(_ channels: [[ChannelTrace]]) -> Set<ExtraValues.Name> {
    var ambiguous: Set<ExtraValues.Name> = []
    for channels in channels {
      var names: Set<ExtraValues.Name> = []
      for channel in channels where !names.insert(folded(channel.name)).inserted {
        ambiguous.insert(folded(channel.name))
      }
    }
    return ambiguous
  }

  private static func key(
    _ name: ExtraValues.Name, _ ambiguous: Set<ExtraValues.Name>
  ) -> ExtraValues.Name {
    let folded = folded(name)
    return ambiguous.contains(folded) ? name : folded
  }

  /// The times at which a drive passed a stretch of the shared road, not descending, and the distances there.
  private struct Passage: Sendable {
    var elapsed: [Double]
    var distances: [Double]
  }

  /// Returns the passages of each drive. Drives without a shared road have none.
  private static func passages(of comparison: DriveComparison) -> [[Passage]] {
    let pairs = comparison.pairs.filter { $0.profile.count > 1 }
    guard let measure = pairs.first?.first else { return comparison.drives.map { _ in [] } }
    return comparison.drives.indices.map { drive in
      let pair = pairs.first { $0.first == measure && (drive == measure || $0.second == drive) }
      guard let profile = pair?.profile else { return [] }
      let elapsed = drive == measure ? profile.firstElapsed : profile.secondElapsed
      return profile.stretches.map { rows in
        Passage(elapsed: Array(elapsed[rows]), distances: Array(profile.distances[rows]))
      }
    }
  }

  /// Returns the channels of a drive. If the speed was not recorded, it is computed from the positions.
  private static func channels(of drive: TimedDrive) -> [ChannelTrace] {
    guard drive.hasTimestamps, !drive.channels.contains(where: { $0.name == speed }) else {
      return drive.channels
    }
    var trace = ChannelTrace(speed)
    let starts = drive.segmentStarts + [drive.count]
    for (start, end) in zip(starts, starts.dropFirst()) {
      var first = start
      var length = 0.0
      for row in start..<max(end - 1, start) {
        length += Geodesy.distance(from: drive.coordinate(at: row), to: drive.coordinate(at: row + 1))
        let seconds = drive.elapsed[row + 1] - drive.elapsed[first]
        // Over shorter times, errors of the positions exceed the speed.
        guard seconds >= 1 else { continue }
        trace.append(length / seconds, at: drive.elapsed[first] + seconds / 2)
        first = row + 1
        length = 0
      }
    }
    return trace.values.isEmpty ? drive.channels : [trace] + drive.channels
  }

  /// Returns the plot of a channel, or `nil` if fewer than two drives have it or all values are equal.
  ///
  /// - Parameter traces: the values of each drive, or `nil` if it does not have the channel.
  private static func plot(
    _ traces: [ChannelTrace?], _ passages: [[Passage]], _ distances: ClosedRange<Double>, _ intervals: Int
  ) -> Plot? {
    guard let name = traces.lazy.compactMap({ $0?.name }).first else { return nil }
    let (factor, unit) = displayed(name.unit)
    let all = traces.indices.compactMap { drive -> Series? in
      guard let trace = traces[drive] else { return nil }
      let lines = passages[drive].flatMap { passage in
        averaged(trace, passage, distances, intervals, factor)
      }
      return lines.isEmpty ? nil : Series(drive: drive, lines: lines)
    }
    let values = all.flatMap { $0.lines.flatMap(\.y) }
    guard all.count > 1, let low = values.min(), let high = values.max(), low < high else { return nil }
    let isLevel = high - low < 1e-9 * max(abs(low), abs(high))
    guard !isLevel, high - low < 1e9, abs(low) < 1e9 else { return nil }
    let room = 0.06 * (high - low)
    // Values that are never negative begin at zero if it is near.
    let bottom = low >= 0 && low - room < 0.1 * (high - low) ? 0 : low - room
    let range = bottom...(high + room)
    let scale = GapScale(distances: distances, gaps: range, width: Double(width), height: 300)
    return Plot(
      name: name.name, unit: unit,
      series: all.map { Series(drive: $0.drive, lines: $0.lines.map { GapPlot.thinned($0, scale) }) },
      values: range, ticks: ticks(range))
  }

  /// Returns the factor from a unit to the unit of the page.
  private static func displayed(_ unit: String?) -> (factor: Double, unit: String?) {
    switch (unit, UnitSystem.current) {
    case ("m/s", .metric): (SpeedUnits.kilometresPerHour, "km/h")
    case ("m/s", .imperial): (SpeedUnits.milesPerHour, "mph")
    case ("m", .imperial): (1 / Geodesy.metresPerFoot, "ft")
    default: (1, unit)
    }
  }

  /// Returns the lines of a channel over the distance, with the average of each interval as a point.
  private static func averaged(
    _ trace: ChannelTrace, _ passage: Passage, _ distances: ClosedRange<Double>, _ intervals: Int,
    _ factor: Double
  ) -> [MapColumns] {
    let length = distances.upperBound - distances.lowerBound
    guard let begin = passage.elapsed.first, let end = passage.elapsed.last, begin < end, length > 0
    else { return [] }
    var lines: [MapColumns] = []
    var line = MapColumns()
    var (x, y, count, interval) = (0.0, 0.0, 0.0, -1)
    func finishInterval() {
      guard count > 0 else { return }
      line.append(MapPoint(x: x / count, y: y / count))
      (x, y, count) = (0, 0, 0)
    }
    func finishLine() {
      finishInterval()
      if line.x.count > 1 { lines.append(line) }
      line = MapColumns()
    }
    var row = 0
    var previous = -Double.infinity
    for index in trace.elapsed.indices where trace.elapsed[index] >= begin && trace.elapsed[index] <= end {
      let time = trace.elapsed[index]
      while row + 2 < passage.elapsed.count, passage.elapsed[row + 1] < time { row += 1 }
      let step = passage.elapsed[row + 1] - passage.elapsed[row]
      let share = step > 0 ? (time - passage.elapsed[row]) / step : 0
      let distance =
        passage.distances[row] + share * (passage.distances[row + 1] - passage.distances[row])
      let next = Int((distance - distances.lowerBound) / length * Double(intervals))
      if time - previous > longestStep { finishLine() } else if next != interval { finishInterval() }
      x += distance
      y += trace.values[index] * factor
      count += 1
      (interval, previous) = (next, time)
    }
    finishLine()
    return lines
  }

  /// Returns at most seven round values.
  private static func ticks(_ range: ClosedRange<Double>) -> [GapPlot.Tick] {
    let length = range.upperBound - range.lowerBound
    for exponent in -9...9 {
      let power = (0..<abs(exponent)).reduce(1.0) { power, _ in exponent < 0 ? power / 10 : power * 10 }
      for factor in [1.0, 2, 5] where length / (power * factor) <= 6 {
        let step = power * factor
        let first = (range.lowerBound / step).rounded(.up)
        let last = (range.upperBound / step).rounded(.down)
        return stride(from: first, through: last, by: 1).map {
          GapPlot.Tick(
            value: $0 * step, label: Quantity.fixed($0 * step, max(0, -exponent)), isMinor: false)
        }
      }
    }
    return []
  }
}
