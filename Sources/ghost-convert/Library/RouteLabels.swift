import DriveLibrary
import GhostModel
import TrackModel

/// What the drives of a route are called, each differently: they tend to have the same name, so it is when they began.
enum RouteLabels {
  /// - Returns: one per drive: the day; where several have it, with the time in UTC; where that is not enough, or there is
  ///   no start, with the beginning of the id.
  static func labels(_ drives: [LibraryDrive]) -> [String] {
    var labels = drives.map { day($0.startTime) ?? shortIdentifier($0) }
    distinguish(&labels) { drives[$0].startTime.map { moment($0) } ?? labels[$0] }
    distinguish(&labels) { drives[$0].startTime == nil ? labels[$0] : "\(labels[$0]) \(shortIdentifier(drives[$0]))" }
    distinguish(&labels) { drives[$0].id.uuidString }
    return labels
  }

  private static func distinguish(_ labels: inout [String], _ longer: (Int) -> String) {
    var counts: [String: Int] = [:]
    for label in labels { counts[label, default: 0] += 1 }
    let next = labels.indices.map { counts[labels[$0], default: 0] > 1 ? longer($0) : labels[$0] }
    labels = next
  }

  static func shortIdentifier(_ drive: LibraryDrive) -> String { String(drive.id.uuidString.prefix(8)) }

  /// `2026-11-20`, in UTC.
  static func day(_ instant: Instant?) -> String? {
    instant.map { String(ISO8601.text($0, decimals: 0).prefix(10)) }
  }

  /// `2026-11-20 06:12Z`.
  static func moment(_ instant: Instant) -> String {
    let text = ISO8601.text(instant, decimals: 0)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))Z"
  }
}
