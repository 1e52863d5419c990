public import TrackModel

/// Begins a new track after each gap in the recording that is longer than a limit.
///
/// The parts have the name of the track, numbered from the second part: `Tour`, `Tour (2)`. Each part has the
/// laps within it; a cut lap loses its totals. The time span of the track is removed; its extensions are kept
/// in the first part. Up to ten points with a clock that ran ahead do not begin a part. If a track has laps
/// or a time span, one part at a time is held in memory.
public struct SplitGapStage: TrackStage {
  private let limit: Int64
  private var info = TrackInfo()
  private var parts = 1
  /// The last time so far, the time of the first point of the open part, and the last time of the part
  /// before.
  private var last: Int64?
  private var first: Int64?
  private var lastBefore: Int64?
  private var isInTrack = false
  /// Points after a gap, held until it is known whether their clock ran ahead.
  private var suspects = PointColumns()
  /// The largest number of points for which a clock may have run ahead.
  private static let longestError = 10
  /// Whether a segment has begun and has no content so far. After a gap, it begins in a new track.
  private var owesSegment = false
  private var splits = 0
  private var lapCut = LapCut()

  /// Whether the start of a part is delayed until its end, which determines its laps.
  private var isHolding = false
  /// The open part without its start event while that event is delayed.
  private var held = StageOutput()

  /// Creates a stage for one stream.
  ///
  /// - Parameter seconds: the longest gap that is not split, above zero.
  public init(seconds: Double) {
    limit = max(0, Instant.microseconds(inSeconds: seconds))
  }

  public var summary: String? {
    let gaps = "\(Counted.of(splits, "gap")) above \(Counted.duration(Double(limit) / 1e6))"
    return splits == 0
      ? nil
      : "split-gap: tracks split at \(gaps)"
        + (lapCut.cut == 0 ? "" : ", \(Counted.of(lapCut.cut, "part")) of laps without totals")
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    releaseSuspects(&output)
    switch event {
    case .beginTrack(let begun):
      info = begun
      parts = 1
      last = nil
      first = nil
      lastBefore = nil
      isInTrack = true
      isHolding = !begun.laps.isEmpty || begun.timeSpan != nil
      if isHolding { return }
    case .beginSegment:
      owesSegment = true
      return
    case .annotation(.track(var more)) where isInTrack:
      let hadName = info.name != nil
      info.merge(more)
      if !hadName { more.name = partName }
      beginOwedSegment(&output)
      guard isHolding else { return output.emit(.annotation(.track(more))) }
      // The delayed start includes it, except the extensions of a later part.
      if parts > 1, !more.extensions.isEmpty {
        var rest = TrackInfo()
        rest.extensions = more.extensions
        held.emit(.annotation(.track(rest)))
      }
      return
    case .endTrack:
      beginOwedSegment(&output)
      release(next: nil, &output)
      isHolding = false
      isInTrack = false
    default: break
    }
    beginOwedSegment(&output)
    emit(event, &output)
  }

  public mutating func finish(_ output: inout StageOutput) {
    releaseSuspects(&output)
    beginOwedSegment(&output)
    // Only an interrupted stream leaves a track open.
    release(next: nil, &output)
  }

  private var partName: String? { parts == 1 ? info.name : info.name.map { "\($0) (\(parts))" } }

  private mutating func beginOwedSegment(_ output: inout StageOutput) {
    if owesSegment { emit(.beginSegment, &output) }
    owesSegment = false
  }

  private mutating func emit(_ event: TrackEvent, _ output: inout StageOutput) {
    if isHolding { held.emit(event) } else { output.emit(event) }
  }

  private mutating func emit(_ points: PointColumns, _ output: inout StageOutput) {
    if isHolding { held.emit(points) } else { output.emit(points) }
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard isInTrack, isHolding || owesSegment || !suspects.isEmpty || hasGap(batch.times) else {
      if isInTrack { follow(batch.times) }
      return
    }
    var columns = suspects
    suspects = PointColumns()
    columns.append(batch)
    batch.removeAll()
    split(columns, isComplete: false, &output)
  }

  /// Emits points of the open track, as a new part on request.
  mutating func append(_ points: PointColumns, asNewPart: Bool, _ output: inout StageOutput) {
    let times = points.times.filter { $0 != Instant.absent }
    if asNewPart, let time = times.first { beginPart(at: time, after: last ?? time, &output) }
    beginOwedSegment(&output)
    emit(points, &output)
    follow(times.span)
  }

