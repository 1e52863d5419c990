public import TrackModel

/// Merges all tracks into one.
///
/// The segments are sorted by their first times; those without times stay after the previous segment.
/// Segments that begin before the end of earlier segments are counted. Content between the tracks follows
/// them. Name, number and description are those of the first track that has any of them; kind and style are
/// the first that occur. The result has the links, laps and extensions of all tracks, and its time span
/// extends from the earliest start to the latest end. If the device's distances of a track begin below the
/// last one, they continue from there. The segments, and waypoints and routes after the first track, are held
/// in memory, because the last track of a file may be the earliest.
public struct MergeStage: TrackStage {
  private var tracks = 0
  private var isInTrack = false
  private var info = TrackInfo()
  /// The number, from 1, of the track that provides the name and the texts; nil until a track has any.
  private var described: Int?
  /// The time span; nil until a track has one.
  private var timeSpan: TimeSpan?
  /// The last emitted distance in metres, and the amount added to the distances of the open track; nil until
  /// the track has a distance.
  private var lastDistance: Double?
  private var distanceMove: Double?
  private var segments: [Segment] = []
  private var isInSegment = false
  private var backwards = 0
  private var open = OpenContainers()
  private var later = StageOutput()
  private var losses = LossReport()
  /// Whether the times of the open track are artificial, and whether there were tracks of either kind.
  private var isArtificial = false
  private var hasArtificialTimes = false
  private var hasTimes = false

  /// A segment that is held until all of them are known.
  private struct Segment {
    /// The number of its track, from 1.
    var track: Int
    /// The time by which it is sorted, and its first and last times, in microseconds since 1970.
    var order: Int64
    var times: ClosedRange<Int64>?
    var content = StageOutput()
  }

  /// Creates a stage for one stream.
  public init() {}

  /// The error if only some tracks have a start time, so that the tracks cannot be ordered.
  public var fault: TrackError? {
    guard hasArtificialTimes, hasTimes else { return nil }
    return TrackError(
      .noTimes, "a drive without a start time cannot be merged with tracks that have times",
      suggestion: .provideStart)
  }

