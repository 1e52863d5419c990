import DriveMatching
import Foundation
import Testing
import TrackModel

@testable import DriveLibrary

@Suite("Passages of a segment, ranked")
struct PassageRankingTests {
  private static let segment = try? RoadSegment(
    name: "climb", line: [Coordinate(latitude: 47, longitude: 8), Coordinate(latitude: 47.01, longitude: 8)])

  /// Passages with durations in seconds, one per day.
  private static func passages(_ durations: [Double], kinds: [String?] = []) -> [LibraryPassage] {
    durations.enumerated().map { day, duration in
      LibraryPassage(
        drive: UUID(), name: "\(day)", startTime: Instant(secondsSince1970: 86_400 * Double(day)),
        kind: day < kinds.count ? kinds[day] : nil,
        passage: Passage(start: 10, end: 10 + duration, distance: 100, maximumSpeed: 20, uncertainty: 0.1))
    }
  }

  @Test("A passage that two devices recorded is ranked once")
  func rides() throws {
    let segment = try #require(Self.segment)
    var recordings = Self.passages([30, 31, 29])
    recordings[1].original = LibraryPassage.OtherRecording(drive: recordings[0].drive, start: 10)
    let ranking = PassageRanking(recordings, of: segment)
    #expect(ranking.ranked.map(\.name) == ["2", "0"])
    #expect(ranking.passages.map(\.name) == ["0", "2"])
    #expect(ranking.best == 29)
    #expect(ranking.otherRecordings(of: recordings[0]).map(\.name) == ["1"])
    #expect(ranking.otherRecordings(of: recordings[2]).isEmpty)
  }

  @Test("Kinds are ordered by their numbers of passages, then by name")
  func kinds() throws {
    let segment = try #require(Self.segment)
    let ranking = PassageRanking(
      Self.passages([1, 2, 3, 4], kinds: ["ride", nil, "run", "ride"]), of: segment)
    #expect(ranking.kinds.map(\.kind) == ["ride", "run", "unknown"])
    #expect(ranking.kinds.map(\.count) == [2, 1, 1])
  }

  @Test("Each period has its fastest passage")
  func periods() throws {
    let segment = try #require(Self.segment)
    let ranking = PassageRanking(Self.passages([30, 28, 29, 31]), of: segment)
    let best = ranking.best { $0.secondsSince1970 < 2 * 86_400 ? "early" : "late" }
    #expect(best.map(\.period) == ["early", "late"])
    #expect(best.map(\.passage.name) == ["1", "2"])
  }

  @Test("A race ranks all passages, and draws the latest after the fastest")
  func race() throws {
    let segment = try #require(Self.segment)
    let ranking = PassageRanking(Self.passages([30, 28, 29, 27.5, 32]), of: segment)
    #expect(ranking.forRace(shown: 2).map(\.entry.name) == ["3", "1", "2", "0", "4"])
    let earlier = PassageRanking(Self.passages([30, 28, 32, 29]), of: segment)
    #expect(earlier.forRace(shown: 2).map(\.entry.name) == ["1", "0", "2", "3"])
    #expect(earlier.forRace(shown: 2).map(\.rank) == [1, 3, 4, 2])
    #expect(earlier.forRace(shown: 4).map(\.rank) == [1, 2, 3, 4])
    let best = PassageRanking(Self.passages([30, 28, 29, 27]), of: segment)
    #expect(best.forRace(shown: 2).map(\.entry.name) == ["3", "1", "2", "0"])
    #expect(PassageRanking([], of: segment).forRace(shown: 2).isEmpty)
  }
}
