import BulkImport
import TrackModel

extension JSONValue {
  /// An error with the options that may help.
  static func error(_ error: TrackError) -> JSONValue { .error(error, hint: error.suggestion?.advice) }

  /// The record of an input that cannot be read.
  static func failure(_ error: TrackError, of path: String) -> JSONValue {
    .object([
      ("source", .string(InputPath.name(path))), ("state", .string("failed")), ("error", .error(error)),
    ])
  }
}