  public var summary: String? {
    guard tracks > 1 else { return nil }
    let disorder =
      backwards > 0 ? ", segments that begin before the previous segment ends: \(backwards)" : ""
    return "merge: \(tracks) tracks merged into one\(disorder)"
      + (losses.isEmpty ? "" : ", removed: \(losses.text)")
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    // Points between two tracks must not be added to the open one.
    guard isInTrack else { return tracks > 0 ? later.move(&batch) : () }
    follow(batch.times)
    guard fault == nil, isInSegment else { return batch.removeAll() }
    segments[segments.count - 1].content.move(&batch)
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let begun):
      tracks += 1
      isInTrack = true
      isArtificial = begun.extensions.contains {
        $0.isDrive && $0.value(of: DriveElement.clock) == DriveElement.artificialClock
      }
      let first = added(begun)
      if tracks == 1 {
        output.emit(.beginTrack(first))
        open.take(event)
      } else if !first.isEmpty {
        output.emit(.annotation(.track(first)))
      }
    case .endTrack: isInTrack = false  // ended at the end of the stream
    case .annotation(.track(let more)) where isInTrack:
      let first = added(more)
      if !first.isEmpty { output.emit(.annotation(.track(first))) }
    case .beginSegment where isInTrack:
      isInSegment = true
      segments.append(Segment(track: tracks, order: segments.last?.order ?? .min))
    case .endSegment where isInSegment: isInSegment = false
    case .annotation where isInSegment: segments[segments.count - 1].content.emit(event)
    case .header(let info) where tracks > 0: later.emit(.annotation(.file(info)))
    default:
      if tracks > 0, !isInTrack { return later.emit(event) }
      open.take(event)
      output.emit(event)
    }
  }

  /// Notes the times of the open segment, and whether they are artificial.
  private mutating func follow(_ times: Span<Int64>) {
    for index in times.indices where times[index] != Instant.absent {
      if DriveElement.isFromUnknownStart(Instant(microseconds: times[index])) { isArtificial = true }
      if isArtificial { hasArtificialTimes = true } else { hasTimes = true }
      guard isInSegment else { continue }
      let last = segments.count - 1
      if let known = segments[last].times {
        segments[last].times = known.lowerBound...max(known.upperBound, times[index])
      } else {
        segments[last].order = times[index]
        segments[last].times = times[index]...times[index]
      }
    }
  }

  /// Emits the segments in the order of their first times.
  private mutating func emitSegments(_ output: inout StageOutput) {
    // The sort is stable.
    segments.sort { $0.order < $1.order }
    var latest: Int64?
    var track = 0
    for index in segments.indices {
      if let times = segments[index].times {
        if let latest, times.lowerBound < latest { backwards += 1 }
        latest = max(latest ?? .min, times.upperBound)
      }
      if segments[index].track != track { (track, distanceMove) = (segments[index].track, nil) }
      output.emit(.beginSegment)
      var batch = PointBatch()
      while let event = segments[index].content.deliver(into: &batch) {
        guard case .points = event else {
          output.emit(event)
          continue
        }
        moveDistances(&batch)
        output.move(&batch)
      }
      output.emit(.endSegment)
    }
    segments = []
  }

  private mutating func moveDistances(_ batch: inout PointBatch) {
    var values = batch.mutableValues(of: .distance)
    for row in values.indices where !values[row].isNaN {
      let move = distanceMove ?? lastDistance.map { max($0 - values[row], 0) } ?? 0
      distanceMove = move
      values[row] += move
      lastDistance = values[row]
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    // A track that cannot continue remains open because it is incomplete.
    guard tracks > 0, fault == nil else { return }
    emitSegments(&output)
    if let timeSpan {
      var late = TrackInfo()
      late.timeSpan = timeSpan
      output.emit(.annotation(.track(late)))
    }
    open.close(&output)
    output.append(later)
    later = StageOutput()
  }

  /// Returns the information about the merged track that is new. Its time span is known only at the end.
  private mutating func added(_ other: TrackInfo) -> TrackInfo {
    if let span = other.timeSpan {
      // If one of the spans is open-ended, the result is too.
      timeSpan =
        timeSpan.map { known in
          TimeSpan(
            begin: MergeStage.one(known.begin, span.begin, min), end: MergeStage.one(known.end, span.end, max)
          )
        } ?? span
    }
    var new = other
    new.timeSpan = nil
    let isDescribed =
      new.name != nil || new.comment != nil || new.description != nil || new.source != nil
      || new.number != nil
    if isDescribed, described == nil { described = tracks }
    dropWord(\.name, "names", &new)
    dropWord(\.comment, "comments", &new)
    dropWord(\.description, "descriptions", &new)
    dropWord(\.source, "sources", &new)
    dropWord(\.number, "numbers", &new)
    drop(\.type, "kinds", &new)
    drop(\.style, "styles", &new)
    drop(\.resolution, "notes on the resolution of the source", &new)
    info.merge(new)
    return new
  }

  private static func one(_ first: Instant?, _ second: Instant?, _ choice: (Instant, Instant) -> Instant)
    -> Instant?
  {
    guard let first, let second else { return nil }
    return choice(first, second)
  }

  /// Removes a value that belongs to the texts of another track or is already known.
  private mutating func dropWord<Value: Equatable>(
    _ field: WritableKeyPath<TrackInfo, Value?>, _ what: String, _ new: inout TrackInfo
  ) {
    guard described != tracks else { return drop(field, what, &new) }
    if let value = new[keyPath: field], value != info[keyPath: field] { losses.add(what) }
    new[keyPath: field] = nil
  }

  /// Removes a value if an earlier track has one, and counts it if they differ.
  private mutating func drop<Value: Equatable>(
    _ field: WritableKeyPath<TrackInfo, Value?>, _ what: String, _ new: inout TrackInfo
  ) {
    guard let known = info[keyPath: field], let value = new[keyPath: field] else { return }
    if value != known { losses.add(what) }
    new[keyPath: field] = nil
  }
}
