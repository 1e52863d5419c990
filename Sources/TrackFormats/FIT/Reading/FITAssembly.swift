import TrackModel

/// A delivery step: an event, or a range of rows.
enum FITStep {
  case event(TrackEvent)
  case rows(Range<Int>)
}

/// Groups rows into tracks and segments: each session is a track, and each timer start begins a segment.
///
/// If one segment ends and the next starts in the same second, and that second has a single point, the point
/// belongs to both.
///
/// If there are too many points to buffer until the end of the file, the track and the segment stay open.
struct FITAssembly {
  /// The steps in delivery order.
  private(set) var steps: [FITStep] = []
  /// The state of the timer after all rows.
  private(set) var timer: FITTimer
  /// The description delivered for the track that is still open after the steps, or `nil`.
  private(set) var openTrack: TrackInfo?

  /// The number of points that belong to two segments.
  private(set) var sharedPoints = 0

  private let accumulator: FITAccumulator
  /// The sessions that divide the rows, ordered by start. Empty if sessions do not divide the rows.
  private let sessions: [FITSummary]
  /// The laps that start in each session, or all laps if sessions do not divide the rows.
  private let laps: [[FITSummary]]
  /// The session of the open track.
  private var openSession: Int?

  /// The start of a segment.
  private struct Cut {
    let row: Int
    /// The index of the session, or `nil` if sessions do not divide the rows.
    let session: Int?
    /// Whether the segment continues the one that is still open.
    var isContinued = false
    /// Whether its first point is also the last point of the previous segment.
    var isShared = false
  }

  /// - Parameter openTrack: the description delivered for the track that is still open, or `nil`.
  init(_ accumulator: FITAccumulator, openTrack: TrackInfo?) {
    self.accumulator = accumulator
    self.openTrack = openTrack
    timer = accumulator.timer
    let times = accumulator.sessions.compactMap(\.timerTime)
    let isKnown = !times.isEmpty && times.count == accumulator.sessions.count
    timer.order(ran: isKnown ? times.reduce(0, +) : nil)
    let starts = accumulator.sessions.compactMap(\.start)
    let canPart =
      openTrack == nil && starts.count > 1 && starts.count == accumulator.sessions.count
      && Set(starts).count == starts.count
    let sessions = canPart ? accumulator.sessions.sorted { ($0.start ?? 0) < ($1.start ?? 0) } : []
    self.sessions = sessions
    laps = FITAssembly.divide(accumulator.laps, among: sessions)
  }

  /// Whether the points are those of a camera.
  static func usesCamera(_ accumulator: FITAccumulator) -> Bool {
    accumulator.rows.isEmpty && !accumulator.hasPositions
  }

  /// Converts all rows to steps.
  ///
  /// - Parameter isFinal: whether to end the track.
  mutating func assemble(isFinal: Bool) {
    let isCamera = FITAssembly.usesCamera(accumulator)
    // A single wrong timestamp would end all sessions and skip all timer stops.
    let times = StrayTimes.corrected(isCamera ? accumulator.cameraRows.times : accumulator.rows.times)
    let cuts = cuts(times, isCamera: isCamera)
    for (index, cut) in cuts.enumerated() {
      let next = index + 1 < cuts.count ? cuts[index + 1] : nil
      let end = next.map { $0.row + ($0.isShared ? 1 : 0) } ?? times.count
      // The previous segment may still be open.
      if cut.isShared { sharedPoints += 1 }
      if index == 0, cut.isShared, openTrack != nil { steps.append(.rows(cut.row..<cut.row + 1)) }
      if !cut.isContinued { begin(cut) }
      steps.append(.rows(cut.row..<end))
    }
    if isFinal, openTrack != nil { endTrack() }
  }

  private mutating func begin(_ cut: Cut) {
    if openTrack != nil {
      if openSession == cut.session {
        steps.append(.event(.endSegment))
      } else {
        endTrack()
      }
    }
    if openTrack == nil {
      let info = info(cut.session)
      steps.append(.event(.beginTrack(info)))
      openTrack = info
      openSession = cut.session
    }
    steps.append(.event(.beginSegment))
  }

