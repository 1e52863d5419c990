import Testing
import TrackTransforms

@testable import ghost_convert

@Suite("Options of cleaning")
struct CleaningOptionsTests {
  @Test("A range of times of day is read", arguments: ["6:30..6:35", "06:30..06:35", "6:30:00..6:35:00"])
  func crop(text: String) throws {
    #expect(try CleaningOptions.crop(text) == .timesOfDay(from: 23_400, to: 23_700))
  }

  @Test(
    "A step is a duration or, with a unit of length, a distance",
    arguments: [
      ("1:00", ResampleStage.Step.seconds(60)), ("2", .seconds(2)), ("1s", .seconds(1)),
      ("0.5s", .seconds(0.5)), ("1min", .seconds(60)), ("1h30", .seconds(5400)), ("10m", .metres(10)),
      ("0.5km", .metres(500)),
    ])
  func steps(text: String, step: ResampleStage.Step) throws {
    #expect(try CleaningOptions.step(text) == step)
  }

  @Test("Invalid steps are rejected", arguments: ["", "0", "0s", "0m", "-1", "1x"])
  func noSteps(text: String) {
    #expect(throws: (any Error).self) { try CleaningOptions.step(text) }
  }
}
