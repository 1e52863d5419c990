import BulkImport
import TrackModel

extension JSONValue {
  /// Returns an error with a hint about the relevant options.
  static func error(_ error: TrackError) -> JSONValue { .error(error, hint: error.advice) }

  /// Returns the record of an input that cannot be read, or of a command that failed.
  static func failure(_ error: TrackError, of path: String?) -> JSONValue {
    .object([
      ("source", path.map { .string(InputPath.name($0)) } ?? .null), ("state", .string("failed")),
      ("error", .error(error)),
    ])
  }
}
