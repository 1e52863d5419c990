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

  /// The reason why a track is not a recording of the ride of another one, the most similar case last.
  fileprivate enum Difference: Int, Error, Comparable {
    case noTimes
    case time
    case place
    case person

    static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
  }

  private var tracks: [Track] = []
  private var differences: [Difference: Int] = [:]
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
    // The first track with times has none to differ from.
    var hasTimes = false
    func note(_ index: Int) {
      guard let fingerprint = fingerprints[index] else { return }
      spans.insert(index, start: fingerprint.start, duration: fingerprint.duration)
    }
    for track in tracks {
      let fingerprint = RideFingerprint(Self.recording(track.segments))
      let candidates = fingerprint.map { spans.candidates(start: $0.start, duration: $0.duration) } ?? []
      switch Self.match(fingerprint, fingerprints, candidates) {
      case .success(let (index, lag)):
        let fusion = RideFusion(fused[index].segments, track.segments, lag: lag)
        fused[index].segments = fusion.segments
        fused[index].filled += fusion.filled
        fused[index].recordings += 1
        fused[index].add(track.info)
        fingerprints[index] = RideFingerprint(Self.recording(fusion.segments))
        note(index)
      case .failure(let difference):
        if difference == .noTimes || hasTimes { differences[difference, default: 0] += 1 }
        hasTimes = hasTimes || fingerprint != nil
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

  /// Returns the track of the same ride and the lag in seconds, or the difference from all tracks.
  private static func match(
    _ fingerprint: RideFingerprint?, _ others: [RideFingerprint?], _ candidates: [Int]
  ) -> Result<(index: Int, lag: Double), Difference> {
    guard let fingerprint else { return .failure(.noTimes) }
    var difference = Difference.time
    for index in candidates {
      guard let other = others[index], other.isConcurrent(with: fingerprint) else { continue }
      guard let match = RideMatch(other, fingerprint) else {
        difference = max(difference, .place)
        continue
      }
      if match.relation != .companion { return .success((index, match.lag)) }
      difference = .person
    }
    return .failure(difference)
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
      let reasons = differences.sorted { $0.key > $1.key }.map { "\($1) \($0.text)" }
      let reason = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
      parts.append(
        parts.isEmpty
          ? "no two tracks are recordings of the same ride\(reason); nothing changed"
          : "\(Counted.of(alone, "track")) of other rides unchanged\(reason)")
    }
    if !dropped.isEmpty { parts.append("removed: \(dropped.text)") }
    summary = "fuse: " + parts.joined(separator: "; ")
  }
}

extension FuseStage.Difference {
  /// The difference of a track, to follow a number.
  fileprivate var text: String {
    switch self {
    case .noTimes: "without times"
    case .time: "at another time"
    case .place: "at another place"
    case .person: "of another person"
    }
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
