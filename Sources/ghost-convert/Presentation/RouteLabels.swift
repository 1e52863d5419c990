import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the drives of a route are called, each differently: they tend to have the same name, so it is when
/// they began.
enum RouteLabels {
  /// - Returns: one per drive: the day; where several have it, with the time; if that is not enough, or there
  ///   is no start, with the beginning of the id.
  static func labels(_ drives: [(id: UUID, start: Instant?)], identifierLength: Int) -> [String] {
    func identifier(_ id: UUID) -> String { String(id.uuidString.prefix(identifierLength)) }
    let days = drives.map { day($0.start) ?? identifier($0.id) }
    let moments = distinct(days) { drives[$0].start.map(LocalTime.minute) ?? days[$0] }
    return distinct(moments) { "\(moments[$0]) \(identifier(drives[$0].id))" }
  }

  /// The labels, with longer ones for those that several have.
  private static func distinct(_ labels: [String], _ longer: (Int) -> String) -> [String] {
    var counts: [String: Int] = [:]
    for label in labels { counts[label, default: 0] += 1 }
    return labels.indices.map { counts[labels[$0], default: 0] > 1 ? longer($0) : labels[$0] }
  }

  /// `2026-11-20`, in the zone that times are shown in.
  static func day(_ instant: Instant?) -> String? { instant.map { String(LocalTime.minute($0).prefix(10)) } }
}
