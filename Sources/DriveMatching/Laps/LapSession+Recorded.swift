public import GhostModel
public import TrackModel

extension LapSession {
  /// The time in seconds before the first fix at which a complete lap may begin, and the highest average
  /// speed of one in metres per second.
  private static let earliest = 2.0
  private static let highestSpeed = 150.0
  /// The share of the usual distance below which a lap is a remnant, such as the last one of a ride with a
  /// lap per kilometre.
  private static let remnant = 0.75

  /// Creates a session from the recorder's laps, which were started manually or by distance.
  ///
  /// The laps are brought into the order of their starts; those without a start are left out.
  /// A lap ends after its elapsed time, or at the start of the next one. The last lap ends with the drive, or
  /// after its timer time if only that agrees with its distance. Laps are complete, except those of
  /// impossible speed, which a button that was pressed twice starts, those that begin before the drive, and
  /// those that are much shorter than most.
  /// Laps outside the drive, such as those of another track, are left out.
  public init(_ laps: [Lap], of trace: TimedDrive) {
    let path = SmoothPath(trace)
    let laps = Self.ordered(laps)
    // Without a date, times count from the start of the recording.
    let first = trace.startTime ?? DriveElement.unknownStart
    let elapsed = Self.elapsedTimes(laps, end: first.secondsSince1970 + trace.duration)
    let starts = Self.exactStarts(laps, elapsed).map { start in start.map { $0 - first.secondsSince1970 } }
    let rowStep = Self.rowStep(starts, elapsed, trace)
    var timed: [TimedLap] = []
    for (index, lap) in laps.enumerated() {
      guard let recorded = starts[index] else { continue }
      let start = max(recorded, 0)
      let next = index + 1 < starts.count ? starts[index + 1] : nil
      let end = elapsed[index].map { recorded + $0 } ?? next ?? Self.end(of: lap, recorded, trace, path)
      guard end > start, start < trace.duration else { continue }
      // Some recorders write 0 for an unknown distance. The distance of a lap that began before the drive is
      // that of more than the drive.
      let distance =
        lap.distance.flatMap { $0 > 0 && recorded >= -Self.earliest ? $0 : nil }
        ?? path.distance(at: end) - path.distance(at: start)
      timed.append(
        TimedLap(
          number: timed.count + 1, start: start, duration: end - start,
          distance: distance,
          isComplete: recorded >= -Self.earliest && distance > 0
            && distance <= Self.highestSpeed * (end - start),
          maximumSpeed: max(
            path.maximumSpeed(from: start, to: min(end, trace.duration)), distance / (end - start)),
          waiting: path.waiting(from: start, to: end), uncertainty: rowStep * Self.roundingError))
    }
    if let usual = timed.map(\.distance).filter({ $0 > 0 }).upperMedian {
      for index in timed.indices where timed[index].distance < Self.remnant * usual {
        timed[index].isComplete = false
      }
    }
    self.init(
      laps: timed,
      // A lap may end after the next one.
      timed: timed.first.flatMap { first in timed.map(\.end).max().map { first.start...$0 } },
      duration: trace.duration)
  }

  /// Returns the laps with a start in the order of their starts. Some recorders write the last lap first.
  private static func ordered(_ laps: [Lap]) -> [Lap] {
    laps.enumerated().compactMap { index, lap in lap.start.map { (start: $0, index: index, lap: lap) } }
      .sorted { ($0.start, $0.index) < ($1.start, $1.index) }.map(\.lap)
  }

  /// Returns the end of the last lap. The timer time leaves out pauses, so that it is the duration only if
  /// the lap's distance, and not the rest of the drive, was driven in it.
  private static func end(of lap: Lap, _ start: Double, _ trace: TimedDrive, _ path: SmoothPath) -> Double {
    guard let timer = lap.timerTime, let distance = lap.distance, distance > 0 else { return trace.duration }
    let before = path.distance(at: max(start, 0))
    func error(_ end: Double) -> Double { abs(path.distance(at: end) - before - distance) }
    let end = min(start + timer, trace.duration)
    return end > start && 4 * error(end) < error(trace.duration) ? end : trace.duration
  }

