import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// Adds the notes of an export to the tracks of an input: name, kind, description and gear, and the time
/// span if the track has none.
struct NotesStage: TrackStage {
  private let notes: ActivityNotes
  private var tracks = 0
  private var hasTimes = false

  init(_ notes: ActivityNotes) { self.notes = notes }

  var summary: String? { nil }

  mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    if !hasTimes { hasTimes = batch.times.contains { $0 != Instant.absent } }
  }

  mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(var info):
      tracks += 1
      hasTimes = info.timeSpan != nil
      if let name = notes.name { info.name = tracks > 1 ? "\(name) \(tracks)" : name }
      info.type = notes.type ?? info.type
      info.description = notes.description ?? info.description
      if info.comment == nil { info.gear = notes.gear }
      output.emit(.beginTrack(info))
    case .endTrack:
      if tracks == 1, !hasTimes, let timeSpan = notes.timeSpan {
        var info = TrackInfo()
        info.timeSpan = timeSpan
        output.emit(.annotation(.track(info)))
      }
      output.emit(event)
    default: output.emit(event)
    }
  }
}

extension Span where Element == Int64 {
  fileprivate func contains(_ isWanted: (Int64) -> Bool) -> Bool {
    for index in indices where isWanted(self[index]) { return true }
    return false
  }
}
