import GhostModel
public import TrackModel
public import TrackTransforms

/// Combines recordings of the same ride (see ``RideMatch``) into one track.
///
/// Other tracks are unchanged. The name and description come from the first recording with a name, laps and
/// extensions from the first recording that has any. All tracks are kept in memory.
public struct FuseStage: TrackStage {
  fileprivate struct Track: Sendable {
    var info: TrackInfo
    var segments: [PointColumns] = []
    /// The number of combined recordings.
    var recordings = 1
    var filled = 0
  }

  private var tracks: [Track] = []
  private var isInTrack = false
  private var dropped = LossReport()

  /// Creates a stage that has received nothing.
  public init() {}

  /// A sentence about the combined tracks, after ``finish(_:)``.
  public private(set) var summary: String?

  /// Collects the points of the current track.
  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard isInTrack else { return }
    if let last = tracks[tracks.count - 1].segments.indices.last {
      tracks[tracks.count - 1].segments[last].append(batch)
    }
    batch.removeAll()
  }

  /// Collects tracks, and passes other events on.
  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let info):
      isInTrack = true
      tracks.append(Track(info: info))
    case .endTrack: isInTrack = false
    case .beginSegment where isInTrack: tracks[tracks.count - 1].segments.append(PointColumns())
    case .endSegment where isInTrack: break
    case .annotation(.track(let info)) where isInTrack: tracks[tracks.count - 1].info.merge(info)
    case .annotation where isInTrack: dropped.add("extensions of segments")
    default: output.emit(event)
    }
  }

  /// Combines the recordings of each ride, and delivers the tracks.
  public mutating func finish(_ output: inout StageOutput) {
    guard !tracks.isEmpty else { return }
    var fused: [Track] = []
    var fingerprints: [RideFingerprint?] = []
    var spans = TimeSpanIndex()
    func note(_ index: Int) {
      guard let fingerprint = fingerprints[index] else { return }
      spans.insert(index, start: fingerprint.start, duration: fingerprint.duration)
    }
    for track in tracks {
      let fingerprint = RideFingerprint(Self.recording(track.segments))
      let candidates = fingerprint.map { spans.candidates(start: $0.start, duration: $0.duration) } ?? []
      if let (index, lag) = Self.match(fingerprint, fingerprints, candidates) {
        let fusion = RideFusion(fused[index].segments, track.segments, lag: lag)
        fused[index].segments = fusion.segments
        fused[index].filled += fusion.filled
        fused[index].recordings += 1
        fused[index].add(track.info)
        fingerprints[index] = RideFingerprint(Self.recording(fusion.segments))
        note(index)
      } else {
        fused.append(track)
        fingerprints.append(fingerprint)
        note(fingerprints.count - 1)
      }
    }
    summarize(fused)
    tracks = []
    for track in fused {
      output.emit(.beginTrack(track.info))
      for segment in track.segments {
        output.emit(.beginSegment)
        output.emit(segment)
        output.emit(.endSegment)
      }
      output.emit(.endTrack)
    }
  }

  /// Returns the track of the same ride, and the lag in seconds.
  private static func match(
    _ fingerprint: RideFingerprint?, _ others: [RideFingerprint?], _ candidates: [Int]
  ) -> (index: Int, lag: Double)? {
    guard let fingerprint else { return nil }
    for index in candidates where others[index]?.isNear(fingerprint) == true {
      if let other = others[index], let match = RideMatch(other, fingerprint), match.relation != .companion {
        return (index, match.lag)
      }
    }
    return nil
  }

  private static func recording(_ segments: [PointColumns]) -> Recording {
    Recording(
      segments: segments.map { points in
        var segment = Recording.Segment()
        for row in 0..<points.count { segment.append(points.coordinate(at: row), time: points.time(at: row)) }
        return segment
      })
  }

  private mutating func summarize(_ fused: [Track]) {
    var parts: [String] = []
    for track in fused where track.recordings > 1 {
      parts.append(
        """
        \(track.recordings) recordings made one, \(Counted.of(track.filled, "point")) filled in where the \
        better one has none
        """
      )
    }
    let alone = fused.count { $0.recordings == 1 }
    if alone > 0 {
      parts.append(
        parts.isEmpty
          ? "no two tracks are recordings of the same ride; nothing changed"
          : "\(Counted.of(alone, "track")) of other rides unchanged")
    }
    if !dropped.isEmpty { parts.append("removed: \(dropped.text)") }
    summary = "fuse: " + parts.joined(separator: "; ")
  }
}

extension FuseStage.Track {
  /// Adds missing metadata from another recording.
  fileprivate mutating func add(_ other: TrackInfo) {
    var other = other
    if !info.laps.isEmpty { other.laps = [] }
    if !info.extensions.isEmpty { other.extensions = [] }
    if !info.links.isEmpty { other.links = [] }
    info.merge(other)
  }
}
