import TrackArchives
import TrackFormats
package import TrackModel

extension ContainerSummary {
  /// Returns the summary as a JSON object, with names that scripts rely on.
  ///
  /// - Parameter hint: returns the suggestion for an error.
  package func json(hint: @escaping @Sendable (TrackError) -> String?) -> JSONValue {
    var members = sums.members
    if let index = members.firstIndex(where: { $0.0 == "warnings" }) {
      members[index].1 = .warnings(warnings)
    }
    return .object(
      members + [
        ("export", services.isEmpty ? .null : .string(services.joined(separator: ", "))),
        ("inputs", .integer(inputs)), ("inputs_found", .integer(count)),
        ("inputs_with_tracks", .integer(withTracks)),
        ("formats", .object(formats.map { ($0.name, .integer($0.count)) })),
        ("duplicates", .integer(duplicateCount)), ("simultaneous", .integer(simultaneousCount)),
        ("inputs_without_drive", .integer(withoutDrive)),
        ("earliest_time", .time(earliest)), ("latest_time", .time(latest)),
        (
          "skipped",
          .array(
            skipped.map {
              .object([
                ("reason", .string($0.reason.code)), ("message", .string($0.reason.text)),
                ("count", .integer($0.count)),
              ])
            })
        ),
        (
          "failed",
          .elements { [failures] add in
            for (path, error) in failures {
              add(.object([("source", .string(path)), ("error", .error(error, hint: hint(error)))]))
            }
          }
        ),
      ])
  }
}
