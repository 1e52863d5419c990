import GhostModel
import Testing
import TrackModel

@Suite struct CropStageTests {
  private func kept(_ seconds: [Double?], _ bounds: CropStage.Bounds) -> [Double?] {
    StageRun([.header] + StreamItem.track(TrackInfo(), .equator(seconds: seconds)), [CropStage(bounds)])
      .lines[0].seconds
  }

  @Test("Between two moments both ends stay, an open end keeps all on its side")
  func instants() {
    let seconds: [Double?] = [0, 9.999999, 10, 15, nil, 20, 20.000001]
    #expect(kept(seconds, .instants(from: .test(10), to: .test(20))) == [10, 15, 20])
    #expect(kept(seconds, .instants(from: .test(15), to: nil)) == [15, 20, 20.000001])
    #expect(kept(seconds, .instants(from: nil, to: .test(10))) == [0, 9.999999, 10])
    #expect(kept(seconds, .instants(from: .test(20), to: .test(10))) == [])
  }

  @Test("Between two times of day each day has its stretch")
  func timesOfDay() {
    let hour = 3600.0
    // Half past seven and ten past eight, today, tomorrow and the day before.
    let seconds: [Double?] = [
      7.5 * hour - 1, 7.5 * hour, 8 * hour, 8 * hour + 600, 8 * hour + 601, 32 * hour, -16 * hour, -17 * hour,
    ]
    #expect(
      kept(seconds, .timesOfDay(from: 7.5 * hour, to: 8 * hour + 600))
        == [7.5 * hour, 8 * hour, 8 * hour + 600, 32 * hour, -16 * hour])
  }

  @Test("A stretch over midnight has its end in the morning")
  func overMidnight() {
    let hour = 3600.0
    let seconds: [Double?] = [0, hour, hour + 1, 12 * hour, 23 * hour - 1, 23 * hour, 24 * hour, 25 * hour]
    #expect(
      kept(seconds, .timesOfDay(from: 23 * hour, to: hour))
        == [0, hour, 23 * hour, 24 * hour, 25 * hour])
  }

  @Test("Times of day before 1970 count from midnight too")
  func before1970() {
    var points = PointColumns()
    // 1969-12-31, 23:59:59 and 12:00.
    for seconds in [-1, -43_200] {
      points.append(
        Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: Int64(seconds) * 1_000_000))
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), points), [CropStage(.timesOfDay(from: 82_800, to: 86_399))])
    #expect(run.lines[0].times == [-1_000_000])
  }

  @Test("Trackpoints without a time go and are said; places without one stay")
  func untimed() {
    let run = StageRun(
      [
        .header, .event(.waypoint(.place("in", 0, 0, seconds: 5))),
        .event(.waypoint(.place("out", 0, 0, seconds: 50))), .event(.waypoint(.place("place", 0, 0))),
      ] + StreamItem.route(TrackInfo(), .equator(seconds: [nil, nil, 50]))
        + StreamItem.track(TrackInfo(), .equator(seconds: [nil, 4, 40]), .equator(seconds: [nil])),
      [CropStage(.instants(from: .test(0), to: .test(10)))])
    #expect(run.waypoints.map(\.details.name) == ["in", "place"])
    #expect(run.lines.map(\.seconds) == [[nil, nil], [4], []])
    #expect(run.summary == "crop: 5 of 10 points left out, 2 of them without a time")
  }

  @Test("Where all stays nothing is said")
  func all() {
    let items = [.header] + StreamItem.track(TrackInfo(), .equator(seconds: [1, 2]))
    let run = StageRun(items, [CropStage(.instants(from: nil, to: nil))])
    #expect(run.items == items)
    #expect(run.summary == nil)
  }
}
