import Foundation
import Testing
import TrackModel

/// Golden transcripts next to fixtures.
enum Golden {
  /// Set `UPDATE_GOLDEN=1` to update the golden transcripts; review the difference before committing.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  /// Compares the transcript of a fixture with its `.events` file, or the error with its `.error` file.
  static func expect(_ transcript: Transcript, of fixture: Fixture) throws {
    #expect(transcript.violations == [])
    let events = fixture.sibling("events")
    let error = fixture.sibling("error")
    let (file, text) =
      transcript.error.map { (error, "\($0.code): \($0)\n") } ?? (events, transcript.text)
    if updates {
      try? FileManager.default.removeItem(at: events)
      try? FileManager.default.removeItem(at: error)
      try Data(text.utf8).write(to: file)
      return
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }
}
