public import DriveMatching
public import GhostModel
public import TrackModel

/// The passages of a segment in a library, ranked by time. Those that several devices recorded are ranked
/// once.
public struct PassageRanking: Sendable {
  /// The segment.
  public let segment: RoadSegment
  /// The passages in order of time. Those that another device recorded too are included once.
  public let passages: [LibraryPassage]
  /// The passages in order of time, including all recordings of a ride.
  public let recordings: [LibraryPassage]
  /// The passages, the fastest first.
  public let ranked: [LibraryPassage]
  /// The kinds of the passages' drives with their numbers of passages, the most frequent first.
  public let kinds: [(kind: String, count: Int)]
  /// Whether passages were left out, so that the best may not be the personal best.
  public let isFiltered: Bool

  /// Ranks passages.
  ///
  /// - Parameters:
  ///   - recordings: passages of the segment in order of time (``DriveLibrary/passages(of:_:)``).
  ///   - segment: the segment.
  ///   - isFiltered: whether other passages were left out.
  public init(_ recordings: [LibraryPassage], of segment: RoadSegment, isFiltered: Bool = false) {
    self.segment = segment
    self.isFiltered = isFiltered
    self.recordings = recordings
    passages = recordings.filter { $0.original == nil }
    ranked = passages.sorted { $0.passage.duration < $1.passage.duration }
    let counts = Dictionary(grouping: passages, by: \.knownKind).mapValues(\.count)
    kinds = counts.map { (kind: $0.key, count: $0.value) }.sorted {
      ($1.count, $0.kind) < ($0.count, $1.kind)
    }
  }

  /// The duration of the fastest passage in seconds, or 0 without passages.
  public var best: Double { ranked.first?.passage.duration ?? 0 }

  /// The durations over time, or nil for drives of several kinds, whose durations differ anyway.
  public var trend: PassageTrend? {
    guard kinds.count < 2 else { return nil }
    return PassageTrend(
      passages.compactMap { entry in entry.start.map { ($0, entry.passage.duration) } },
      isComplete: !isFiltered)
  }

  /// Returns the recordings of a passage by other devices.
  public func otherRecordings(of passage: LibraryPassage) -> [LibraryPassage] {
    recordings.filter {
      $0.original?.drive == passage.drive && $0.original?.start == passage.passage.start
    }
  }

  /// Returns the fastest passage of each period, in order of the periods.
  ///
  /// - Parameter period: returns the period of a time, such as `2024-05`.
  public func best(
    ofEach period: (Instant) -> String
  ) -> [(period: String, passage: LibraryPassage)] {
    var best: [String: LibraryPassage] = [:]
    for entry in ranked.reversed() {
      if let start = entry.start { best[period(start)] = entry }
    }
    return best.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns all passages with their ranks, in the order of a race: the fastest first.
  ///
  /// - Parameter shown: the number of passages that are drawn, in addition to the last one. If there are
  ///   more, the latest passage is the last, unless it is the fastest.
  public func forRace(shown: Int) -> [(rank: Int, entry: LibraryPassage)] {
    var passages = ranked.enumerated().map { (rank: $0.offset + 1, entry: $0.element) }
    if passages.count > shown, let latest = self.passages.last,
      let index = passages.firstIndex(where: { $0.entry == latest }), index > 0
    {
      passages.append(passages.remove(at: index))
    }
    return passages
  }

  /// Returns the parts of the drives that are the passages of a race (``forRace(shown:)``).
  ///
  /// Their labels are the time and the name of the drive, and mark the best and the latest passage.
  ///
  /// - Parameters:
  ///   - race: passages with their ranks.
  ///   - library: the library of the passages.
  ///   - minute: formats the start of a passage.
  /// - Throws: `notFound` if a drive was removed, or the errors of the library.
  public func traces(
    of race: [(rank: Int, entry: LibraryPassage)], in library: DriveLibrary, minute: (Instant) -> String
  ) throws(TrackError) -> [TimedDrive] {
    var traces: [TimedDrive] = []
    for (rank, entry) in race {
      guard let drive = try library.summary(entry.drive),
        let trace = try library.trace(of: drive, label: drive.name)
      else { throw TrackError(.notFound, "a drive was removed from the library") }
      let notes = (rank == 1 ? ["best"] : []) + (entry == passages.last ? ["latest"] : [])
      let label =
        [entry.start.map(minute), entry.name.isEmpty ? nil : entry.name].compactMap(\.self)
        .joined(separator: ", ") + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
      traces.append(try trace.part(from: entry.passage.start, to: entry.passage.end, label: label))
    }
    return traces
  }
}

extension LibraryPassage {
  /// The kind of activity of the drive, or `unknown`.
  public var knownKind: String { kind ?? "unknown" }
}
