import Foundation
import GhostModel
import Testing
import TrackModel

@Suite("Track error as a localized error")
struct LocalizedErrorTests {
  private let error: any Error = TrackError(
    .invalidValue, "invalid time", file: "ride.gpx", place: Place(line: 12, path: "gpx/trk"),
    offendingText: "noon", suggestion: .provideDuration)

  @Test("The description is the line without the suggestion, which is a sentence of its own")
  func parts() throws {
    let localized = try #require(error as? any LocalizedError)
    #expect(localized.errorDescription == #"ride.gpx:12: invalid time: "noon" (gpx/trk)"#)
    #expect(localized.failureReason == "invalid time")
    #expect(localized.recoverySuggestion == "give the duration")
  }

  @Test("Foundation shows the description")
  func localizedDescription() {
    #expect(error.localizedDescription == #"ride.gpx:12: invalid time: "noon" (gpx/trk)"#)
  }

  @Test("Without a suggestion there is none")
  func withoutSuggestion() {
    #expect(TrackError(.noTracks, "no tracks").recoverySuggestion == nil)
  }
}
