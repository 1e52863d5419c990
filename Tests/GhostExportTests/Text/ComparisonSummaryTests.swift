import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostExport

struct ComparisonSummaryTests {
  private func summary(_ comparison: DriveComparison, hasTimestamps: Bool = true) throws -> ComparisonSummary
  {
    ComparisonSummary(try HandMade.document(comparison, hasTimestamps: hasTimestamps))
  }

  @Test("A margin far above its uncertainty is a clear result")
  func faster() throws {
    let summary = try summary(HandMade.comparison())
    #expect(summary.verdict == .faster(drive: 1))
    #expect(summary.headline == "Thursday was faster by 0:42")
    #expect(summary.answer == "Thursday was faster by 0:42 over 6.0 km of shared road.")
    #expect(
      summary.explanation == [
        "The margin is uncertain by ± 2.0 s (one standard deviation).",
        "Timed from the start of the shared road.",
      ])
    #expect(
      summary.lead
        == "Over 6.0 km of shared road. The margin is uncertain by ± 2.0 s (one standard deviation). "
        + "Timed from the start of the shared road.")
    #expect(summary.cautions.isEmpty)
  }

  @Test(
    "A margin near its uncertainty is called probable or a tie",
    arguments: [
      (4.0, ComparisonSummary.Verdict.faster(drive: 1)), (3.9, .probablyFaster(drive: 1)),
      (2.1, .probablyFaster(drive: 1)), (2.0, .tie), (0.3, .tie),
    ])
  func verdicts(margin: Double, verdict: ComparisonSummary.Verdict) throws {
    #expect(try summary(HandMade.comparison(margin: margin)).verdict == verdict)
  }

  @Test("A result that could be due to chance is reported, as is the leading drive in a tie")
  func doubt() throws {
    let chance = try summary(HandMade.comparison(margin: 3))
    #expect(chance.answer == "Thursday was probably faster by 3.0 s over 6.0 km of shared road.")
    #expect(
      chance.explanation[0]
        == "The margin is uncertain by ± 2.0 s (one standard deviation), "
        // 1.5 standard deviations.
        + "so the probability that Thursday was faster is 93 %.")
    let tie = try summary(HandMade.comparison(margin: 0.3))
    #expect(tie.answer == "Too close to call over 6.0 km of shared road.")
    #expect(
      tie.explanation[0] == "Thursday was ahead by 0.3 s, which is within the uncertainty of ± 2.0 s.")
  }

  /// Returns a pair with consecutive legs, given as metres and seconds of A and of B.
  private func duel(
    _ legs: [(kind: Leg.Kind, a: (metres: Double, seconds: Double), b: (metres: Double, seconds: Double))],
    first: Int = 0, second: Int = 1
  ) -> PairComparison {
    var ends = Paired((metres: 0.0, seconds: 0.0), (metres: 0.0, seconds: 0.0))
    let legs = legs.map { leg in
      let from = ends
      ends.first = (from.first.metres + leg.a.metres, from.first.seconds + leg.a.seconds)
      ends.second = (from.second.metres + leg.b.metres, from.second.seconds + leg.b.seconds)
      return Leg(
        kind: leg.kind,
        sides: Paired(
          HandMade.side(from.first.metres, ends.first.metres, times: from.first.seconds...ends.first.seconds),
          HandMade.side(
            from.second.metres, ends.second.metres, times: from.second.seconds...ends.second.seconds)))
    }
    return PairComparison(
      first: first, second: second, relation: .shared, legs: legs, sharedDistance: 1, agreement: 1,
      finalGap: ends.second.seconds - ends.first.seconds, uncertainty: 2)
  }

  private func answer(_ pairs: [PairComparison], winner: Int?, margin: Double?) throws -> [String] {
    let drives = ["A", "B", "C"].prefix(pairs.count + 1).map { HandMade.drive($0) }
    let summary = try summary(
      HandMade.comparison(margin: margin, winner: winner, drives: Array(drives), pairs: pairs))
    return [summary.answer, summary.explanation[0]]
  }

  @Test("A margin is split into the parts of the detour and of the shared road")
  func detour() throws {
    // B gains 20 s and 24 s on the road and loses 108 s on its detour, in total 64 s.
    let pair = duel([
      (.shared, (3000, 300), (3000, 280)), (.detour, (3200, 200), (2000, 308)),
      (.shared, (2000, 200), (2000, 176)),
    ])
    #expect(
      try answer([pair], winner: 0, margin: 64) == [
        "A was faster by 1:04 over 8.2 km, including 5.0 km of shared road.",
        "On the shared road B was faster by 0:44; A gained 1:48 on the detour.",
      ])
  }

  @Test("A gap in a recording is neither shared road nor a detour")
  func hole() throws {
    let tunnel = duel([(.shared, (4000, 400), (4000, 380)), (.unknown, (1000, 100), (1000, 96))])
    #expect(
      try answer([tunnel], winner: 1, margin: 24) == [
        "B was faster by 0:24 over 5.0 km, including 4.0 km of shared road and 1.0 km not recorded.",
        "On the shared road B was faster by 0:20; B gained 4.0 s on the part not recorded.",
      ])
  }

  @Test("Several detours are summed, and a difference within the uncertainty is level")
  func detours() throws {
    let pair = duel([
      (.detour, (1000, 100), (1500, 120)), (.shared, (4000, 400), (4000, 401)),
      (.detour, (1000, 100), (1500, 110)),
    ])
    #expect(
      try answer([pair], winner: 0, margin: 31) == [
        "A was faster by 0:31 over 6.0 km, including 4.0 km of shared road.",
        "On the shared road they were level; A gained 0:30 on the 2 detours.",
      ])
  }

  @Test("A tie can include a detour, and a detour may make no difference")
  func tiedDetour() throws {
    let even = duel([(.shared, (4000, 400), (4000, 390)), (.detour, (1000, 100), (1500, 110))])
    #expect(
      try answer([even], winner: nil, margin: nil) == [
        "Too close to call over 4.0 km of shared road and a detour.",
        "On the shared road B was faster by 0:10; A gained 0:10 on the detour.",
      ])
    let idle = duel([(.shared, (4000, 400), (4000, 390)), (.detour, (1000, 100), (1500, 100))])
    #expect(
      try answer([idle], winner: 1, margin: 10)[1]
        == "On the shared road B was faster by 0:10; the detour made no difference.")
  }

  @Test("Of several drives, each detour is named with the gained time")
  func severalDetours() throws {
    let pairs = [
      duel([(.shared, (4000, 400), (4000, 380)), (.detour, (1000, 100), (1500, 90))]),
      duel([(.shared, (5000, 500), (5000, 490))], second: 2),
    ]
    // B is 30 s ahead of A, C is 10 s ahead of A.
    #expect(
      try answer(pairs, winner: 1, margin: 20) == [
        "B was the fastest of 3 by 0:20 over the road shared with A, detours included.",
        "On its detour B gained 0:10 on A.",
      ])
  }

  @Test("The reference drive can win against several drives")
  func measureWins() throws {
    let pairs = [
      duel([(.shared, (5000, 500), (5000, 520))]), duel([(.shared, (5000, 500), (5000, 530))], second: 2),
    ]
    #expect(
      try answer(pairs, winner: 0, margin: 20)[0]
        == "A was the fastest of 3 by 0:20 over their shared road.")
  }

  @Test("Without a winner the result is a tie")
  func tie() throws {
    let summary = try summary(HandMade.comparison(margin: nil, winner: nil))
    #expect(summary.headline == "Too close to call")
    #expect(summary.explanation[0] == "Both took the same time, ± 2.0 s.")
  }

  @Test(
    "Drives without a common road and direction are not compared",
    arguments: [
      (PairComparison.Relation.nothingShared, "No road in common"),
      (.reversed, "Same road, opposite directions"),
    ])
  func incomparable(relation: PairComparison.Relation, headline: String) throws {
    let pair = PairComparison(first: 0, second: 1, relation: relation)
    let summary = try summary(
      HandMade.comparison(
        margin: nil, uncertainty: 0, winner: nil, pairs: [pair],
        fallback: relation == .reversed ? .reversed : .nothingShared))
    #expect(summary.verdict == .incomparable)
    #expect(summary.headline == headline)
    #expect(summary.answer == headline + ".")
    #expect(summary.explanation.count == 1 && summary.explanation[0].hasPrefix("Tuesday and Thursday "))
    // The map is mentioned only in texts with a map.
    #expect(summary.lead.hasSuffix("starting at the same time.") && !summary.explanation[0].contains("map"))
  }

  @Test("The other drives are ranked, and a drive that cannot be ranked is named")
  func several() throws {
    let pairs = [
      PairComparison(
        first: 0, second: 1, relation: .shared, sharedDistance: 900, agreement: 1, finalGap: -10),
      PairComparison(first: 0, second: 2, relation: .nothingShared),
      PairComparison(
        first: 0, second: 3, relation: .shared, sharedDistance: 800, agreement: 0.5, finalGap: 5),
    ]
    let comparison = HandMade.comparison(
      margin: 10, uncertainty: 1, drives: ["A", "B", "C", "D"].map { HandMade.drive($0) }, pairs: pairs)
    #expect(comparison.standings.map(\.drive) == [1, 0, 3])
    #expect(comparison.standings.map(\.behind) == [0, 10, 15])
    let summary = try summary(comparison)
    #expect(summary.headline == "B was the fastest of 3 by 0:10")
    #expect(summary.cautions.contains("C shares no road with A and is not ranked."))
    #expect(summary.cautions.contains { $0.contains("Only 50 % of the positions of D match") })
  }

  @Test("Evenly spaced times and a fallback of the mode are reported")
  func cautions() throws {
    let summary = try summary(
      HandMade.comparison(mode: .lastConvergence, fallback: .noSuchEvent, timing: .even), hasTimestamps: false
    )
    #expect(summary.cautions[0].contains("the last convergence, but there is none"))
    #expect(summary.cautions[1].hasPrefix("Tuesday and Thursday have no times per point"))
  }

  @Test("A low-resolution source is reported")
  func coarse() throws {
    var segment = Recording.Segment()
    for second in 0...1 {
      segment.append(
        Coordinate(latitude: 0, longitude: Double(second) * 0.01),
        time: Instant(microseconds: 1_714_543_929_000_000 + Int64(second) * 60_000_000))
    }
    var recording = Recording(segments: [segment])
    recording.resolution = Resolution(time: 60, position: 1.2)
    let trace = try TimedDrive(recording, label: "Phone")
    let document = ComparisonDocument(HandMade.comparison(), traces: [trace, trace])
    #expect(
      ComparisonSummary(document).cautions.first
        == "The source of Tuesday has a low resolution: times to about 60 s and positions to about 1 m.")
  }

  @Test("A drive of which a fifth or more is not compared is reported")
  func coverage() throws {
    let pair = duel([(.shared, (4000, 400), (4000, 380))])
    let drives = [HandMade.drive("A", motion: 20...519), HandMade.drive("B", motion: 20...495)]
    var comparison = HandMade.comparison(margin: 20, drives: drives, pairs: [pair])
    #expect(
      try summary(comparison).cautions
        == ["Of the 7:55 from the departure of B to its arrival, 6:20 are compared."])
    comparison.drives[0].motionEnd = 520
    #expect(try summary(comparison).cautions.count == 2)
    // Of several drives, those that are measured against the first.
    comparison.drives.append(HandMade.drive("C"))
    #expect(try summary(comparison).cautions.count == 1)
  }

  @Test("Short parts that are not compared are reported if they differ, because they can change the order")
  func unequalRests() throws {
    let pair = duel([(.shared, (4000, 400), (4000, 380))])
    let drives = [HandMade.drive("A", motion: 20...470), HandMade.drive("B", motion: 20...465)]
    var comparison = HandMade.comparison(margin: 20, drives: drives, pairs: [pair])
    // 50 s and 65 s, of which neither is a fifth.
    #expect(
      try summary(comparison).cautions
        == ["Not compared, before and after the shared road: 0:50 of A, 1:05 of B."])
    comparison.drives[1].motionEnd = 455
    #expect(try summary(comparison).cautions == [])
  }

  @Test("Without trimming, the departures are a reason of the margin")
  func departures() throws {
    let sides = Paired(HandMade.side(0, 4000, times: 20...420), HandMade.side(0, 4000, times: 80...460))
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared, legs: [Leg(kind: .shared, sides: sides)], agreement: 1,
      finalGap: 40, uncertainty: 1)
    let comparison = HandMade.comparison(
      margin: 40, drives: [HandMade.drive("A"), HandMade.drive("B")], pairs: [pair])
    #expect(PairBreakdown(pair, in: comparison).departure == 60)
    #expect(
      try summary(comparison).explanation.first
        == "On the shared road B was faster by 0:20; A departed 1:00 earlier.")
    // With trimming, both clocks start at the departure, so the margin is that of the leg.
    var trimmed = pair
    trimmed.finalGap = -20
    #expect(PairBreakdown(trimmed, in: comparison).departure == 0)
  }

  @Test("Idle time, stops and detours have one sentence each")
  func findings() throws {
    let legs = [
      Leg(
        kind: .detour,
        sides: Paired(
          HandMade.side(1000, 3000, times: 100...300), HandMade.side(1000, 4000, times: 100...280)))
    ]
    let pair = PairComparison(first: 0, second: 1, relation: .shared, legs: legs, agreement: 1, finalGap: -20)
    let comparison = HandMade.comparison(
      drives: [
        HandMade.drive("Tuesday", motion: 95...540, startIndex: 90, stops: [35, 70]),
        HandMade.drive("Thursday"),
      ], pairs: [pair])
    #expect(
      try summary(comparison).findings == [
        "Tuesday was stationary for 1:35 before departing (trimmed).",
        "Tuesday was stationary for 1:00 after arriving (not trimmed).",
        "Tuesday stopped 2 times on the way, for 1:45 in total; the longest stop was 1:10.",
        "Thursday did not stop on the way.",
        "The routes diverge at 1.0 km: Tuesday took 2.0 km, Thursday 3.0 km; Thursday gained 0:20 there.",
      ])
  }

  @Test(
    "Among several drives, recordings of one ride are ranked once, and a caution names them",
    arguments: [
      (RideRelation.duplicate, "Thursday is a copy of Tuesday."),
      (.simultaneous, "Tuesday and Thursday are one ride, recorded by two devices."),
    ])
  func sameRide(relation: RideRelation, sentence: String) throws {
    var second = HandMade.drive("Thursday")
    second.concurrent = [.init(drive: 0, relation: relation)]
    func pair(_ second: Int, _ gap: Double) -> PairComparison {
      PairComparison(first: 0, second: second, relation: .shared, finalGap: gap, uncertainty: 2)
    }
    let summary = try summary(
      HandMade.comparison(
        margin: 20, winner: 0, drives: [HandMade.drive("Tuesday"), second, HandMade.drive("Friday")],
        pairs: [pair(1, -3), pair(2, 20)]))
    #expect(summary.headline == "Tuesday was faster by 0:20")
    #expect(summary.cautions.contains(sentence))
  }

  @Test("A companion is named in a caution")
  func companion() throws {
    var comparison = HandMade.comparison()
    comparison.drives[1].concurrent = [.init(drive: 0, relation: .companion)]
    #expect(try summary(comparison).cautions == ["Tuesday and Thursday were on the road at the same time."])
    #expect(try summary(comparison).headline == "Thursday was faster by 0:42")
  }

  @Test("Companions are named among all drives, and of the recordings of one ride only the first")
  func laterCompanions() throws {
    var drives = ["Monday", "Tuesday", "Friend", "Watch"].map { HandMade.drive($0) }
    drives[2].concurrent = [.init(drive: 1, relation: .companion)]
    drives[3].concurrent = [.init(drive: 1, relation: .simultaneous), .init(drive: 2, relation: .companion)]
    let pairs = (1...3).map { PairComparison(first: 0, second: $0, relation: .shared, finalGap: -42) }
    #expect(
      try summary(HandMade.comparison(drives: drives, pairs: pairs)).cautions.prefix(2) == [
        "Tuesday and Friend were on the road at the same time.",
        "Tuesday and Watch are one ride, recorded by two devices.",
      ])
  }

  @Test(
    "Two recordings of one motion are a result without a winner, and not a caution",
    arguments: [
      (RideRelation.duplicate, "Two copies of one recording"), (.simultaneous, "Two recordings of one ride"),
    ])
  func oneMotion(ride: RideRelation, headline: String) throws {
    var comparison = HandMade.comparison(margin: 0.3)
    comparison.drives[1].concurrent = [.init(drive: 0, relation: ride)]
    let summary = try summary(comparison)
    #expect(summary.verdict == .tie)
    #expect(summary.answer == "\(headline) over 6.0 km of shared road.")
    #expect(summary.explanation[0] == "The times of both differ by 0.3 s, and the uncertainty is ± 2.0 s.")
    #expect(summary.cautions.isEmpty)
  }

  @Test("Without road in common, sparse fixes are the reason if there are no others")
  func sparse() throws {
    let pairs = [PairComparison(first: 0, second: 1, relation: .nothingShared)]
    var comparison = HandMade.comparison(margin: nil, winner: nil, pairs: pairs)
    #expect(
      try summary(comparison).explanation
        == ["Tuesday and Thursday never drove the same road, so neither was ahead."])
    // 600 s.
    comparison.drives[1].points = 11
    #expect(
      try summary(comparison).explanation == [
        "As far as their fixes show, which are about 1:00 apart, Tuesday and Thursday share no road."
      ])
  }

  @Test(
    "A leg is compared if most of it is after the alignment point",
    arguments: [
      (ComparisonMode.startLocation, 3), (.firstDivergence, 2), (.lastDivergence, 2), (.firstConvergence, 1),
      (.lastConvergence, 1), (.endLocation, 3),
    ])
  func countedLegs(mode: ComparisonMode, count: Int) {
    var pair = duel([
      (.shared, (3000, 300), (3000, 280)), (.detour, (3200, 200), (2000, 308)),
      (.shared, (2000, 200), (2000, 176)),
    ])
    // Both are in the detour, between the matched positions at 300 s and 500 s.
    pair.events = [(RouteEvent.Kind.divergence, 301.0), (.convergence, 499)].map { kind, elapsed in
      RouteEvent(
        kind: kind, coordinate: Coordinate(latitude: 0, longitude: 0), elapsed: Paired(elapsed, elapsed),
        position: Paired(elapsed, elapsed))
    }
    let comparison = HandMade.comparison(pairs: [pair], mode: mode)
    #expect(comparison.countedLegs(of: pair) == Array(pair.legs.suffix(count)))
  }

  @Test("The parts of the breakdown add up to the gap")
  func breakdown() {
    let legs = [
      Leg(
        kind: .shared,
        sides: Paired(
          HandMade.side(0, 1000, times: 0...120, waiting: 30),
          HandMade.side(0, 1000, times: 0...95, waiting: 10))),
      Leg(
        kind: .detour,
        sides: Paired(HandMade.side(1000, 2000, times: 120...200), HandMade.side(1000, 2500, times: 95...190))
      ),
      Leg(
        kind: .unknown,
        sides: Paired(
          HandMade.side(2000, 2500, times: 200...250), HandMade.side(2500, 3000, times: 190...243))),
    ]
    let breakdown = PairBreakdown(legs)
    #expect(breakdown.waiting == -20)
    #expect(breakdown.moving == -5)
    #expect(breakdown.detours == 15)
    #expect(breakdown.unknown == 3)
  }
}