  private func hasGap(_ times: Span<Int64>) -> Bool {
    var last = last
    for row in times.indices where times[row] != Instant.absent {
      if let last, isGap(from: last, to: times[row]) { return true }
      last = times[row]
    }
    return false
  }

  private mutating func follow(_ times: Span<Int64>) {
    for row in times.indices where times[row] != Instant.absent {
      first = first ?? times[row]
      last = times[row]
    }
  }

  private mutating func releaseSuspects(_ output: inout StageOutput) {
    guard !suspects.isEmpty else { return }
    let columns = suspects
    suspects = PointColumns()
    split(columns, isComplete: true, &output)
  }

  /// - Parameter isComplete: whether a gap counts even if few points follow it.
  private mutating func split(_ columns: PointColumns, isComplete: Bool, _ output: inout StageOutput) {
    var start = 0
    var end = columns.count
    var row = 0
    while row < columns.count {
      defer { row += 1 }
      let time = columns.times[row]
      guard time != Instant.absent else { continue }
      if let last, isGap(from: last, to: time) {
        switch GapVerdict(columns, row) {
        case .clockError(let next):
          row = next - 1
          continue
        case .undecided where !isComplete:
          end = row
          suspects = columns.rows(row..<columns.count)
        case .undecided, .gap:
          if start < row { beginOwedSegment(&output) }
          emit(columns.rows(start..<row), &output)
          start = row
          beginPart(at: time, after: last, &output)
        }
        if end == row { break }
      }
      first = first ?? time
      last = time
    }
    guard start < end else { return }
    beginOwedSegment(&output)
    emit(columns.rows(start..<end), &output)
  }

  private func isGap(from last: Int64, to time: Int64) -> Bool {
    guard last < time else { return false }
    let (gap, overflow) = time.subtractingReportingOverflow(last)
    return overflow || gap > limit
  }

  private enum GapVerdict {
    case gap
    /// The clock ran ahead until the row at which it was set back.
    case clockError(until: Int)
    /// Too few points follow.
    case undecided

    /// - Parameter row: the first row after the gap.
    init(_ columns: PointColumns, _ row: Int) {
      var count = 0
      for next in row + 1..<max(columns.count, row + 1) where columns.times[next] != Instant.absent {
        if columns.times[next] < columns.times[row] {
          self = .clockError(until: next)
          return
        }
        count += 1
        if count == SplitGapStage.longestError {
          self = .gap
          return
        }
      }
      self = .undecided
    }
  }

  private mutating func beginPart(at time: Int64, after last: Int64, _ output: inout StageOutput) {
    splits += 1
    if !owesSegment { emit(.endSegment, &output) }
    owesSegment = true
    emit(.endTrack, &output)
    release(next: time, &output)
    parts += 1
    lastBefore = last
    first = time
    guard !isHolding else { return }
    var begun = info
    begun.name = partName
    begun.timeSpan = nil
    begun.laps = []
    begun.extensions = []
    output.emit(.beginTrack(begun))
  }

  // MARK: Delayed parts

  /// Emits the delayed part, with the laps within its time range.
  ///
  /// - Parameter next: the first time of the following part; nil for the last.
  private mutating func release(next: Int64?, _ output: inout StageOutput) {
    guard isHolding else { return }
    var begun = info
    begun.name = partName
    if parts > 1 { begun.extensions = [] }
    if parts > 1 || next != nil {
      begun.timeSpan = nil
      begun.laps = laps(next: next)
    }
    output.emit(.beginTrack(begun))
    output.append(held)
    held = StageOutput()
  }

  /// Returns the laps of the open part. A lap that begins or ends in a gap is complete.
  private mutating func laps(next: Int64?) -> [Lap] {
    guard let first, let last else { return info.laps }
    let from = lastBefore.map { Instant(microseconds: $0 &+ 1) }
    let to = next.map { Instant(microseconds: $0 &- 1) }
    let isOver = { (start: Instant) in next != nil && start.microseconds > last }
    // Earlier and later laps are in other parts and therefore not lost.
    let inside = info.laps.filter { lap in lap.start.map { !isOver($0) } ?? true }
    var result = lapCut.laps(inside) { _ in LapCut.Stretch(from: from, to: to) }
    if let from, result.first?.start == from { result[0].start = Instant(microseconds: first) }
    return result
  }
}
