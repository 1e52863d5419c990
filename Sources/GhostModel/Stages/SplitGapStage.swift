public import TrackModel

/// Begins a new track where nothing was recorded for longer than a limit: `--split-gap`.
///
/// The parts are called as the track, from the second on with a number: `Tour`, `Tour (2)`. What the file
/// says of the track as a whole, its laps, its stretch of time and its extensions, stays with the first part.
public struct SplitGapStage: TrackStage {
  private let limit: Int64
  private var info = TrackInfo()
  private var parts = 1
  private var last: Int64?
  private var isInTrack = false
  /// Whether a segment has begun of which nothing has come: a gap before it begins a track before it.
  private var owesSegment = false
  private var splits = 0

  /// - Parameter seconds: the longest gap that stays one, above zero.
  public init(seconds: Double) {
    limit = Int64((max(0, min(3e11, seconds.isNaN ? 0 : seconds)) * 1e6).rounded())
  }

  public var summary: String? {
    splits == 0 ? nil : "split-gap: tracks split at \(Counted.of(splits, "gap"))"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let begun):
      info = begun
      parts = 1
      last = nil
      isInTrack = true
    case .beginSegment:
      owesSegment = true
      return
    case .points where isInTrack: return split(batch, &output)
    case .annotation(.track(var more)) where isInTrack:
      let hadName = info.name != nil
      info.merge(more)
      if !hadName { more.name = partName }
      beginOwedSegment(&output)
      return output.emit(.annotation(.track(more)))
    case .endTrack: isInTrack = false
    default: break
    }
    beginOwedSegment(&output)
    output.pass(event, batch)
  }

  public mutating func finish(_ output: inout StageOutput) { beginOwedSegment(&output) }

  private var partName: String? { parts == 1 ? info.name : info.name.map { "\($0) (\(parts))" } }

  private mutating func beginOwedSegment(_ output: inout StageOutput) {
    if owesSegment { output.emit(.beginSegment) }
    owesSegment = false
  }

  private mutating func split(_ batch: borrowing PointBatch, _ output: inout StageOutput) {
    var columns = PointColumns()
    columns.append(batch)
    var first = 0
    for row in 0..<columns.count where columns.times[row] != Instant.absent {
      let time = columns.times[row]
      if let last, last < time, case let (gap, overflow) = time.subtractingReportingOverflow(last),
        overflow || gap > limit
      {
        if first < row { beginOwedSegment(&output) }
        output.emit(columns.rows(first..<row))
        first = row
        beginTrack(&output)
      }
      last = time
    }
    beginOwedSegment(&output)
    output.emit(columns.rows(first..<columns.count))
  }

  private mutating func beginTrack(_ output: inout StageOutput) {
    splits += 1
    parts += 1
    var next = info
    next.name = partName
    next.timeSpan = nil
    next.laps = []
    next.extensions = []
    if !owesSegment { output.emit(.endSegment) }
    owesSegment = true
    output.emit(.endTrack)
    output.emit(.beginTrack(next))
  }
}
