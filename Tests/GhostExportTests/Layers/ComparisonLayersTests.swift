import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostExport

struct ComparisonLayersTests {
  @Test("The clock shows noon at the alignment, for any origin of the offsets", arguments: [0.0, 1000, -77])
  func noon(base: Double) throws {
    var document = try Race.document()
    for index in document.comparison.drives.indices { document.comparison.drives[index].timeOffset += base }
    let clock = ExportClock(document)
    #expect(clock.time(0, of: 0) == 0)
    #expect(clock.time(60, of: 1) == 0)
    #expect(ExportClock.instant(0).description == "2000-01-01T12:00:00Z")
    #expect(ExportClock.instant(-1.5).description == "2000-01-01T11:59:58.500Z")
  }

  @Test(
    "The clock shows noon at the anchor of the mode",
    arguments: [
      (ComparisonMode.startLocation, 0.0, 60.0), (.firstDivergence, 50, 105), (.lastConvergence, 100, 180),
      (.endLocation, 220, 270),
    ])
  func mode(mode: ComparisonMode, first: Double, second: Double) throws {
    var document = try Race.document()
    document.comparison.mode = mode
    document.comparison.drives[1].timeOffset = first - second
    let clock = ExportClock(document)
    #expect(clock.time(first, of: 0) == 0)
    #expect(clock.time(second, of: 1) == 0)
  }

  @Test("With the app's engine, offsets count from the first compared point")
  func app() throws {
    var document = try Race.document()
    document.comparison.engine = .app
    document.comparison.pairs = [PairComparison(first: 0, second: 1, relation: .shared)]
    document.comparison.drives[1].timeOffset = 0
    // Thursday is compared from its second point on, 60 s after its first.
    #expect(document.sharedTime(60, of: 1) == 0)
    let layers = ComparisonLayers(document, full: false)
    #expect(layers.drives.map { $0.runs[0].times.first } == [0, 0])
  }

