package import TrackArchives
package import TrackModel
package import TrackTransforms

/// Begins a segment after each pause that an export lists apart from the points.
package struct PauseStage: TrackStage {
  private let pauses: [ActivityNotes.Pause]
  /// The last time in the open segment.
  private var last: Int64?
  private var isInSegment = false

  package init(_ pauses: [ActivityNotes.Pause]) { self.pauses = pauses.sorted { $0.end < $1.end } }

  package var summary: String? { nil }

  package mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginSegment:
      isInSegment = true
      last = nil
    case .endSegment: isInSegment = false
    default: break
    }
    output.emit(event)
  }

  package mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard isInSegment, batch.count > 0 else { return }
    var times: [Int64] = []
    var starts: [Int] = []
    for row in 0..<batch.count {
      let time = batch.times[row]
      var shifted = time
      if time != Instant.absent {
        // The number of pauses that end before the point.
        let count = pauses.partitionIndex { $0.end.microseconds > time }
        if let last, count > 0, pauses[count - 1].end.microseconds > last { starts.append(row) }
        last = time
        if count > 0 { shifted = time &+ Instant.microseconds(inSeconds: pauses[count - 1].delay) }
      }
      times.append(shifted)
    }
    let isShifted = pauses.contains { $0.delay != 0 }
    guard isShifted || !starts.isEmpty else { return }
    let columns = isShifted ? PointColumns(batch).with(times: times) : PointColumns(batch)
    batch.removeAll()
    var first = 0
    for row in starts {
      if first < row { output.emit(columns.rows(first..<row)) }
      output.emit(.endSegment)
      output.emit(.beginSegment)
      first = row
    }
    output.emit(columns.rows(first..<columns.count))
  }
}
