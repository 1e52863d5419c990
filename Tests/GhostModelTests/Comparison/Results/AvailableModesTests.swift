import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct AvailableModesTests {
  private func straight(_ count: Int = 41) throws -> DecodedDrive {
    try .eastward(north: Array(repeating: 0, count: count))
  }

  /// Diverges at point 20, to the north.
  private func turning() throws -> DecodedDrive {
    let metres = (0..<41).map { (row: Int) -> (Double, Double) in
      row < 20 ? (Double(row * 10), 0) : (200, Double(row * 10 - 200))
    }
    return try .made(metres: metres)
  }

  /// 100 m to the side from point 10 to 14, with the same heading at all samples.
  private func beside() throws -> DecodedDrive {
    try .eastward(north: (0..<41).map { (10..<15).contains($0) ? 100 : 0 })
  }

  private func modes(_ trails: [DecodedDrive]) async -> [ComparisonMode] {
    await DriveComparisonEngine.availableModes(for: trails.map(\.drive), settings: ComparisonSettings())
      .reduce(into: []) { $0.append($1) }
  }

  @Test("Start and end are returned first, then the modes with an anchor")
  func found() async throws {
    #expect(await modes([try straight(), try straight()]) == [.startLocation, .endLocation])
    #expect(
      await modes([try straight(), try turning()])
        == [.startLocation, .endLocation, .firstDivergence, .lastDivergence])
    #expect(
      await modes([try straight(), try beside()])
        == [.startLocation, .endLocation, .firstConvergence, .lastConvergence])
    #expect(await modes([]) == [.startLocation, .endLocation])
    #expect(await modes([try straight()]) == [.startLocation, .endLocation])
  }

  @Test("A mode is available only if every drive has an anchor with the first one")
  func every() async throws {
    #expect(await modes([try straight(), try turning(), try beside()]) == [.startLocation, .endLocation])
    #expect(
      await modes([try straight(), try turning(), try turning()])
        == [.startLocation, .endLocation, .firstDivergence, .lastDivergence])
  }

  @Test("The available modes are those in which the alignment does not fall back")
  func agreement() async throws {
    let trails = [try straight(), try turning(), try beside(), try straight(7)]
    for first in trails {
      for second in trails {
        let found = Set(await modes([first, second]))
        #expect(
          DriveComparisonEngine.availableModes(for: [first, second], settings: ComparisonSettings())
            == ComparisonMode.allCases.filter(found.contains))
        for mode in ComparisonMode.allCases {
          let alignment = DriveComparisonEngine.alignment(
            of: [first, second], settings: ComparisonSettings(mode: mode))
          #expect(found.contains(mode) == !alignment.fellBack)
        }
      }
    }
  }

  @Test("The main actor receives start and end before the search has finished") @MainActor
  func atOnce() async throws {
    let long = try straight(300_000)
    var iterator = DriveComparisonEngine.availableModes(
      for: [long.drive, long.drive], settings: ComparisonSettings()
    )
    .makeAsyncIterator()
    #expect(await iterator.next() == .startLocation)
    #expect(await iterator.next() == .endLocation)
  }

  @Test("A cancelled search ends immediately and finds no further matches")
  func cancelled() throws {
    // An anchor near the end, after 10,000 samples.
    let first = try straight(50_041)
    let second = try DecodedDrive.eastward(
      north: (0..<50_041).map { (50_000..<50_010).contains($0) ? 100 : 0 })
    var asked = 0
    var found: [ComparisonMode] = []
    DriveComparisonEngine.findAnchoredModes(
      for: [first, second], settings: ComparisonSettings(),
      isCancelled: {
        asked += 1
        return asked == 3
      }, found: { found.append($0) })
    #expect(asked == 3 && found.isEmpty)
    DriveComparisonEngine.findAnchoredModes(
      for: [first, second], settings: ComparisonSettings(), isCancelled: { false },
      found: { found.append($0) })
    #expect(found == [.firstConvergence, .lastConvergence])
  }

  @Test("The stream ends if its task is cancelled")
  func cancelledTask() async throws {
    let long = try straight(300_000)
    let task = Task {
      var found: [ComparisonMode] = []
      for await mode in DriveComparisonEngine.availableModes(
        for: [long.drive, long.drive], settings: ComparisonSettings())
      {
        found.append(mode)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
      return found
    }
    // The two modes that need no search may still be delivered.
    #expect(await task.value.count <= 2)
  }
}
