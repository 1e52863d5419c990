import GhostModel
import TrackArchives
package import TrackModel

extension FileImport.Message {
  /// Returns the message as the record of an input, with names that scripts rely on, or nil if it is not an
  /// outcome.
  ///
  /// - Parameter hint: returns the suggestion for an error.
  package func record(hint: (TrackError) -> String?) -> JSONValue? {
    func record(_ source: String, _ state: String, _ members: [(String, JSONValue)]) -> JSONValue {
      .object([("source", .string(source)), ("state", .string(state))] + members)
    }
    switch self {
    case .imported(let drive, let output, let source):
      return .object(
        [("source", .string(source)), ("output", .string(output))] + drive.members
          + [("state", .string("imported"))])
    case .duplicate(let imported, let known, let source):
      let drive = imported.drive
      return record(
        source, "duplicate",
        [
          ("duplicate_of", .string(known)), ("name", .string(drive.name)),
          ("start_time", .time(drive.startTime)), ("duration_s", .number(drive.duration)),
        ])
    case .skipped(let reason, let source):
      return record(
        source, "skipped", [("reason", .string(reason.code)), ("message", .string(reason.text))])
    case .failure(let error, let source, _, _):
      return record(source, "failed", [("error", .error(error, hint: hint(error)))])
    case .extending, .simultaneous, .nameTaken, .summaries, .warnings, .opened: return nil
    }
  }
}
