public import TrackModel

/// Keeps the content of a time interval.
///
/// Trackpoints without a time are removed. Waypoints and routepoints without one are kept: they are places
/// rather than a recording. Segments are split where points with times were removed, so that no line connects
/// the rest. Laps outside the interval are removed. Laps and the time span of a track are cut,
/// and cut laps lose their totals.
public struct CropStage: TrackStage {
  /// The interval to keep, including both ends.
  public enum Bounds: Sendable, Hashable {
    /// Between two times; nil is open.
    case instants(from: Instant?, to: Instant?)
    /// Between two times of day, in seconds since midnight; across midnight if the first is later.
    case timesOfDay(from: Double, to: Double)
  }

  private let bounds: Bounds
  private let utcOffset: @Sendable (Instant) -> Int
  private var isInRoute = false
  /// Whether the open segment has points, and points with times were removed after them.
  private var hasPoints = false
  private var isCut = false
  private var total = 0
  private var removed = 0
  private var untimed = 0
  /// The earliest and the latest time of a trackpoint.
  private var span: (first: Instant, last: Instant)?
  private var lapCut = LapCut()

  /// Creates a stage for one stream.
  ///
  /// - Parameters:
  ///   - bounds: the interval to keep.
  ///   - utcOffset: the offset from UTC, in seconds, of the clock for times of day and for messages at a
  ///     given time.
  public init(_ bounds: Bounds, utcOffset: @escaping @Sendable (Instant) -> Int = { _ in 0 }) {
    self.bounds = bounds
    self.utcOffset = utcOffset
  }

  public var summary: String? {
    let reason = untimed == 0 ? "" : ", \(untimed) of them without a time"
    let points = Counted.leftOut("crop", removed, of: total).map { $0 + reason }
    guard !lapCut.words.isEmpty else { return points }
    return (points ?? "crop: no points removed") + lapCut.words
  }

  /// A warning if nothing remains, with the times of the recording on the local clock.
  public var warnings: [TrackWarning] {
    guard total > 0, removed == total else { return [] }
    guard let span else { return [TrackWarning(.nothingLeft, "no point has a time; no points left")] }
    func text(_ time: Instant) -> String { time.description(utcOffset: utcOffset(time)) }
    return [
      TrackWarning(
        .nothingLeft,
        "no points left; the recording lasts from \(text(span.first)) to \(text(span.last))")
    ]
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    total += batch.count
    for row in 0..<batch.count {
      guard let time = batch.time(at: row) else { continue }
      span = (min(span?.first ?? time, time), max(span?.last ?? time, time))
    }
    let kept = (0..<batch.count).map { keeps(batch.time(at: $0)) }
    // The rows before which points with times were removed.
    var cuts: Set<Int> = []
    if !isInRoute {
      for row in kept.indices {
        if kept[row] {
          if isCut { cuts.insert(row) }
          (hasPoints, isCut) = (true, false)
        } else if batch.time(at: row) == nil {
          untimed += 1
        } else {
          isCut = hasPoints
        }
      }
    }
    guard !cuts.isEmpty else {
      removed += batch.keepRows { kept[$0] }
      return
    }
    removed += kept.count { !$0 }
    let columns = PointColumns(batch)
    var row = 0
    while let first = kept[row...].firstIndex(of: true) {
      if cuts.contains(first) {
        output.emit(.endSegment)
        output.emit(.beginSegment)
      }
      row = kept[first...].firstIndex(of: false) ?? kept.count
      output.emit(columns.rows(first..<row))
    }
    batch.removeAll()
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .waypoint(let waypoint):
      total += 1
      guard waypoint.time == nil || keeps(waypoint.time) else {
        removed += 1
        return
      }
    case .beginTrack(let info): return output.emit(.beginTrack(cropped(info)))
    case .annotation(.track(let info)): return output.emit(.annotation(.track(cropped(info))))
    case .beginSegment: (hasPoints, isCut) = (false, false)
    case .beginRoute: isInRoute = true
    case .endRoute: isInRoute = false
    default: break
    }
    output.emit(event)
  }

  private mutating func cropped(_ info: TrackInfo) -> TrackInfo {
    if bounds == .instants(from: nil, to: nil) { return info }
    var info = info
    info.laps = lapCut.laps(info.laps) { [self] in stretch(at: $0) }
    guard var span = info.timeSpan else { return info }
    if let begin = span.begin { span.begin = stretch(at: begin).map { max(begin, $0.from ?? begin) } }
    span.end = span.end.flatMap(lastKept)
    let isOutside =
      (info.timeSpan?.begin != nil && span.begin == nil) || (info.timeSpan?.end != nil && span.end == nil)
    let isReversed = if let begin = span.begin, let end = span.end { end < begin } else { false }
    info.timeSpan = isOutside || isReversed || span == TimeSpan() ? nil : span
    return info
  }

  private func keeps(_ time: Instant?) -> Bool {
    guard let time else { return isInRoute }
    return bounds.keeps(moved(time, clockOffset(at: time)))
  }

  /// Returns ``Bounds/stretch(at:)`` on the clock of the times of day.
  private func stretch(at moment: Instant) -> LapCut.Stretch? {
    let offset = clockOffset(at: moment)
    return bounds.stretch(at: moved(moment, offset)).map { stretch in
      LapCut.Stretch(from: stretch.from.map { moved($0, -offset) }, to: stretch.to.map { moved($0, -offset) })
    }
  }

  /// Returns ``Bounds/lastKept(_:)`` on the clock of the times of day.
  private func lastKept(_ moment: Instant) -> Instant? {
    let offset = clockOffset(at: moment)
    return bounds.lastKept(moved(moment, offset)).map { moved($0, -offset) }
  }

  /// Returns the offset from UTC, in seconds, of the clock of the bounds.
  private func clockOffset(at time: Instant) -> Int {
    if case .timesOfDay = bounds { utcOffset(time) } else { 0 }
  }

  private func moved(_ time: Instant, _ seconds: Int) -> Instant {
    seconds == 0 ? time : time.advanced(bySeconds: Double(seconds)) ?? time
  }
}