  /// Divides the laps of a file with several tracks. A lap belongs to the track that it overlaps most: the
  /// start of a lap can be rounded to a time before the end of the previous track.
  ///
  /// - Parameters:
  ///   - laps: the recorded laps of the file.
  ///   - traces: the tracks of the file, or those of them that are used.
  /// - Returns: the laps per track, in the order of their starts. Laps that overlap no track are left out,
  ///   and laps that overlap a track only within the precision of starts.
  public static func divide(_ laps: [Lap], among traces: [TimedDrive]) -> [[Lap]] {
    var divided: [[Lap]] = traces.map { _ in [] }
    let laps = ordered(laps)
    var spans = TimeSpanIndex()
    for (index, trace) in traces.enumerated() {
      spans.insert(index, start: trace.startTime ?? DriveElement.unknownStart, duration: trace.duration)
    }
    for (index, lap) in laps.enumerated() {
      guard let start = lap.start else { continue }
      let next = index + 1 < laps.count ? laps[index + 1].start : nil
      let duration = lap.elapsedTime ?? next?.seconds(since: start) ?? .infinity
      let overlaps = spans.candidates(start: start, duration: duration).map { index in
        let begin = start.seconds(since: traces[index].startTime ?? DriveElement.unknownStart)
        return (
          index: index, seconds: min(begin + duration, traces[index].duration) - max(begin, 0)
        )
      }
      guard let most = overlaps.max(by: { $0.seconds < $1.seconds }), most.seconds > 0,
        most.seconds >= min(Self.startPrecision, duration / 2)
      else { continue }
      divided[most.index].append(lap)
    }
    return divided
  }

  /// The precision of the starts of laps in FIT files, in seconds.
  private static let startPrecision = 1.0
  /// One standard deviation of a duration between two times that are rounded up to rows, in rows.
  private static let roundingError = 1 / 6.0.squareRoot()

  /// Returns the elapsed times of laps in seconds. TCX files have only timer times, which leave out pauses.
  /// They are elapsed times if they agree with the starts of the next laps or, after a last fix, with the end
  /// of the drive.
  private static func elapsedTimes(_ laps: [Lap], end: Double) -> [Double?] {
    laps.enumerated().map { index, lap in
      guard lap.elapsedTime == nil else { return lap.elapsedTime }
      guard let timer = lap.timerTime, let start = lap.start?.secondsSince1970 else { return nil }
      let isLast = index + 1 == laps.count
      guard let next = isLast ? end : laps[index + 1].start?.secondsSince1970 else { return nil }
      return abs(next - start - timer) <= (isLast ? 2 : 1) * startPrecision ? timer : nil
    }
  }

  /// Returns the starts of laps in seconds since 1970, with fractions of seconds.
  ///
  /// FIT and TCX files have starts in whole seconds, but exact elapsed times. The starts of consecutive laps
  /// differ by the elapsed times, and each is less than a second after its whole second.
  private static func exactStarts(_ laps: [Lap], _ elapsed: [Double?]) -> [Double?] {
    var starts = laps.map { $0.start?.secondsSince1970 }
    let areWhole = laps.allSatisfy { $0.start.map { $0.microseconds % 1_000_000 == 0 } ?? true }
    let areExact = elapsed.contains { $0.map { $0 != $0.rounded() } ?? false }
    guard areWhole, areExact else { return starts }
    var begin = 0
    while begin < laps.count {
      // The range of the first start for which all starts of the chain have their whole seconds.
      var range = (low: starts[begin] ?? 0, high: (starts[begin] ?? 0) + 1)
      var offsets = [0.0]
      while begin + offsets.count < laps.count, let seconds = elapsed[begin + offsets.count - 1],
        let next = starts[begin + offsets.count]
      {
        let offset = offsets[offsets.count - 1] + seconds
        let narrowed = (low: max(range.low, next - offset), high: min(range.high, next - offset + 1))
        guard narrowed.low < narrowed.high else { break }
        range = narrowed
        offsets.append(offset)
      }
      if offsets.count > 1 {
        for (index, offset) in offsets.enumerated() {
          starts[begin + index] = (range.low + range.high) / 2 + offset
        }
      }
      begin += offsets.count
    }
    return starts
  }

  /// Returns the usual interval between rows in seconds if all laps start and end at rows, otherwise 0.
  ///
  /// The laps of a column with lap numbers start at the first row with their number.
  private static func rowStep(_ starts: [Double?], _ elapsed: [Double?], _ trace: TimedDrive) -> Double {
    func isRow(_ time: Double) -> Bool {
      let next = trace.elapsed.partitionIndex { $0 > time - 1e-3 }
      return next < trace.count && trace.elapsed[next] < time + 1e-3
    }
    let areRows = zip(starts, elapsed).allSatisfy { start, elapsed in
      start.map { start in isRow(start) && (elapsed.map { isRow(start + $0) } ?? true) } ?? true
    }
    guard areRows else { return 0 }
    return zip(trace.elapsed, trace.elapsed.dropFirst()).map { $1 - $0 }.upperMedian ?? 0
  }
}
