public import GhostModel
import TrackModel

extension DriveComparison {
  /// Replaces the legs of each pair with the sectors of its laps.
  ///
  /// A pair keeps its legs if one of its laps has no sectors.
  ///
  /// - Parameter laps: the lap of each drive, at which the drive starts and ends.
  public mutating func setLegs(sectorsOf laps: [TimedLap]) {
    let sides = zip(traces, laps).map { $1.sectorSides(of: $0) }
    for index in pairs.indices {
      let pair = pairs[index]
      guard sides.indices.contains(pair.first), sides.indices.contains(pair.second),
        pair.relation == .shared, !sides[pair.first].isEmpty, !sides[pair.second].isEmpty
      else { continue }
      // Each end of a sector is a crossing, as are the two ends of a lap.
      let (first, second) = (laps[pair.first].uncertainty, laps[pair.second].uncertainty)
      let uncertainty = (first * first + second * second).squareRoot()
      pairs[index].legs = zip(sides[pair.first], sides[pair.second]).map {
        Leg(kind: .shared, sides: Paired($0, $1), uncertainty: uncertainty)
      }
    }
  }
}

extension DriveComparison {
  /// Replaces the uncertainties of the gaps with those of parts that were timed from gate to gate.
  ///
  /// A pair whose parts have no uncertainties keeps its own.
  ///
  /// - Parameter uncertainties: one standard deviation of the duration of each drive, in seconds.
  public mutating func setUncertainties(ofParts uncertainties: [Double]) {
    for index in pairs.indices {
      let pair = pairs[index]
      guard uncertainties.indices.contains(pair.first), uncertainties.indices.contains(pair.second),
        pair.finalGap != nil
      else { continue }
      let (first, second) = (uncertainties[pair.first], uncertainties[pair.second])
      guard first > 0 || second > 0 else { continue }
      pairs[index].uncertainty = (first * first + second * second).squareRoot()
      // A single leg is the whole part.
      if pair.legs.count == 1 { pairs[index].legs[0].uncertainty = pairs[index].uncertainty }
    }
    let verdict = Verdict(rankedGaps)
    (winner, margin, uncertainty) = (verdict.winner, verdict.margin, verdict.uncertainty)
  }
}

extension RouteComparison {
  /// Replaces the legs with the sectors of laps.
  ///
  /// The legs stay as they are if the first lap has no sectors. Other laps without sectors have no times on
  /// the legs.
  ///
  /// - Parameters:
  ///   - laps: the lap of each drive, at which the drive starts and ends.
  ///   - reference: the drive of the first lap.
  public mutating func setLegs(sectorsOf laps: [TimedLap], reference: TimedDrive) {
    guard let sides = laps.first?.sectorSides(of: reference), !sides.isEmpty else { return }
    legs = sides.enumerated().map { sector, side in
      let durations = laps.map { $0.sectors.isEmpty ? nil : $0.sectors[sector] }
      let timed = durations.enumerated().compactMap { lap, duration in duration.map { (lap, $0) } }
      return RouteLeg(
        from: side.fromDistance, to: side.toDistance, start: side.from, end: side.to, isDetour: false,
        durations: durations, best: timed.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0, bestLeftRoad: false,
        leftRoad: 0, usualDuration: timed.map(\.1).median ?? 0)
    }
  }
}

extension TimedLap {
  /// Returns the sectors of a drive that starts and ends with the lap.
  fileprivate func sectorSides(of trace: TimedDrive) -> [Leg.Side] {
    let path = SmoothPath(trace)
    var start = 0.0
    return sectors.map { duration in
      let end = start + duration
      defer { start = end }
      return Leg.Side(
        from: EarthFixed.coordinate(of: path.place(at: start)),
        to: EarthFixed.coordinate(of: path.place(at: end)), fromDistance: path.distance(at: start),
        toDistance: path.distance(at: end), fromElapsed: start, toElapsed: end,
        waiting: path.waiting(from: start, to: end))
    }
  }
}
