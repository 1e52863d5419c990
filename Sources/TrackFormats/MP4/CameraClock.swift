import TrackModel

/// Converts seconds of a film to times, using the times of the receiver at some of them.
///
/// The camera's own timing is even, and the receiver's times are late by varying fractions of a second.
/// Therefore, a straight line from the first time maps the film's timing to the receiver's. Its slope, the
/// drift of the camera's clock, is the regression of all times. A lasting difference of more than two seconds
/// starts another line.
///
/// A film that runs faster or slower than real time, such as a time lapse, has no such line. Its times are
/// interpolated between those of the receiver.
struct CameraClock {
  private struct Line {
    /// The seconds of the film, and the time, at which the line starts.
    let media: Double
    let time: Int64
    // Sums over the times: their number, seconds of the film since the start, and delays.
    var count = 1.0
    var x = 0.0
    var y = 0.0
    var xx = 0.0
    var xy = 0.0
    var span = 0.0

    init(_ media: Double, _ time: Int64) {
      self.media = media
      self.time = time
    }

    /// The seconds that the receiver's clock gains on the camera's in a second.
    var drift: Double {
      let denominator = count * xx - x * x
      guard span >= CameraClock.shortestSpan, denominator > 0 else { return 0 }
      let drift = (count * xy - x * y) / denominator
      return abs(drift) <= CameraClock.largestDrift ? drift : 0
    }

    /// Returns the time at seconds of the film, or nil if it is out of range.
    func time(at media: Double) -> Int64? {
      let seconds = (media - self.media) * (1 + drift)
      guard abs(seconds) < 1e9 else { return nil }
      return time + Instant.microseconds(inSeconds: seconds)
    }

    mutating func add(_ media: Double, delay: Double) {
      let seconds = media - self.media
      count += 1
      x += seconds
      y += delay
      xx += seconds * seconds
      xy += seconds * delay
      span = max(span, seconds)
    }

    /// Returns the seconds by which a time is later than the film's timing.
    func delay(of time: Int64, at media: Double) -> Double {
      Double(time - self.time) / 1e6 - (media - self.media)
    }
  }

  private var lines: [Line] = []
  /// A time that is not on the last line.
  private var outlier: (media: Double, time: Int64)?
  private var last = Instant.absent
  private var pace = CameraPace()

  /// The difference in seconds from which times are on another line.
  private static let largestDelay = 2.0
  /// The seconds of film from which the drift is known better than quartz clocks are.
  private static let shortestSpan = 60.0
  private static let largestDrift = 0.001

  /// Whether no time is known.
  var isEmpty: Bool { lines.isEmpty }

  /// Adds a time of the receiver. A repeated time is old and ignored.
  mutating func observe(_ time: Int64, at media: Double) {
    guard time != last else { return }
    last = time
    pace.observe(time, at: media)
    guard let line = lines.last else { return lines.append(Line(media, time)) }
    let delay = line.delay(of: time, at: media)
    guard abs(delay - line.drift * (media - line.media)) > Self.largestDelay else {
      outlier = nil
      return lines[lines.count - 1].add(media, delay: delay)
    }
    guard let outlier, case let next = Line(outlier.media, outlier.time),
      case let delay = next.delay(of: time, at: media), abs(delay) <= Self.largestDelay
    else {
      self.outlier = (media, time)
      return
    }
    // A single time before a lasting change was wrong.
    if line.count == 1 { lines.removeLast() }
    lines.append(next)
    lines[lines.count - 1].add(media, delay: delay)
    self.outlier = nil
  }

  /// Returns the time at seconds of the film, or nil if it is unknown.
  func time(at media: Double) -> Int64? {
    if pace.isUnusual { return pace.time(at: media) }
    let next = lines.partitionIndex { $0.media > media }
    return lines.isEmpty ? nil : lines[max(next - 1, 0)].time(at: media)
  }
}
