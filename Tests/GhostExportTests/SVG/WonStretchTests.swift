import GhostModel
import Testing

@testable import GhostExport

struct WonStretchTests {
  private func comparison(_ profiles: [GapProfile]) -> DriveComparison {
    HandMade.comparison(
      uncertainty: 0.2, drives: (0...profiles.count).map { HandMade.drive("\($0)") },
      pairs: profiles.enumerated().map { index, profile in
        PairComparison(first: 0, second: index + 1, relation: .shared, profile: profile)
      })
  }

  @Test("Each stretch is won by the drive that gained time on it, and the sum of the gains is the gap")
  func gains() throws {
    // The second drive loses 20 s up to 3 km, nothing up to 4 km, and gains 40 s up to 8 km, 10 s of them
    // at a stop.
    let profile = HandMade.profile([[(0, 0), (3000, 20), (4000, 20), (6000, 5), (6000, -5), (8000, -20)]])
    let stretches = WonStretch.stretches(of: comparison([profile]))
    #expect(stretches.first?.distances.lowerBound == 0 && stretches.last?.distances.upperBound == 8000)
    for (before, after) in zip(stretches, stretches.dropFirst()) {
      #expect(abs(before.distances.upperBound - after.distances.lowerBound) < 1e-6)
    }
    let sum = stretches.reduce(0.0) { sum, stretch in
      sum + (stretch.winner == 1 ? -stretch.gain : stretch.winner == 0 ? stretch.gain : 0)
    }
    #expect(abs(sum + 20) < 1)
    #expect(stretches.filter { $0.distances.upperBound < 2990 }.allSatisfy { $0.winner == 0 })
    #expect(
      stretches.filter { $0.distances.lowerBound > 3010 && $0.distances.upperBound < 3990 }
        .allSatisfy { $0.winner == nil })
    #expect(stretches.filter { $0.distances.lowerBound > 4010 }.allSatisfy { $0.winner == 1 })
    let most = try #require(stretches.max { $0.gain < $1.gain })
    #expect(most.distances.lowerBound <= 6000 && most.distances.upperBound >= 6000)
  }

  @Test("A detour is not a shared road")
  func detour() {
    let profile = HandMade.profile([[(0, 0), (1000, 5)], [(2000, 9), (4000, 12)]])
    let stretches = WonStretch.stretches(of: comparison([profile]))
    #expect(stretches.allSatisfy { $0.distances.upperBound <= 1000 || $0.distances.lowerBound >= 2000 })
    let length = stretches.reduce(0) { $0 + $1.distances.upperBound - $1.distances.lowerBound }
    #expect(abs(length - 3000) < 1e-6)
  }

  @Test("A stretch of three drives is won by the fastest")
  func several() {
    let stretches = WonStretch.stretches(
      of: comparison([
        HandMade.profile([[(0, 0), (4000, 40), (8000, 0)]]),
        HandMade.profile([[(0, 0), (4000, -40), (8000, 80)]]),
      ]))
    #expect(stretches.filter { $0.distances.upperBound < 3990 }.allSatisfy { $0.winner == 2 })
    #expect(stretches.filter { $0.distances.lowerBound > 4010 }.allSatisfy { $0.winner == 1 })
  }

  @Test("A recording of the same ride gains nothing, and does not take a stretch from the other recording")
  func sameRide() {
    let profiles = [
      HandMade.profile([[(0, 0), (4000, -40), (8000, 0)]]),
      HandMade.profile([[(0, 0), (4000, -41), (8000, 0)]]),
    ]
    var drives = ["a", "b", "c"].map { HandMade.drive($0) }
    drives[2].concurrent = [.init(drive: 1, relation: .simultaneous)]
    let pairs = profiles.enumerated().map { index, profile in
      PairComparison(first: 0, second: index + 1, relation: .shared, profile: profile)
    }
    let stretches = WonStretch.stretches(
      of: HandMade.comparison(uncertainty: 0.2, drives: drives, pairs: pairs))
    #expect(
      stretches.filter { $0.distances.upperBound < 3990 }.allSatisfy { $0.winner == 1 && $0.gain > 0.6 })
    drives[1].concurrent = [.init(drive: 0, relation: .duplicate)]
    let alone = HandMade.comparison(drives: Array(drives[..<2]), pairs: Array(pairs[..<1]))
    #expect(WonStretch.stretches(of: alone).isEmpty)
  }

  @Test("A drive that is slightly faster throughout gains the mean of the joined pieces on each")
  func slightly() {
    // 8 s over 72 pieces: 0.11 s each, below the noise of 0.6 s.
    let stretches = WonStretch.stretches(of: comparison([HandMade.profile([[(0, 0), (8000, -8)]])]))
    let won = stretches.filter { $0.winner != nil }
    #expect(won.count > 60 && won.allSatisfy { $0.winner == 1 && abs($0.gain - 8.0 / 72) < 0.001 })
  }

  @Test("Without a shared road no stretch is won")
  func nothing() {
    #expect(WonStretch.stretches(of: comparison([GapProfile()])).isEmpty)
    #expect(WonStretch.stretches(of: comparison([HandMade.profile([[(5, 1)]])])).isEmpty)
  }
}
