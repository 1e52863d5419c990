public import GhostModel
public import TrackModel

extension DriveComparison {
  /// Compares drives by position, each with the first drive.
  ///
  /// All pairs are aligned by the same mode. If a pair that shares road has no alignment point for that mode,
  /// all pairs are aligned at the start, because gaps from different alignment points cannot be ranked.
  ///
  /// - Parameters:
  ///   - traces: two or more drives.
  ///   - mode: overrides the mode of the settings.
  ///   - settings: the mode and the limits for shared road.
  /// - Throws: `usage` for fewer than two drives.
  /// - Complexity: approximately linear in the number of points.
  public static func compare(
    _ traces: [TimedDrive], mode: ComparisonMode? = nil, settings: ComparisonSettings = ComparisonSettings()
  ) throws(TrackError) -> DriveComparison {
    try compare(traces, mode: mode, settings: settings) { false }
  }

  /// Compares drives by place, each with the first drive, and checks before each pair whether to stop.
  ///
  /// - Throws: `usage` for fewer than two drives, or if the comparison was stopped.
  package static func compare(
    _ traces: [TimedDrive], mode: ComparisonMode? = nil, settings: ComparisonSettings,
    isStopped: () -> Bool
  ) throws(TrackError) -> DriveComparison {
    var settings = settings
    settings.mode = mode ?? settings.mode
    guard traces.count >= 2 else {
      throw TrackError(.usage, "a comparison needs two drives", suggestion: .text("add another drive"))
    }
    let lines =
      settings.areParts
      ? traces.map { MatchablePolyline($0, isPart: true) } : RollingEnds.lines(traces)
    let rides = SimultaneousRides(settings.areParts ? [] : traces)
    func matched(_ mode: ComparisonMode) throws(TrackError) -> [PairMatch] {
      var matches: [PairMatch] = []
      for (index, line) in lines.enumerated().dropFirst() {
        guard !isStopped() else { throw TrackError(.usage, "the comparison was stopped") }
        let ride = rides.match(of: index, to: 0)
        matches.append(
          PairMatch(
            lines[0], line, ride: ride?.relation,
            clock: ride.flatMap { SharedClock($0, traces[0], traces[index]) }, mode: mode, settings: settings)
        )
      }
      return matches
    }
    var matches = try matched(settings.mode)
    let fallback = fallback(of: matches)
    if fallback == .noSuchEvent, matches.count > 1 { matches = try matched(.startLocation) }
    let pairs = matches.enumerated().map { index, match in
      match.comparison(Paired(0, index + 1), Paired(traces[0], traces[index + 1]))
    }
    let offsets = [0] + matches.map { $0.alignment.anchor.first - $0.alignment.anchor.second }
    let drives = traces.indices.map { index in
      ComparedDrive(
        traces[index], lines[index], settings, timeOffset: offsets[index],
        concurrent: rides.earlier(than: index))
    }
    var result = DriveComparison(
      requestedMode: settings.mode, mode: fallback == nil ? settings.mode : .startLocation,
      fallback: fallback, engine: .matched,
      timing: traces.allSatisfy(\.hasTimestamps) ? .timestamps : .even, drives: drives, traces: traces,
      pairs: pairs, winner: nil, margin: nil, uncertainty: 0)
    let verdict = Verdict(result.rankedGaps, orElse: pairs.compactMap { RankedGap($0) })
    result.winner = verdict.winner
    result.margin = verdict.margin
    result.uncertainty = verdict.uncertainty
    return result
  }

  /// Returns the fallback of the pairs that share road. If no pairs share road, all pairs are considered.
  private static func fallback(of matches: [PairMatch]) -> Fallback? {
    let sharing = matches.filter { $0.relation == .shared }
    return (sharing.isEmpty ? matches : sharing).lazy.compactMap(\.alignment.fallback).first
  }
}

/// The relations of drives that were recorded at the same time.
private struct SimultaneousRides {
  private let fingerprints: [RideFingerprint?]

