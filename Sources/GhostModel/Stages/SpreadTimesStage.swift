public import TrackModel

/// Gives each point of a track a time where the file says only when the track began and ended:
/// `--spread-times`.
///
/// By distance, as at a constant speed over all segments and the ways between them: the first point gets the
/// beginning, the last one the end. Where all points are at one place they are spread by their number. Only
/// tracks of at least two points with both ends and without any times of their own change. Memory holds a
/// track.
public struct SpreadTimesStage: TrackStage {
  private enum Item: Sendable {
    case event(TrackEvent)
    case points(PointColumns)
  }

  private var held: [Item] = []
  private var info: TrackInfo?
  private var spread = 0

  public init() {}

  public var summary: String? {
    spread == 0 ? nil : "spread-times: \(Counted.of(spread, "track")) given times by distance"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    if case .beginTrack(let begun) = event { info = begun }
    guard info != nil else { return output.pass(event, batch) }
    switch event {
    case .points:
      var points = PointColumns()
      points.append(batch)
      held.append(.points(points))
    case .annotation(.track(let more)):
      info?.merge(more)
      held.append(.event(event))
    default: held.append(.event(event))
    }
    if case .endTrack = event {
      giveTimes()
      emit(&output)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    // The end of a track that broke off is not where it ended: no times.
    emit(&output)
  }

  private mutating func emit(_ output: inout StageOutput) {
    for item in held {
      switch item {
      case .event(let event): output.emit(event)
      case .points(let points): output.emit(points)
      }
    }
    held = []
    info = nil
  }

  private mutating func giveTimes() {
    guard let begin = info?.timeSpan?.begin, let end = info?.timeSpan?.end, begin < end else { return }
    /// Metres from the first point to each.
    var along: [Double] = []
    var last: GeodeticPoint?
    for case .points(let points) in held {
      for row in 0..<points.count {
        guard points.times[row] == Instant.absent else { return }
        let point = GeodeticPoint(points.coordinate(at: row))
        along.append((along.last ?? 0) + (last.map { Geodesy.distance(from: $0, to: point) } ?? 0))
        last = point
      }
    }
    guard along.count > 1, let total = along.last else { return }
    var times: [Int64] = []
    for (index, distance) in along.enumerated() {
      let fraction = total > 0 ? distance / total : Double(index) / Double(along.count - 1)
      guard let time = index == along.count - 1 ? end : begin.interpolated(to: end, fraction: fraction) else {
        return
      }
      times.append(time.microseconds)
    }
    spread += 1
    var first = 0
    for index in held.indices {
      guard case .points(let points) = held[index] else { continue }
      held[index] = .points(points.with(times: Array(times[first..<(first + points.count)])))
      first += points.count
    }
  }
}
