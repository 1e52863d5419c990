import TrackModel

/// The rows of a recording that repeat the last fix because the receiver has no newer one.
///
/// Loggers write several rows per second, while many receivers have a fix once a second. In motion, such a
/// row is not a position at its time: the recording would stand still and jump. When stationary, fixes at the
/// rate of the receiver remain.
enum HeldFixes {
  /// The minimum share of rows that repeat a position, and of positions in motion that are repeated.
  private static let least = (repeated: 0.25, held: 0.7)
  /// The minimum number of positions in motion that show the rate of the receiver.
  private static let positions = 8
  /// The minimum distance between two positions in motion in metres. A slow recording with few decimals
  /// repeats positions too.
  private static let distance = 2.5
  /// The longest interval between fixes in seconds.
  private static let longest = 10.0
  /// The shares of the usual interval before which a fix does not repeat itself, and within which the next
  /// fix follows.
  private static let share = (after: 0.999, before: 0.75)

  /// Returns the repeated rows, ascending.
  ///
  /// - Parameters:
  ///   - times: ascending times in microseconds.
  ///   - latitudes: the latitudes in degrees.
  ///   - longitudes: the longitudes in degrees.
  static func rows(times: [Int64], latitudes: [Double], longitudes: [Double]) -> [Int] {
    let (latitudes, longitudes) = (latitudes.span, longitudes.span)
    var repeated = 0
    for row in stride(from: 1, to: times.count, by: 1)
    where latitudes[row] == latitudes[row - 1] && longitudes[row] == longitudes[row - 1] {
      repeated += 1
    }
    guard Double(repeated) >= least.repeated * Double(times.count),
      let interval = interval(times.span, latitudes, longitudes)
    else { return [] }
    var rows: [Int] = []
    var first = 0
    while first < times.count {
      var next = first + 1
      while next < times.count, latitudes[next] == latitudes[first], longitudes[next] == longitudes[first] {
        next += 1
      }
      let end = next < times.count ? Double(times[next]) - share.before * interval : .infinity
      var kept = first
      for row in stride(from: first + 1, to: next, by: 1) {
        if Double(times[row]) - Double(times[kept]) >= share.after * interval, Double(times[row]) <= end {
          kept = row
        } else {
          rows.append(row)
        }
      }
      first = next
    }
    return rows
  }

  /// Returns the usual interval between fixes in microseconds, or nil if they are not repeated.
  private static func interval(
    _ times: Span<Int64>, _ latitudes: Span<Double>, _ longitudes: Span<Double>
  ) -> Double? {
    // The positions that another one follows, far away: the number of their rows and their duration.
    var steps: [(rows: Int, microseconds: Double)] = []
    var first = 0
    for row in 1..<times.count
    where latitudes[row] != latitudes[first] || longitudes[row] != longitudes[first] {
      let metres = Geodesy.distance(
        from: Coordinate(latitude: latitudes[first], longitude: longitudes[first]),
        to: Coordinate(latitude: latitudes[row], longitude: longitudes[row]))
      if metres >= distance { steps.append((row - first, Double(times[row]) - Double(times[first]))) }
      first = row
    }
    let held = steps.filter { $0.rows > 1 }
    guard held.count >= positions, Double(held.count) >= least.held * Double(steps.count) else { return nil }
    return held.map(\.microseconds).upperMedian.flatMap { $0 <= longest * 1e6 ? $0 : nil }
  }
}
