import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Creates unique labels for the drives of a route. Their names are often the same, so labels are based on
/// the start time.
enum RouteLabels {
  /// Returns a label for each drive: the day, extended by the time if several drives have the same day, or
  /// by the prefix of the id if that is not unique or there is no start.
  static func labels(_ drives: [(id: UUID, start: Instant?)], identifierLength: Int) -> [String] {
    func identifier(_ id: UUID) -> String { String(id.uuidString.prefix(identifierLength)) }
    let days = drives.map { day($0.start) ?? identifier($0.id) }
    let moments = distinct(days) { drives[$0].start.map(LocalTime.minute) ?? days[$0] }
    return distinct(moments) { "\(moments[$0]) \(identifier(drives[$0].id))" }
  }

  /// Returns the labels, with duplicates replaced by longer ones.
  private static func distinct(_ labels: [String], _ longer: (Int) -> String) -> [String] {
    var counts: [String: Int] = [:]
    for label in labels { counts[label, default: 0] += 1 }
    return labels.indices.map { counts[labels[$0], default: 0] > 1 ? longer($0) : labels[$0] }
  }

  /// Returns `2026-11-20`, in the time zone of the output.
  static func day(_ instant: Instant?) -> String? { instant.map { String(LocalTime.minute($0).prefix(10)) } }
}