  init(_ traces: [TimedDrive]) {
    fingerprints = traces.map { trace in
      // Others are not needed.
      let overlaps = traces.count { other in
        guard let start = trace.startTime, let begin = other.startTime else { return false }
        let delay = begin.seconds(since: start)
        // A copy may have the wrong time.
        return delay < trace.duration && -delay < other.duration || trace.mayBeCopy(of: other)
      }
      return overlaps > 1 ? RideFingerprint(trace) : nil
    }
  }

  /// Compares two drives, or returns `nil` for drives at other times.
  func match(of index: Int, to earlier: Int) -> RideMatch? {
    guard fingerprints.indices.contains(index), let first = fingerprints[earlier],
      let second = fingerprints[index]
    else {
      return nil
    }
    return RideMatch(first, second, clockError: .infinity)
  }

  /// Returns the earlier drives that were recorded at the same time as a drive.
  func earlier(than index: Int) -> [ComparedDrive.ConcurrentDrive] {
    (0..<index).compactMap { earlier in
      match(of: index, to: earlier).map { .init(drive: earlier, relation: $0.relation) }
    }
  }
}

extension TimedDrive {
  fileprivate func mayBeCopy(of other: TimedDrive) -> Bool {
    count == other.count && abs(duration - other.duration) < 1
  }
}

extension ComparedDrive {
  /// Creates the matching engine's description of a drive.
  init(
    _ trace: TimedDrive, _ line: MatchablePolyline, _ settings: ComparisonSettings, timeOffset: Double,
    concurrent: [ConcurrentDrive]
  ) {
    // Without a duration, all points have the time of the departure.
    let hasTimes = trace.duration > 0 && !trace.isSinglePoint
    let start = hasTimes && settings.trimStartIdle ? trace.index(at: line.motionStart) : 0
    var end = trace.isSinglePoint ? 0 : trace.count - 1
    if hasTimes, settings.trimEndIdle {
      end = trace.index(at: line.motionEnd)
      if end + 1 < trace.count, trace.elapsed[end] < line.motionEnd { end += 1 }
    }
    self.init(
      label: trace.label, source: trace.source, points: trace.isSinglePoint ? 1 : trace.count,
      startIndex: start, endIndex: end, timeOffset: timeOffset,
      duration: trace.elapsed[end] - trace.elapsed[start],
      // Laps have the distance of their table, in which a drift during a stop is no distance.
      distance: settings.areParts
        ? SmoothPath(trace).distance(at: trace.duration)
        : Geodesy.length(
          latitudes: trace.latitudes.span, longitudes: trace.longitudes.span, rows: start..<(end + 1)),
      // Parts begin and end at gates.
      motionStart: settings.areParts ? 0 : line.motionStart,
      motionEnd: settings.areParts ? trace.duration : line.motionEnd, elapsed: trace.duration,
      stops: line.stops.map {
        Stop(
          coordinate: EarthFixed.coordinate(of: $0.place), arrival: $0.arrival, departure: $0.departure)
      }, concurrent: concurrent)
  }
}

/// The ranking.
struct Verdict {
  var winner: Int?
  var margin: Double?
  var uncertainty = 0.0

  /// The gap of the first drive is 0, and those of the others are relative to it. The smallest is ahead.
  ///
  /// - Parameters:
  ///   - ranked: the gaps of the drives that can be ranked.
  ///   - repeated: the gaps of all drives. If no drive can be ranked, they are errors of the devices, and
  ///     there is no winner.
  init(_ ranked: [RankedGap], orElse repeated: [RankedGap] = []) {
    var gaps = ranked.isEmpty ? repeated : ranked
    guard !gaps.isEmpty else { return }
    gaps.append(RankedGap(drive: 0, seconds: 0, uncertainty: 0))
    gaps.sort { ($0.seconds, $0.drive) < ($1.seconds, $1.drive) }
    let ahead = gaps[1].seconds - gaps[0].seconds
    uncertainty =
      (gaps[0].uncertainty * gaps[0].uncertainty + gaps[1].uncertainty * gaps[1].uncertainty).squareRoot()
    // A lead within the uncertainty is a tie.
    guard ahead > uncertainty, !ranked.isEmpty else { return }
    winner = gaps[0].drive
    margin = ahead
  }
}