  @Test(
    "A repeated divergence of a detour is marked once, at the alignment or else at its first place",
    arguments: [
      (ComparisonMode.startLocation, [5, 9]), (.firstDivergence, [5, 9]), (.lastDivergence, [5, 10]),
    ])
  func repeatedDivergences(mode: ComparisonMode, steps: [Int]) throws {
    func event(_ kind: RouteEvent.Kind, _ step: Int, isRepeated: Bool = false) -> RouteEvent {
      RouteEvent(
        kind: kind, coordinate: Race.coordinate(Double(step)), elapsed: Paired(Double(step), Double(step)),
        position: Paired(Double(step), Double(step)), isRepeated: isRepeated)
    }
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared,
      events: [
        event(.divergence, 5), event(.divergence, 6, isRepeated: true), event(.convergence, 7),
        event(.divergence, 9), event(.divergence, 10, isRepeated: true),
      ])
    let divergences = pair.anchors(mode).filter { $0.kind == .divergence }
    #expect(divergences.map { Int($0.elapsed.first) } == steps)
    #expect(pair.anchors(mode).count == 3)
  }

  @Test("Without a shared road, the first drive starts at noon")
  func nothingShared() throws {
    var document = try Race.document()
    document.comparison.pairs = [PairComparison(first: 0, second: 1, relation: .nothingShared)]
    document.comparison.drives[0].startIndex = 3
    let layers = ComparisonLayers(document, full: false)
    #expect(ExportClock(document).time(30, of: 0) == 0)
    #expect(layers.gaps.isEmpty && layers.anchors.isEmpty && layers.detours.isEmpty)
    #expect(layers.drives.count == 2)
  }

  @Test("The compared part of a drive has times; the rest has no times")
  func drives() throws {
    let layers = ComparisonLayers(try Race.document(), full: false)
    #expect(layers.drives.map { $0.runs.map(\.count) } == [[22], [21]])
    #expect(layers.drives[0].trimmed.isEmpty)
    // Both parts contain the point at which the drive starts.
    #expect(layers.drives[1].trimmed.map(\.name) == ["trimmed at the start"])
    #expect(layers.drives[1].trimmed[0].lines.map(\.count) == [2])
    #expect(layers.drives[1].trimmed[0].lines[0].times.isEmpty)
    #expect(layers.drives[1].runs[0].times.first == 0)
    #expect(layers.drives[1].runs[0].times.last == 210)
    #expect(layers.span == 0...220)
  }

  @Test("An interrupted recording has one line per part")
  func interrupted() throws {
    let points = (0..<6).map { Race.coordinate(Double($0)) }
    let trace = try TimedDrive(
      label: "a", coordinates: points, elapsed: [0, 1, 2, 3, 4, 5], segmentStarts: [0, 3, 5])
    #expect(trace.runs(in: 0..<6) == [0..<3, 3..<5, 5..<6])
    #expect(trace.runs(in: 2..<4) == [2..<3, 3..<4])
    #expect(trace.runs(in: 4..<4).isEmpty)
  }

  @Test("A drive whose start is after its end has no compared part")
  func empty() throws {
    var document = try Race.document()
    document.comparison.drives[1].startIndex = 30
    document.comparison.drives[1].endIndex = 3
    let layers = ComparisonLayers(document, full: false)
    #expect(layers.drives[1].runs.isEmpty)
    for output in ComparisonOutput.all {
      #expect(try !output.bytes(document, options: ExportOptions(tour: true)).isEmpty)
    }
  }

  @Test("The gap is drawn where it was measured, with the name of the drive that is ahead")
  func gap() throws {
    let layers = ComparisonLayers(try Race.document(), full: false)
    #expect(layers.gaps.count == 1)
    let features = layers.gaps[0].features
    // Up to step 5 Thursday gains 5 s. After the detour it is 20 s behind, of which it makes up 1 s per
    // step and 20 s at Tuesday's stop. The gaps are at most 20 s, so the colour changes every 5 s. Gaps of
    // 2.4 s are level, and the colour for level ends 0.6 s later.
    #expect(
      features.map(\.name) == [
        "Level within 4.0 s", "Thursday is ahead by 5.0 s",
        "\(Race.labels[0]) is ahead by 0:17", "Thursday is ahead by 6.0 s", "Thursday is ahead by 8.0 s",
      ])
    func ends(_ key: String) -> [Double?] { features.map { $0.table.facts.first { $0.key == key }?.number } }
    #expect(ends("gap_from_s") == [0, -4, 20, -5, -6])
    #expect(ends("gap_to_s") == [-4, -5, 15, -6, -10])
    // No line is drawn across the detour.
    for feature in features {
      guard case .lines(let lines) = feature.shape else { continue }
      for line in lines {
        for (west, east) in zip(line.longitudes, line.longitudes.dropFirst()) {
          #expect(east - west < 0.0011)
        }
      }
    }
  }

  @Test("A detour has a line for each drive, with its length and time")
  func detours() throws {
    let detours = ComparisonLayers(try Race.document(), full: false).detours
    #expect(detours.map(\.name) == ["Detour 1, \(Race.labels[0])", "Detour 1, Thursday"])
    guard case .lines(let lines) = detours[1].shape else {
      Issue.record("no line")
      return
    }
    // From the divergence over the four points in the north to the convergence.
    #expect(lines.map(\.latitudes) == [[50, 50.004, 50.004, 50.004, 50.004, 50]])
    #expect(lines[0].times == [45, 54, 63, 72, 81, 120])
    let facts = Dictionary(uniqueKeysWithValues: detours[0].table.facts.map { ($0.key, $0) })
    #expect(facts["first_duration_s"]?.number == 50)
    #expect(facts["second_duration_s"]?.number == 75)
    #expect(facts["gap_change_s"]?.number == 25)
    #expect(facts["second_length_m"]?.number == 1258.5)
    #expect(facts["result"]?.text == "\(Race.labels[0]) was faster by 0:25")
  }

  @Test("Anchors are in driving order with their gaps, and one of them is the alignment")
  func anchors() throws {
    let anchors = ComparisonLayers(try Race.document(), full: false).anchors
    #expect(anchors.map(\.kind) == ["start", "divergence", "convergence", "end"])
    #expect(anchors.map { $0.table.facts.first { $0.key == "gap_s" }?.number } == [0, -5, 20, -10])
    #expect(anchors.map(\.time) == [0, 50, 100, 220])
    #expect(anchors.map { $0.name.hasSuffix("(aligned here)") } == [true, false, false, false])
  }

  @Test("A stop has the name of the drive and the waiting time")
  func stops() throws {
    let stops = ComparisonLayers(try Race.document(), full: false).stops
    #expect(stops.map(\.name) == ["\(Race.labels[0]) waits 0:20"])
    #expect(stops.map(\.time) == [150])
  }

  @Test("Long drives are simplified for viewers, and complete with the full option")
  func budget() throws {
    let document = try LongDrive.document(points: 100_000)
    func count(_ layers: ComparisonLayers) -> Int {
      layers.drives.flatMap(\.runs).reduce(0) { $0 + $1.count }
    }
    let thinned = ComparisonLayers(document, full: false)
    #expect(count(thinned) <= ComparisonLayers.budget)
    #expect(thinned.notes.contains { $0.hasPrefix("The drives are simplified") })
    #expect(count(ComparisonLayers(document, full: true)) == 200_000)
  }
}
