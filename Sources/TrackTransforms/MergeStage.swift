public import TrackModel

/// Makes one track of all.
///
/// The segments stay, in the order in which they come, and those that begin before the end of others are
/// counted; what stands between the tracks follows behind. The track is called and described as the first one
/// that has a name, number or description, as a whole, and is of the first kind and style that is given; it
/// has the links, laps and extensions of all, and lasts from the earliest beginning to the latest end that is
/// given. The device's distances of a track that begin below the last ones go on from there. Memory holds
/// waypoints and routes that follow the first track.
public struct MergeStage: TrackStage {
  private var tracks = 0
  private var isInTrack = false
  private var info = TrackInfo()
  /// The track that the name and the words are from: the n-th, from 1; nil until one has some.
  private var described: Int?
  /// Nil until a track has one.
  private var timeSpan: TimeSpan?
  /// The last distance that was given out, in metres, and how far those of the open track are moved; nil
  /// until the track has one.
  private var lastDistance: Double?
  private var distanceMove: Double?
  private var isFirstOfSegment = false
  /// Of all segments so far, in microseconds since 1970.
  private var lastTime: Int64?
  private var backwards = 0
  private var open = OpenContainers()
  private var later = StageOutput()
  private var losses = LossReport()
  /// Whether the times of the open track are artificial, and whether there was a track of either kind.
  private var isArtificial = false
  private var hasArtificialTimes = false
  private var hasTimes = false

  public init() {}

  /// Tracks with and without a start time have no common order.
  public var fault: TrackError? {
    guard hasArtificialTimes, hasTimes else { return nil }
    return TrackError(
      .noTimes, "a drive without a start time cannot be merged with tracks that have times",
      suggestion: .provideStart)
  }

  public var summary: String? {
    guard tracks > 1 else { return nil }
    let disorder =
      backwards > 0 ? ", segments that begin before the end of those in front of them: \(backwards)" : ""
    return "merge: \(tracks) tracks made one\(disorder)"
      + (losses.isEmpty ? "" : ", left out: \(losses.text)")
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    // Between two tracks nothing else may stand inside the one that is open.
    guard isInTrack else { return tracks > 0 ? later.move(&batch) : () }
    follow(batch.times)
    guard fault == nil else { return batch.removeAll() }
    moveDistances(&batch)
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let begun):
      tracks += 1
      isInTrack = true
      isArtificial = begun.extensions.contains {
        $0.isDrive && $0.value(of: DriveElement.clock) == DriveElement.artificialClock
      }
      distanceMove = nil
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
      isFirstOfSegment = true
      open.take(event)
      output.emit(event)
    case .header(let info) where tracks > 0: later.emit(.annotation(.file(info)))
    default:
      if tracks > 0, !isInTrack { return later.emit(event) }
      open.take(event)
      output.emit(event)
    }
  }

  /// Looks whether a segment begins before the end of those in front of it.
  private mutating func follow(_ times: Span<Int64>) {
    for index in times.indices where times[index] != Instant.absent {
      if DriveElement.isFromUnknownStart(Instant(microseconds: times[index])) { isArtificial = true }
      if isArtificial { hasArtificialTimes = true } else { hasTimes = true }
      if isFirstOfSegment, let lastTime, times[index] < lastTime { backwards += 1 }
      isFirstOfSegment = false
      lastTime = max(lastTime ?? times[index], times[index])
    }
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
    // The track that cannot continue stays open: it is incomplete.
    guard tracks > 0, fault == nil else { return }
    if let timeSpan {
      var late = TrackInfo()
      late.timeSpan = timeSpan
      output.emit(.annotation(.track(late)))
    }
    // A stream that broke off may have left a segment open too; what follows must not stand in it.
    open.close(&output)
    output.append(later)
    later = StageOutput()
  }

  /// What is new about the one track. Its stretch of time is known only at the end.
  private mutating func added(_ other: TrackInfo) -> TrackInfo {
    if let span = other.timeSpan {
      // An end that one of them leaves open stays open.
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
    drop(\.coarseness, "notes on how coarse the source is", &new)
    info.merge(new)
    return new
  }

  private static func one(_ first: Instant?, _ second: Instant?, _ choice: (Instant, Instant) -> Instant)
    -> Instant?
  {
    guard let first, let second else { return nil }
    return choice(first, second)
  }

  /// Takes away what belongs to the name and the words of another track, or is said already.
  private mutating func dropWord<Value: Equatable>(
    _ field: WritableKeyPath<TrackInfo, Value?>, _ what: String, _ new: inout TrackInfo
  ) {
    guard described != tracks else { return drop(field, what, &new) }
    if let value = new[keyPath: field], value != info[keyPath: field] { losses.add(what) }
    new[keyPath: field] = nil
  }

  /// Takes away what an earlier track says already, and counts it where it is not the same.
  private mutating func drop<Value: Equatable>(
    _ field: WritableKeyPath<TrackInfo, Value?>, _ what: String, _ new: inout TrackInfo
  ) {
    guard let known = info[keyPath: field], let value = new[keyPath: field] else { return }
    if value != known { losses.add(what) }
    new[keyPath: field] = nil
  }
}
