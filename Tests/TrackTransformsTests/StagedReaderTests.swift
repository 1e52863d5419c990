import TestSupport
import Testing
import TrackModel

@testable import TrackTransforms

@Suite struct StagedReaderTests {
  private static let names = [
    "shift", "accuracy", "crop", "kind", "split-gap", "merge", "reverse", "track-from-points",
    "track-from-points without track", "spread-times", "drop-spikes", "privacy", "resample by time",
    "resample by distance", "simplify",
  ]

  private static func stage(_ name: String) -> any TrackStage {
    switch name {
    case "shift": ShiftStage(seconds: 3600)
    case "accuracy": AccuracyStage(metres: 20)
    case "crop": CropStage(.instants(from: .test(60), to: .test(2000)))
    case "kind": KindStage(["driving"])
    case "split-gap": SplitGapStage(seconds: 30)
    case "merge": MergeStage()
    case "reverse": ReverseStage()
    case "track-from-points": TrackFromPointsStage()
    case "track-from-points without track": TrackFromPointsStage(onlyWithoutTrack: true)
    case "spread-times": SpreadTimesStage()
    case "drop-spikes": SpikeStage(speed: 60)
    case "privacy": PrivacyStage(center: Coordinate(latitude: 0, longitude: 0), radius: 600)
    case "resample by time": ResampleStage(.seconds(7))
    case "resample by distance": ResampleStage(.metres(100))
    default: SimplifyStage(metres: 300)
    }
  }

  private static let fault = TrackError(.malformed, "broken off")

  @Test("Each stage follows the grammar and gives the same result for any batch size", arguments: names)
  func grammar(name: String) {
    let seed = SeededGenerator.printedSeed(name)
    var stream = RandomStream(seed: seed)
    for _ in 0..<Effort.rounds(150) {
      let items = stream.items()
      let whole = StageRun(items, [Self.stage(name)], "seed \(seed)")
      for capacity in [1, 3] {
        let run = StageRun(items, [Self.stage(name)], capacity: capacity, "seed \(seed)")
        #expect(run.items == whole.items, "seed \(seed), capacity \(capacity)")
        #expect(run.summaries == whole.summaries, "seed \(seed), capacity \(capacity)")
      }
    }
  }

  @Test("Stages in any order follow the grammar and give the same result for any batch size")
  func stacked() {
    let seed = SeededGenerator.printedSeed()
    var stream = RandomStream(seed: seed)
    for _ in 0..<Effort.rounds(400) {
      let names = (0..<stream.number(2...6)).map { _ in Self.names[stream.number(0...(Self.names.count - 1))]
      }
      let items = stream.items()
      let whole = StageRun(items, names.map(Self.stage), "seed \(seed), \(names)")
      let run = StageRun(
        items, names.map(Self.stage), capacity: stream.number(1...3), "seed \(seed), \(names)")
      #expect(run.items == whole.items, "seed \(seed), \(names)")
      #expect(run.summaries == whole.summaries, "seed \(seed), \(names)")
    }
  }

  @Test("Complete content is delivered before an error, which is thrown once", arguments: names)
  func errors(name: String) {
    let seed = SeededGenerator.printedSeed(name)
    var stream = RandomStream(seed: seed)
    for _ in 0..<Effort.rounds(100) {
      let items = stream.items()
      let cut = Array(items.prefix(stream.number(1...items.count)))
      let run = StageRun(cut, [Self.stage(name)], error: Self.fault, "seed \(seed)")
      #expect(run.error?.message == "broken off")
      switch name {
      case "shift", "merge", "reverse", "spread-times", "split-gap":
        // These stages remove no points.
        #expect(run.pointCount == cut.reduce(0) { $0 + $1.pointCount }, "seed \(seed)")
      default: break
      }
      // An error between two tracks does not change the content before it.
      var depth = 0
      var ends = [1]
      for (index, item) in items.enumerated() {
        switch item {
        case .event(.beginTrack), .event(.beginRoute): depth = 1
        case .event(.endTrack), .event(.endRoute): depth = 0
        default: break
        }
        if depth == 0 { ends.append(index + 1) }
      }
      let whole = Array(items.prefix(ends[stream.number(0...(ends.count - 1))]))
      #expect(
        StageRun(whole, [Self.stage(name)], error: Self.fault).items
          == StageRun(whole, [Self.stage(name)]).items, "seed \(seed)")
    }
  }

  @Test("Errors pass through several stages, and the grammar is followed")
  func stackedErrors() {
    let seed = SeededGenerator.printedSeed()
    var stream = RandomStream(seed: seed)
    for _ in 0..<Effort.rounds(300) {
      let names = (0..<stream.number(2...6)).map { _ in Self.names[stream.number(0...(Self.names.count - 1))]
      }
      let items = stream.items()
      let cut = Array(items.prefix(stream.number(1...items.count)))
      let run = StageRun(
        cut, names.map(Self.stage), error: Self.fault, capacity: stream.number(1...5),
        "seed \(seed), \(names)")
      #expect(run.error?.message == "broken off")
    }
  }

  @Test("Without stages, the reader's stream and warnings are unchanged")
  func none() {
    var stream = RandomStream(seed: 7)
    for _ in 0..<20 {
      let items = stream.items()
      let run = StageRun(items, [], capacity: 2)
      #expect(run.items == items)
      #expect(run.summaries == [])
      #expect(run.warnings.map(\.message) == ["scripted"])
    }
    #expect(StageRun([.header], [], error: Self.fault).items == [.header])
    #expect(StageRun([.header], [MergeStage()], error: Self.fault).warnings.count == 1)
  }

  @Test("Summaries are in the order of the stages, without stages that changed nothing")
  func summaries() {
    let items = [.header] + StreamItem.track(TrackInfo(), .equator(seconds: [0, 1, 2]))
    let run = StageRun(
      items, [ReverseStage(), AccuracyStage(metres: 5), SimplifyStage(metres: 1), ShiftStage(seconds: 60)])
    #expect(
      run.summaries == [
        "reverse: 1 line reversed", "simplify: 1 of 3 points removed", "shift: 2 times shifted by 1 min",
      ])
  }

  @Test("Points of a stage are delivered in batches of at most the given capacity")
  func batches() throws {
    var reader = StagedReader(
      ScriptedReader([.header] + StreamItem.track(TrackInfo(), .equator(seconds: [0, 100]))),
      [ResampleStage(.seconds(1))])
    var batch = PointBatch(capacity: 30)
    var sizes: [Int] = []
    while let event = try reader.next(into: &batch) {
      if case .points = event { sizes.append(batch.count) }
    }
    #expect(sizes == [30, 30, 30, 11])
  }
}
