public import TrackModel

/// Gives each point of a track a time where the file says only when the track began and ended: `--spread-times`.
///
/// By distance, as at a constant speed: the first point gets the beginning, the last one the end. Only tracks
/// with both ends and without any times of their own change.
public struct SpreadTimesStage: TrackStage {
  private var held: [(event: TrackEvent, points: PointColumns)] = []
  private var info: TrackInfo?
  private var spread = 0

  public init() {}

  public var summary: String? {
    spread == 0 ? nil : "spread-times: \(Counted.of(spread, "track")) given times by distance"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let begun):
      info = begun
      held = [(event, PointColumns())]
    case .endTrack:
      held.append((event, PointColumns()))
      emit(&output)
    case _ where info != nil:
      if case .annotation(.track(let more)) = event { info?.merge(more) }
      var points = PointColumns()
      if case .points = event { points.append(batch) }
      held.append((event, points))
    default: output.pass(event, batch)
    }
  }

  public mutating func finish(_ output: inout StageOutput) { emit(&output) }

  private mutating func emit(_ output: inout StageOutput) {
    defer {
      held = []
      info = nil
    }
    let hasTimes = held.contains { $0.points.times.contains { $0 != Instant.absent } }
    var total = 0.0
    var last: Coordinate?
    for item in held {
      for row in 0..<item.points.count {
        if let last { total += Geodesy.distance(from: last, to: item.points.coordinate(at: row)) }
        last = item.points.coordinate(at: row)
      }
    }
    guard !hasTimes, total > 0, let begin = info?.timeSpan?.begin, let end = info?.timeSpan?.end, begin < end
    else {
      for item in held {
        if item.points.isEmpty { output.emit(item.event) } else { output.emit(item.points) }
      }
      return
    }
    spread += 1
    let duration = Double(end.microseconds - begin.microseconds)
    var along = 0.0
    last = nil
    for item in held {
      guard !item.points.isEmpty else {
        output.emit(item.event)
        continue
      }
      let times = (0..<item.points.count).map { row -> Int64 in
        if let last { along += Geodesy.distance(from: last, to: item.points.coordinate(at: row)) }
        last = item.points.coordinate(at: row)
        return begin.microseconds + Int64((duration * min(along / total, 1)).rounded())
      }
      output.emit(item.points.with(times: times))
    }
  }
}
