import TrackFormats
import TrackModel

/// A reader of consecutive clips of one camera as one track.
///
/// The first segment of a clip continues the last one of the previous clip. Points that both clips contain
/// are read once. A later clip that cannot be read is a warning.
struct ClipsReader: TrackReader, ~Copyable {
  private var reader: any TrackReader & ~Copyable
  private var next: ArraySlice<String>
  private let options: ReadingOptions
  private var log = WarningLog()
  /// The unsupported content of the clips that have been read.
  private(set) var unsupportedContent = LossReport()
  private var queue: [TrackEvent] = []
  /// The events that close the delivered track and segment, which a later clip may continue.
  private var endOfSegment: TrackEvent?
  private var endOfTrack: TrackEvent?
  /// Whether the next track and segment continue those of the previous clip.
  private var isContinuing = false
  private var isClipOpen = true
  /// The last time of the previous clips, and the latest time so far, in microseconds since 1970.
  private var endOfPrevious: Int64?
  private var latest: Int64?

  /// - Parameters:
  ///   - first: a reader of the first clip.
  ///   - next: the paths of the other clips in the order of their times.
  init(
    _ first: consuming any TrackReader & ~Copyable, next: [String], options: ReadingOptions
  ) {
    reader = first
    self.next = next[...]
    self.options = options
  }

  /// The warnings about the clips that have been read.
  var warnings: [TrackWarning] { log.warnings }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      batch.removeAll()
      if !queue.isEmpty { return queue.removeFirst() }
      guard let event = try nextOfClips(&batch) else {
        close(isTrackClosed: true)
        if queue.isEmpty { return nil }
        continue
      }
      switch event {
      case .points:
        removeRepeated(&batch)
        if batch.count > 0 { return event }
        continue
      case .endSegment, .endTrack: continue
      case .beginTrack:
        if isContinuing, endOfTrack != nil { continue }
        close(isTrackClosed: true)
        endOfTrack = .endTrack
      case .beginSegment:
        let continues = isContinuing && endOfSegment != nil
        isContinuing = false
        if continues { continue }
        close(isTrackClosed: false)
        endOfSegment = .endSegment
      case .waypoint, .beginRoute:
        isContinuing = false
        close(isTrackClosed: true)
      case .header, .endRoute, .annotation: break
      }
      queue.append(event)
    }
  }

  /// Delivers the ends of the open containers.
  private mutating func close(isTrackClosed: Bool) {
    if let end = endOfSegment.take() { queue.append(end) }
    if isTrackClosed, let end = endOfTrack.take() { queue.append(end) }
  }

  /// Removes points up to the end of the previous clip.
  private mutating func removeRepeated(_ batch: inout PointBatch) {
    if let end = endOfPrevious {
      let times = (0..<batch.count).map { batch.times[$0] }
      batch.keepRows { times[$0] == Instant.absent || times[$0] > end }
    }
    for row in 0..<batch.count where batch.times[row] != Instant.absent {
      latest = max(latest ?? batch.times[row], batch.times[row])
    }
  }

  /// Collects the results of the current clip once.
  private mutating func endClip() {
    guard isClipOpen else { return }
    isClipOpen = false
    log.add(reader.warnings)
    unsupportedContent.add(reader.unsupportedContent)
  }

  private mutating func nextOfClips(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      do throws(TrackError) {
        if let event = try reader.next(into: &batch) { return event }
        endClip()
        guard let path = next.popFirst() else { return nil }
        reader = try TrackFormat.mp4.reader(try ByteInput(path: path), options: options)
        isClipOpen = true
        endOfPrevious = latest
        isContinuing = true
        // The header repeats the camera.
        _ = try reader.next(into: &batch)
      } catch {
        endClip()
        guard !options.isStrict else { throw error }
        log.add([TrackWarning(.damaged, "a clip cannot be read completely: \(error.message)")])
      }
    }
  }
}
