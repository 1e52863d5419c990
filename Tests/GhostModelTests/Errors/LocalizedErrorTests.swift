import Foundation
import GhostModel
import Testing
import TrackModel

@Suite("Track error as a localized error")
struct LocalizedErrorTests {
  private let error: any Error = TrackError(
    .invalidValue, "invalid time", file: "ride.gpx", place: InputLocation(line: 12, path: "gpx/trk"),
    offendingText: "noon", suggestion: .provideDuration)

  @Test("The description does not include the suggestion, which is a separate sentence")
  func parts() throws {
    let localized = try #require(error as? any LocalizedError)
    #expect(localized.errorDescription == #"ride.gpx:12: invalid time: "noon" (gpx/trk)"#)
    #expect(localized.failureReason == "invalid time")
    #expect(localized.recoverySuggestion == "give the duration")
  }

  @Test("Foundation returns the description")
  func localizedDescription() {
    #expect(error.localizedDescription == #"ride.gpx:12: invalid time: "noon" (gpx/trk)"#)
  }

  @Test("An error without a suggestion has no recovery suggestion")
  func withoutSuggestion() {
    #expect(TrackError(.noTracks, "no tracks").recoverySuggestion == nil)
  }
}