extension CropStage.Bounds {
  /// Returns the microseconds since midnight.
  private static func clock(_ microseconds: Int64) -> Int64 {
    let rest = microseconds % CivilCalendar.dayLength
    return rest < 0 ? rest + CivilCalendar.dayLength : rest
  }

  /// Returns a time of day in microseconds.
  private static func clock(seconds: Double) -> Int64 {
    Instant.microseconds(inSeconds: seconds.isNaN ? 0 : max(0, min(86_400, seconds)))
  }

  func keeps(_ time: Instant) -> Bool {
    switch self {
    case .instants(let from, let to):
      return (from.map { $0 <= time } ?? true) && (to.map { time <= $0 } ?? true)
    case .timesOfDay(let from, let to):
      let second = Double(Self.clock(time.microseconds)) / 1e6
      return from <= to ? from <= second && second <= to : from <= second || second <= to
    }
  }

  /// Returns the interval that contains a time, otherwise the next one, or nil if none follows.
  func stretch(at moment: Instant) -> LapCut.Stretch? {
    switch self {
    case .instants(let from, let to):
      if let to, to < moment { return nil }
      return LapCut.Stretch(from: from, to: to)
    case .timesOfDay(let from, let to):
      let begin = Self.clock(seconds: from)
      let end = Self.clock(seconds: to)
      let ahead = Self.clock(begin - Self.clock(moment.microseconds))
      let back = keeps(moment) && ahead > 0 ? ahead - CivilCalendar.dayLength : ahead
      let (first, overflow) = moment.microseconds.addingReportingOverflow(back)
      let (last, overflows) = first.addingReportingOverflow(
        end - begin + (begin <= end ? 0 : CivilCalendar.dayLength))
      guard !overflow, !overflows else { return nil }
      return LapCut.Stretch(from: Instant(microseconds: first), to: Instant(microseconds: last))
    }
  }

  /// Returns the latest time in the interval that is not after another time, or nil if there is none.
  func lastKept(_ moment: Instant) -> Instant? {
    if keeps(moment) { return moment }
    switch self {
    case .instants(let from, let to):
      guard let to, to < moment, from.map({ $0 <= to }) ?? true else { return nil }
      return to
    case .timesOfDay(_, let to):
      let back = Self.clock(Self.clock(moment.microseconds) - Self.clock(seconds: to))
      let (last, overflow) = moment.microseconds.subtractingReportingOverflow(back)
      return overflow ? nil : Instant(microseconds: last)
    }
  }
}

extension TrackWarning.Code {
  /// A stage removed all points.
  public static let nothingLeft = Self("nothing-left")
}
