import TrackModel

/// Finds films that run faster or slower than real time, and interpolates their times between those of the
/// receiver.
///
/// A film is faster if three of four consecutive intervals between times are, by more than any variation of
/// the receiver's times.
struct CameraPace {
  /// Seconds of the film, and microseconds since 1970, in the order of the film.
  private struct Observation {
    let media: Double
    let time: Int64

    /// Returns the seconds that pass in a second of the film up to a later observation.
    func rate(to next: Observation) -> Double {
      let media = next.media - media
      return media > 0 ? Double(next.time - time) / 1e6 / media : .nan
    }
  }

  private var observations: [Observation] = []
  /// The most recent observations, including wrong ones.
  private var window: [Observation] = []
  private var wasUnusual = false
  /// Every `step`th observation is kept.
  private var step = 1
  private var count = 0

  /// The maximum number of observations.
  private static let limit = 1 << 17
  /// The number of consecutive intervals that show the pace, and of those that may be wrong.
  private static let intervals = 8
  private static let maximumWrong = 2
  /// The smallest number of intervals of a shorter film, which all have to show its pace.
  private static let fewestIntervals = 3
  /// The rate from which an interval is faster than real time. One of its inverse is slower.
  private static let unusualRate = 1.3
  /// The seconds by which times vary in films in real time.
  private static let variation = 2.0
  /// The factor by which the rate at either end of a film differs from the next one if the time is wrong.
  private static let wrongRate = 20.0

  /// Whether the film does not run in real time.
  var isUnusual: Bool {
    if wasUnusual { return true }
    return window.count <= Self.intervals && isWindowUnusual(maximumWrong: 0)
  }

  /// Adds a time of the receiver, which differs from the last one.
  mutating func observe(_ time: Int64, at media: Double) {
    let observation = Observation(media: media, time: time)
    if window.count > Self.intervals { window.removeFirst() }
    window.append(observation)
    if !wasUnusual, window.count > Self.intervals {
      wasUnusual = isWindowUnusual(maximumWrong: Self.maximumWrong)
    }
    count += 1
    guard (count - 1).isMultiple(of: step) else { return }
    if let last = observations.last, last.media >= media { return }
    removeWrongTime(before: observation)
    observations.append(observation)
    guard observations.count == Self.limit else { return }
    observations = stride(from: 0, to: observations.count, by: 2).map { observations[$0] }
    step *= 2
  }

  private func isWindowUnusual(maximumWrong: Int) -> Bool {
    guard window.count > Self.fewestIntervals, let first = window.first, let last = window.last else {
      return false
    }
    let gain = Double(last.time - first.time) / 1e6 - (last.media - first.media)
    guard abs(gain) > Self.variation else { return false }
    let usual = zip(window, window.dropFirst()).count { one, next in
      let rate = one.rate(to: next)
      return !(gain > 0 ? rate > Self.unusualRate : rate > 0 && rate < 1 / Self.unusualRate)
    }
    return usual <= maximumWrong
  }

  /// Removes the last time if it is not between its neighbours, or if it is the first and far from the next.
  private mutating func removeWrongTime(before next: Observation) {
    guard let last = observations.last, observations.count > 1 else { return }
    let previous = observations[observations.count - 2]
    if previous.time < next.time, !(previous.time...next.time).contains(last.time) {
      observations.removeLast()
    } else if observations.count == 2, Self.isWrong(previous.rate(to: last), beside: last.rate(to: next)) {
      observations.removeFirst()
    }
  }

  private static func isWrong(_ rate: Double, beside next: Double) -> Bool {
    next > 0 && (rate <= 0 || rate > next * wrongRate || rate < next / wrongRate)
  }

  /// Returns the time at seconds of the film, or nil if it is out of range.
  func time(at media: Double) -> Int64? {
    var count = observations.count
    if count > 2,
      Self.isWrong(
        observations[count - 2].rate(to: observations[count - 1]),
        beside: observations[count - 3].rate(to: observations[count - 2]))
    {
      count -= 1
    }
    guard count > 1 else { return nil }
    let next = observations[..<count].partitionIndex { $0.media > media }
    let start = observations[min(max(next - 1, 0), count - 2)]
    let end = observations[min(max(next, 1), count - 1)]
    let seconds = (media - start.media) * start.rate(to: end)
    guard abs(seconds) < 1e9 else { return nil }
    return start.time + Instant.microseconds(inSeconds: seconds)
  }
}
