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
    let rides = settings.areParts ? [] : RideMatch.relations(of: traces)
    func matched(_ mode: ComparisonMode) throws(TrackError) -> [PairMatch] {
      var matches: [PairMatch] = []
      for (index, line) in lines.enumerated().dropFirst() {
        guard !isStopped() else { throw TrackError(.usage, "the comparison was stopped") }
        let ride = rides.isEmpty ? nil : rides[index]
        matches.append(PairMatch(lines[0], line, ride: ride, mode: mode, settings: settings))
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
      ComparedDrive(traces[index], lines[index], settings, timeOffset: offsets[index])
    }
    let verdict = Verdict(pairs)
    return DriveComparison(
      requestedMode: settings.mode, mode: fallback == nil ? settings.mode : .startLocation,
      fallback: fallback, engine: .matched,
      timing: traces.allSatisfy(\.hasTimestamps) ? .timestamps : .even, drives: drives, traces: traces,
      pairs: pairs, winner: verdict.winner, margin: verdict.margin, uncertainty: verdict.uncertainty)
  }

  /// Returns the fallback of the pairs that share road. If no pairs share road, all pairs are considered.
  private static func fallback(of matches: [PairMatch]) -> Fallback? {
    let sharing = matches.filter { $0.relation == .shared }
    return (sharing.isEmpty ? matches : sharing).lazy.compactMap(\.alignment.fallback).first
  }
}

extension RideMatch {
  /// Returns the relation of each drive to the first, `nil` for the first and for drives at other times.
  fileprivate static func relations(of traces: [TimedDrive]) -> [RideRelation?] {
    var reference: RideFingerprint?
    return traces.indices.map { index in
      guard index > 0, let first = traces[0].startTime, let own = traces[index].startTime,
        case let delay = own.seconds(since: first), delay < traces[0].duration,
        -delay < traces[index].duration
      else { return nil }
      reference = reference ?? RideFingerprint(traces[0])
      guard let reference, let drive = RideFingerprint(traces[index]) else { return nil }
      return RideMatch(reference, drive)?.relation
    }
  }
}

extension ComparedDrive {
  /// Creates the matching engine's description of a drive.
  init(_ trace: TimedDrive, _ line: MatchablePolyline, _ settings: ComparisonSettings, timeOffset: Double) {
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
      })
  }
}

/// The ranking.
struct Verdict {
  var winner: Int?
  var margin: Double?
  var uncertainty = 0.0

  /// The gap of the first drive is 0, and those of the others are relative to it. The smallest is ahead.
  /// Other recordings of the first drive are not ranked, because their gap is an error of the devices.
  init(_ pairs: [PairComparison]) {
    var gaps: [(drive: Int, gap: Double, uncertainty: Double)] = []
    let others = pairs.filter { $0.ride?.isOneMotion != true && $0.finalGap != nil }
    for pair in others.isEmpty ? pairs : others {
      if let gap = pair.finalGap { gaps.append((pair.second, gap, pair.uncertainty)) }
    }
    guard !gaps.isEmpty else { return }
    gaps.append((0, 0, 0))
    gaps.sort { ($0.gap, $0.drive) < ($1.gap, $1.drive) }
    let ahead = gaps[1].gap - gaps[0].gap
    uncertainty =
      (gaps[0].uncertainty * gaps[0].uncertainty + gaps[1].uncertainty * gaps[1].uncertainty).squareRoot()
    // A lead within the uncertainty is a tie.
    guard ahead > uncertainty, !others.isEmpty else { return }
    winner = gaps[0].drive
    margin = ahead
  }
}