  /// Ends segment and track, and delivers the parts of the description that were unknown at its start.
  private mutating func endTrack() {
    guard let announced = openTrack else { return }
    steps.append(.event(.endSegment))
    var late = info(openSession)
    late.laps.removeFirst(min(announced.laps.count, late.laps.count))
    if announced.name != nil { late.name = nil }
    if announced.type != nil { late.type = nil }
    if announced.timeSpan != nil { late.timeSpan = nil }
    if !late.isEmpty { steps.append(.event(.annotation(.track(late)))) }
    steps.append(.event(.endTrack))
    openTrack = nil
  }

  // MARK: Rows

  private mutating func cuts(_ times: [Int64], isCamera: Bool) -> [Cut] {
    let starts = sessions.isEmpty ? [:] : timer.rowsInSecond(times, isCamera: isCamera)
    var session = 0
    var cuts: [Cut] = []
    for row in times.indices {
      let step = timer.step(to: row, times, isCamera: isCamera)
      var begins = step != .ran || (row == 0 && openTrack == nil)
      var isShared = step != .stood
      var isNewSession = false
      while session + 1 < sessions.count, let next = sessions[session + 1].start,
        isReached(next, row: row, times, starts)
      {
        isShared =
          isShared && row > 0 && FITTimer.isOnly(times[row], of: next, after: times[row - 1])
          && (step == .restarted || touches(sessions[session], next, after: times[row - 1]))
        session += 1
        isNewSession = true
        begins = true
      }
      if !isNewSession { isShared = step == .restarted }
      if begins || row == 0 {
        cuts.append(
          Cut(
            row: row, session: sessions.isEmpty ? nil : session, isContinued: !begins,
            isShared: begins && isShared))
      }
    }
    return cuts
  }

  /// Whether a session had started when a point was recorded. If the second of the start contains two points,
  /// the first one ends the previous session if the timer was started between them or both have the same
  /// time.
  ///
  /// - Parameter starts: the rows after timer starts that are between two points of the same second.
  private func isReached(_ start: Int64, row: Int, _ times: [Int64], _ starts: [Int64: Int]) -> Bool {
    let time = times[row]
    guard time != Instant.absent, time >= start else { return false }
    if let first = starts[start], row < first { return time >= start + 1_000_000 }
    return time > start || row == 0 || row + 1 == times.count || times[row + 1] != time
      || times[row - 1] == time || starts[start] != nil
  }

  /// Whether a session ends in the second in which the next one starts, after its own last point.
  private func touches(_ session: FITSummary, _ next: Int64, after last: Int64) -> Bool {
    guard let end = session.finish, end > last else { return false }
    return (end - next).magnitude < 1_000_000
  }

  // MARK: Descriptions

  private func info(_ session: Int?) -> TrackInfo {
    var info = TrackInfo(name: accumulator.courseName)
    let summary = session.map { sessions[$0] } ?? accumulator.sessions.first
    if accumulator.type == .course {
      let isDrive = accumulator.drive?.value(of: DriveElement.identifier) != nil
      info.type = isDrive ? FITSport.name(accumulator.sport) : TrackInfo.courseType
      info.extensions = accumulator.drive.map { [$0] } ?? []
    } else {
      info.type = FITSport.name(summary?.sport) ?? FITSport.name(accumulator.sport)
    }
    if session != nil || accumulator.sessions.count == 1 {
      info.timeSpan = summary?.timeSpan(accumulator.clock)
    }
    info.laps = laps[session ?? 0].map { $0.lap(accumulator.clock) }
    return info
  }

  /// Returns the laps that start in each session. A lap without a start or before all sessions belongs to the
  /// first.
  private static func divide(_ laps: [FITSummary], among sessions: [FITSummary]) -> [[FITSummary]] {
    guard !sessions.isEmpty else { return [laps] }
    let starts = sessions.map { $0.start ?? 0 }
    var divided = Array(repeating: [FITSummary](), count: sessions.count)
    for lap in laps {
      let session = lap.start.map { start in starts.partitionIndex { $0 > start } - 1 } ?? 0
      divided[max(session, 0)].append(lap)
    }
    return divided
  }
}
