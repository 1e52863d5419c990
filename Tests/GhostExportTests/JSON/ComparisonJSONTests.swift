import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import GhostExport

@Suite struct ComparisonJSONTests {
  private func object(_ comparison: DriveComparison) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(comparison.json.text.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("The keys that scripts use are present, with their values")
  func keys() throws {
    let json = try object(HandMadeComparison.commute)
    #expect(json["engine"] as? String == "matched")
    #expect(json["requested_mode"] as? String == "start-location")
    #expect(json["mode"] as? String == "start-location")
    #expect(json["fallback"] as? Bool == false && json["fallback_reason"] is NSNull)
    #expect(json["timing"] as? String == "timestamps")
    #expect(json["winner"] as? String == "thursday")
    #expect(json["margin_s"] as? Double == 42 && json["uncertainty_s"] as? Double == 0.6)
    let drive = try #require((json["drives"] as? [[String: Any]])?.first)
    #expect(drive["label"] as? String == "tuesday" && drive["source"] as? String == "tuesday.gpx")
    let numbers = [
      "points": 1196, "start_index": 20, "end_index": 1195, "time_offset_s": -20, "duration_s": 1175,
      "distance_m": 11_000, "elapsed_s": 1195, "waiting_s": 60,
    ]
    for (key, value) in numbers { #expect(drive[key] as? Double == Double(value), "\(key)") }
    #expect(drive["motion"] as? [String: Double] == ["start_s": 20, "end_s": 1180])
    #expect(drive["idle_s"] as? [String: Double] == ["start": 20, "end": 15])
    let stop = try #require((drive["stops"] as? [[String: Double]])?.first)
    #expect(stop == ["lat": 46.5, "lon": 7.25, "arrival_s": 520, "departure_s": 580, "duration_s": 60])
  }

  @Test("Events and profile are rows with the times of both drives")
  func rows() throws {
    let json = try object(HandMadeComparison.commute)
    let events = try #require(json["events"] as? [[String: Any]])
    #expect(events.map { $0["kind"] as? String } == ["divergence", "convergence"])
    #expect(events[1]["pair"] as? [Int] == [0, 1])
    #expect(events[1]["lat"] as? Double == 46.56 && events[1]["lon"] as? Double == 7.25)
    #expect(events[1]["elapsed_s"] as? [Double] == [680, 604])
    let profile = try #require(json["profile"] as? [[String: Any]])
    #expect(profile.map { $0["distance_m"] as? Double } == [0, 4000, 6000])
    #expect(profile.map { $0["gap_s"] as? Double } == [0, -20, -56])
    #expect(profile.map { $0["stretch"] as? Int } == [0, 0, 1])
    #expect(profile[2]["elapsed_s"] as? [Double] == [680, 604])
    #expect(profile[2]["lat"] as? Double == 46.56)
  }

  @Test("Legs and pairs describe the stretches between the anchors")
  func legs() throws {
    let json = try object(HandMadeComparison.commute)
    let legs = try #require(json["legs"] as? [[String: Any]])
    #expect(legs.map { $0["kind"] as? String } == ["shared", "detour", "shared"])
    #expect(legs.map { $0["gap_change_s"] as? Double } == [-20, -36, 14])
    let sides = try #require(legs[1]["sides"] as? [[String: Any]])
    #expect(sides.map { $0["length_m"] as? Double } == [2000, 2800])
    #expect(sides.map { $0["duration_s"] as? Double } == [260, 224])
    #expect(sides.map { $0["waiting_s"] as? Double } == [60, 0])
    #expect(sides[0]["elapsed_s"] as? [Double] == [420, 680])
    let pair = try #require((json["pairs"] as? [[String: Any]])?.first)
    #expect(pair["pair"] as? [Int] == [0, 1] && pair["relation"] as? String == "shared")
    #expect(pair["shared_distance_m"] as? Double == 9000 && pair["gap_s"] as? Double == -42)
  }

  @Test("In a profile row of the third drive, the time of the second drive is null")
  func three() throws {
    var comparison = HandMadeComparison.commute
    comparison.drives.append(comparison.drives[0])
    var pair = comparison.pairs[0]
    pair.second = 2
    comparison.pairs.append(pair)
    let json = try object(comparison)
    let profile = try #require(json["profile"] as? [[String: Any]])
    #expect(profile.count == 6)
    let elapsed = try #require(profile[3]["elapsed_s"] as? [Any])
    #expect(elapsed.count == 3)
    #expect(elapsed[0] as? Double == 20 && elapsed[1] is NSNull && elapsed[2] as? Double == 0)
    #expect(profile[3]["pair"] as? [Int] == [0, 2])
    #expect((json["events"] as? [[String: Any]])?.count == 4)
  }

  @Test("Unknown values are null, a fallback has a reason, and numbers that JSON cannot represent are null")
  func unknown() throws {
    var comparison = HandMadeComparison.commute
    comparison.engine = .app
    comparison.requestedMode = .firstDivergence
    comparison.fallback = .noSuchEvent
    comparison.winner = nil
    comparison.margin = nil
    comparison.drives[0].timeOffset = .nan
    comparison.drives[1].duration = -0.0001
    let json = try object(comparison)
    #expect(json["requested_mode"] as? String == "first-divergence")
    #expect(json["fallback"] as? Bool == true && json["fallback_reason"] as? String == "no-such-event")
    for key in ["winner", "margin_s", "uncertainty_s"] { #expect(json[key] is NSNull, "\(key)") }
    let drives = try #require(json["drives"] as? [[String: Any]])
    #expect(drives[0]["time_offset_s"] is NSNull)
    #expect(comparison.json.text.contains("-0,") == false)
    let pair = try #require((json["pairs"] as? [[String: Any]])?.first)
    #expect(pair["relation"] is NSNull && pair["shared_distance_m"] is NSNull)
  }
}
