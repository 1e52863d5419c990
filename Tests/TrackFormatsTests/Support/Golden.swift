import Foundation
import Testing
import TrackModel

/// Golden transcripts beside fixtures.
enum Golden {
  /// `UPDATE_GOLDEN=1` writes what is read as what is expected; look at the difference before you keep it.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  /// Compares what was read of a fixture with the `.events` beside it, or its error with the `.error`.
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
