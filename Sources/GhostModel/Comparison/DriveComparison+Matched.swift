public import TrackModel

extension DriveComparison {
  /// Compares drives by the places they passed: each against the first, which is the map for it.
  ///
  /// Near-linear in the number of points; a pure function, callable from anywhere.
  ///
  /// - Parameters:
  ///   - traces: two or more.
  ///   - mode: where the drives are lined up; at the start where they have no such place.
  /// - Throws: `usage` for fewer than two drives.
  public static func compare(
    _ traces: [DriveTrace], mode: ComparisonMode = .startLocation,
    settings: ComparisonSettings = ComparisonSettings()
  ) throws(TrackError) -> DriveComparison {
    guard traces.count >= 2 else {
      throw TrackError(.usage, "a comparison needs two drives", hint: "give another one")
    }
    let lines = traces.map { RoadLine($0) }
    let matches = lines.dropFirst().map { line in
      PairMatch(lines[0], line, mode: mode, settings: settings)
    }
    let pairs = matches.enumerated().map { index, match in
      match.comparison(Paired(0, index + 1), Paired(traces[0], traces[index + 1]))
    }
    let offsets = [0] + matches.map { $0.lineUp.anchor.first - $0.lineUp.anchor.second }
    let drives = traces.indices.map { index in
      ComparedDrive(traces[index], lines[index], settings, timeOffset: offsets[index])
    }
    let fallback = matches.lazy.compactMap(\.lineUp.fallback).first
    let verdict = Verdict(pairs)
    return DriveComparison(
      requestedMode: mode, mode: fallback == nil ? mode : .startLocation, fallback: fallback,
      engine: .matched, timing: traces.allSatisfy(\.hasTimestamps) ? .timestamps : .even, drives: drives,
      pairs: pairs, winner: verdict.winner, margin: verdict.margin, uncertainty: verdict.uncertainty)
  }
}

extension ComparedDrive {
  /// A drive as the matching engine compares it.
  init(_ trace: DriveTrace, _ line: RoadLine, _ settings: ComparisonSettings, timeOffset: Double) {
    let start = settings.trimStartIdle ? trace.index(at: line.motionStart) : 0
    var end = trace.count - 1
    if settings.trimEndIdle {
      end = trace.index(at: line.motionEnd)
      if end + 1 < trace.count, trace.elapsed[end] < line.motionEnd { end += 1 }
    }
    self.init(
      label: trace.label, source: trace.source, points: trace.count, startIndex: start, endIndex: end,
      timeOffset: timeOffset, duration: trace.elapsed[end] - trace.elapsed[start],
      distance: Geodesy.length(
        latitudes: trace.latitudes.span, longitudes: trace.longitudes.span, rows: start..<(end + 1)),
      motionStart: line.motionStart, motionEnd: line.motionEnd, elapsed: trace.duration,
      stops: line.stands.map {
        Stop(
          coordinate: EarthFixed.coordinate(of: $0.place), arrival: $0.arrival, departure: $0.departure)
      })
  }
}

/// Who won.
private struct Verdict {
  var winner: Int?
  var margin: Double?
  var uncertainty = 0.0

  /// The first drive has the gap 0, the others theirs to it; the least one is ahead.
  init(_ pairs: [PairComparison]) {
    var gaps: [(drive: Int, gap: Double, uncertainty: Double)] = []
    for pair in pairs {
      if let gap = pair.finalGap { gaps.append((pair.second, gap, pair.uncertainty)) }
    }
    guard !gaps.isEmpty else { return }
    gaps.append((0, 0, 0))
    gaps.sort { ($0.gap, $0.drive) < ($1.gap, $1.drive) }
    let ahead = gaps[1].gap - gaps[0].gap
    uncertainty =
      (gaps[0].uncertainty * gaps[0].uncertainty + gaps[1].uncertainty * gaps[1].uncertainty).squareRoot()
    // Within what the measurement can be off by, nobody won.
    guard ahead > uncertainty else { return }
    winner = gaps[0].drive
    margin = ahead
  }
}
