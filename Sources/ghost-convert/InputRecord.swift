import GhostModel
import Synchronization
import TrackFormats
import TrackModel

/// What became of an input, for `--report` and for scripts: one JSON object on a line.
struct InputRecord: Sendable {
  enum State: String {
    case imported
    case converted
    case alreadyThere = "already there"
    case duplicate
    case skipped
    case failed
  }

  /// What people call the input.
  var source: String
  var state: State
  /// One of a few words for scripts.
  var reason: String?
  /// The same for people.
  var message: String?
  var error: TrackError?
  /// The identifiers of the drives that are there for it.
  var drives: [String] = []
  var duplicateOf: String?
  /// The input that the drive came from which this is a duplicate of.
  var duplicateSource: String?
  var outputs: [String] = []
  var identity: ContentIdentity?
  var format: String?

  init(_ source: String, _ state: State) {
    self.source = source
    self.state = state
  }

  init(_ source: String, skipped reason: SkipReason) {
    self.init(source, .skipped)
    self.reason = reason.code
    message = reason.text
  }

  init(_ source: String, failed error: TrackError) {
    self.init(source, .failed)
    reason = error.code.description
    message = error.message
    self.error = error
  }

  /// The same once it is known whether its output was written.
  func written(_ output: String?) -> InputRecord {
    var record = self
    if let output {
      record.outputs = [output]
    } else if state == .converted {
      record.state = .failed
      record.reason = TrackError.Code.unwritable.description
      record.message = "the output was not written"
    }
    return record
  }

  /// With its line feed.
  var line: String {
    var members: [(String, JSONValue)] = [("source", .string(source)), ("state", .string(state.rawValue))]
    if let reason { members.append(("reason", .string(reason))) }
    if let message { members.append(("message", .string(message))) }
    if let error { members.append(("error", .error(error))) }
    if !drives.isEmpty || state == .imported {
      members.append(("drives", .array(drives.map { .string($0) })))
    }
    if let duplicateOf { members.append(("duplicate_of", .string(duplicateOf))) }
    if let duplicateSource { members.append(("duplicate_of_source", .string(duplicateSource))) }
    if !outputs.isEmpty { members.append(("outputs", .array(outputs.map { .string($0) }))) }
    if let identity {
      members.append(("hash", .string(identity.hash.description)))
      members.append(("size", .integer(identity.size)))
    }
    if let format { members.append(("format", .string(format))) }
    return FileName.shown(JSONValue.object(members).text) + "\n"
  }
}

/// Where the lines of a report go, if anywhere. What cannot be written is said once.
final class InputReport: Sendable {
  private let file: LineFile?
  private let state = Mutex(ExitStatus.success)

  /// - Throws: where the report cannot be made.
  init(_ path: String?) throws(TrackError) {
    if let path { file = try LineFile.report(path) } else { file = nil }
  }

  /// Whether somebody wants it.
  var isWanted: Bool { file != nil }
  /// That of a failure to write.
  var status: Int32 { state.withLock { $0 } }

  func add(_ records: [InputRecord]) {
    perform { file throws(TrackError) in try file.append(records.map(\.line).joined()) }
  }

  /// The report is whole.
  func finish() { perform { file throws(TrackError) in try file.finish() } }

  private func perform(_ body: (LineFile) throws(TrackError) -> Void) {
    guard let file, status == ExitStatus.success else { return }
    do throws(TrackError) { try body(file) } catch {
      Console.report(error)
      state.withLock { $0 = ExitStatus.of(error) }
    }
  }
}
