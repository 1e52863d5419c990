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
  /// The messages of the warnings so far, by their codes and messages without the name of a clip.
  private var messages: [[String]: String] = [:]
  /// The unsupported content of the clips that have been read.
  private(set) var unsupportedContent = LossReport()
  private var queue: [TrackEvent] = []
  /// The events that close the delivered track and segment, which a later clip may continue.
  private var endOfSegment: TrackEvent?
  private var endOfTrack: TrackEvent?
  /// Whether the next track and segment continue those of the previous clip.
  private var isContinuing = false
  private var isClipOpen = true
  /// The name of the current clip, or nil for the first one, whose name the warnings have.
  private var clip: String?
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
    add(reader.warnings)
    unsupportedContent.add(reader.unsupportedContent)
  }

  /// Adds warnings of the current clip. The text of a warning names the first clip with it.
  private mutating func add(_ warnings: [TrackWarning]) {
    for var warning in warnings {
      let key = [warning.code.description, warning.message]
      if let message = messages[key] {
        warning.message = message
      } else {
        if let clip { warning.message += ", in the clip \(clip)" }
        messages[key] = warning.message
      }
      log.add([warning])
    }
  }

  private mutating func nextOfClips(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      do throws(TrackError) {
        if let event = try reader.next(into: &batch) { return event }
        endClip()
        guard let path = next.popFirst() else { return nil }
        clip = String(FileName.last(path))
        reader = try TrackFormat.mp4.reader(try ByteInput(path: path), options: options)
        isClipOpen = true
        endOfPrevious = latest
        isContinuing = true
        // The header repeats the camera.
        _ = try reader.next(into: &batch)
      } catch {
        endClip()
        guard !options.isStrict else { throw error }
        add([TrackWarning(.damaged, "a clip cannot be read completely: \(error.message)")])
      }
    }
  }
}
