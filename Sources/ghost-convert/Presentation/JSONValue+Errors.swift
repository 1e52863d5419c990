import BulkImport
import TrackModel

extension JSONValue {
  /// Returns an error with a hint about the relevant options.
  static func error(_ error: TrackError) -> JSONValue { .error(error, hint: error.advice) }

  /// Returns the record of an input that cannot be read.
  static func failure(_ error: TrackError, of path: String) -> JSONValue {
    .object([
      ("source", .string(InputPath.name(path))), ("state", .string("failed")), ("error", .error(error)),
    ])
  }
}
