public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Creates unique labels for drives of a library. The names of the drives of a route are often the same, so
/// labels are based on the start time.
public enum DriveLabels {
  /// Returns a label for each drive: the day, extended by the time if several drives have the same day, or
  /// by the prefix of the id if that is not unique or there is no start.
  ///
  /// - Parameters:
  ///   - drives: the ids and the starts.
  ///   - identifierLength: the number of characters of an id that distinguish it.
  ///   - minute: formats a start so that its first ten characters are the day.
  public static func labels(
    _ drives: [(id: UUID, start: Instant?)], identifierLength: Int, minute: (Instant) -> String
  ) -> [String] {
    func identifier(_ id: UUID) -> String { String(id.uuidString.prefix(identifierLength)) }
    let days = drives.map { $0.start.map { String(minute($0).prefix(10)) } ?? identifier($0.id) }
    let moments = distinct(days) { drives[$0].start.map(minute) ?? days[$0] }
    return distinct(moments) { "\(moments[$0]) \(identifier(drives[$0].id))" }
  }

  /// Returns the labels, with duplicates replaced by longer ones.
  private static func distinct(_ labels: [String], _ longer: (Int) -> String) -> [String] {
    var counts: [String: Int] = [:]
    for label in labels { counts[label, default: 0] += 1 }
    return labels.indices.map { counts[labels[$0], default: 0] > 1 ? longer($0) : labels[$0] }
  }
}
