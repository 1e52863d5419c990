import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import LiveReceivers

@Suite("Recording sessions")
struct RecordingSessionTests {
  private static let log = """
    $GPRMC,101500.00,A,4630.000,N,00730.000,E,10.0,90.0,170524,,,A*53\r
    $GPRMC,101530.00,A,4630.000,N,00730.100,E,10.0,90.0,170524,,,A*51\r

    """

  private static func session(_ folder: TemporaryFolder, _ path: String) throws -> RecordingSession {
    RecordingSession(
      .file(path) { input throws(TrackError) in NMEAReader(input) }, clock: nil,
      checkpoint: try AppendedFile(new: folder.file("checkpoint")))
  }

  @Test("A log is recorded with its own times, and its checkpoints restore it")
  func log() throws {
    let folder = try TemporaryFolder()
    var session = try Self.session(folder, try folder.write(Self.log, to: "log.nmea"))
    var updates = 0
    let failure = session.run(until: { false }) { notice, _ in if case .updated = notice { updates += 1 } }
    #expect(failure == nil)
    #expect(updates >= 2)
    #expect(session.recorder.duration == 30)
    try session.checkTimes()
    #expect(session.writeLastCheckpoint { _, _ in })
    try session.writeCheckpoint(to: AppendedFile(new: folder.file("other")))
    for name in ["checkpoint", "other"] {
      let bytes = Array(try folder.data(name))
      #expect(try RecorderJournal.recover(from: bytes).recorder.route.count == session.recorder.route.count)
    }
  }

  @Test("A session ends when it is asked to, and names a source that cannot be read")
  func ends() throws {
    let folders = (try TemporaryFolder(), try TemporaryFolder())
    let missing = folders.0.file("missing")
    var stopped = try Self.session(folders.0, missing)
    #expect(stopped.run(until: { true }) { _, _ in } == nil)
    var session = try Self.session(folders.1, missing)
    #expect(session.run(until: { false }) { _, _ in }?.file == missing)
  }
}
