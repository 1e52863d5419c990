import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct KindStageTests {
  private func info(_ name: String, _ type: String?) -> TrackInfo {
    var info = TrackInfo(name: name)
    info.type = type
    return info
  }

  private let points = PointColumns.equator(seconds: [0, 1])

  @Test("Tracks of other kinds or without a kind are removed; routes and waypoints are kept")
  func kinds() {
    let waypoint = StreamItem.event(.waypoint(.place("here", 0, 0)))
    let route = StreamItem.route(info("plan", "hiking"), points)
    let items =
      [.header, waypoint] + StreamItem.track(info("a", "driving"), points) + route
      + StreamItem.track(info("b", "cycling"), points, points) + [.extensions("file")]
      + StreamItem.track(info("c", nil), points) + StreamItem.track(info("d", "Driving"), PointColumns())
    let run = StageRun(items, [KindStage(["DRIVING"])])
    #expect(
      run.items == [.header, waypoint] + StreamItem.track(info("a", "driving"), points) + route
        + [.extensions("file")] + StreamItem.track(info("d", "Driving"), PointColumns()))
    #expect(run.summary == "kind: 2 of 4 tracks removed")
  }

  @Test(
    "Every spelling of driving is accepted",
    arguments: [
      "IN_PASSENGER_VEHICLE", "in passenger vehicle", "In-Vehicle", "inPassengerVehicle",
      "IN_FOUR_WHEELER_VEHICLE",
      "MOTORCYCLING", "Driving", "car",
    ])
  func driving(type: String) {
    let items = [.header] + StreamItem.track(info("a", type), points)
    let run = StageRun(items, [KindStage(KindStage.driving)])
    #expect(run.items == items)
    #expect(run.summary == nil)
  }

  @Test(
    "Names of activities in other languages belong to their groups",
    arguments: [
      ("cycling", "Radfahrt"), ("cycling", "ライド"), ("cycling", "Jazda na rowerze"), ("running", "Забег"),
      ("running", "跑步"), ("cycling", "Sortie à vélo"), ("cycling", "Gravel-Fahrt"), ("running", "Lauf"),
      ("running", "Course à pied"), ("walking", "Spaziergang"), ("hiking", "Randonnée"),
    ])
  func languages(group: String, kind: String) {
    #expect(KindStage.kinds(KindStage.kinds(group), contain: kind))
    let others = KindStage.groups.keys.filter { $0 != group }
    #expect(others.allSatisfy { !KindStage.kinds(KindStage.kinds($0), contain: kind) })
  }

  @Test("Other kinds do not match driving", arguments: ["IN_TRAIN", "WALKING", "cycling", "", "cardio"])
  func other(type: String) {
    let run = StageRun([.header] + StreamItem.track(info("a", type), points), [KindStage(KindStage.driving)])
    #expect(run.items == [.header])
    #expect(run.summary == "kind: 1 of 1 track removed")
  }

  @Test("A kind that is delivered late applies to the whole track")
  func late() {
    func track(_ type: String) -> [StreamItem] {
      [.event(.beginTrack(TrackInfo(name: type)))] + StreamItem.segment(points)
        + [.late(info("more", nil)), .late(info("late", type))] + StreamItem.segment(points)
        + [.event(.endTrack)]
    }
    let run = StageRun([.header] + track("walking") + track("driving"), [KindStage(["driving"])])
    #expect(run.items == [.header] + track("driving"))
    #expect(run.summary == "kind: 1 of 2 tracks removed")
  }

  @Test("A known kind replaces the kind in the file")
  func known() {
    let items = [.header] + StreamItem.track(info("a", "cycling"), points)
    func kept(_ kind: String, knowing known: String?) -> [StreamItem] {
      StageRun(items, [KindStage([kind]).knowing(known)]).items
    }
    #expect(kept("running", knowing: "Running") == items)
    #expect(kept("cycling", knowing: "Running") == [.header])
    #expect(kept("cycling", knowing: nil) == items)
    let late =
      [.header, .event(.beginTrack(TrackInfo(name: "a")))] + StreamItem.segment(points)
      + [.late(info("late", "cycling")), .event(.endTrack)]
    #expect(StageRun(late, [KindStage(["running"]).knowing("Running")]).items == late)
  }
}
