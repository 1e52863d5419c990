import GhostModel
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
final class InputReport {
  private let file: LineFile?
  private(set) var status = ExitStatus.success

  /// - Throws: where the report cannot be made.
  init(_ path: String?) throws(TrackError) {
    file = try path.map { path throws(TrackError) in try LineFile.report(path) }
  }

  func add(_ records: [InputRecord]) {
    guard let file, status == ExitStatus.success else { return }
    do throws(TrackError) { try file.append(records.map(\.line).joined()) } catch { fail(error) }
  }

  /// The report is whole.
  func finish() {
    guard let file, status == ExitStatus.success else { return }
    do throws(TrackError) { try file.finish() } catch { fail(error) }
  }

  private func fail(_ error: TrackError) {
    Console.report(error)
    status = ExitStatus.of(error)
  }
}
