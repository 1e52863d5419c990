import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds drives that were there before: the same drive comes from the archives of two services, or from a copy of a
/// file.
///
/// Two drives are one where they began within 5 s of each other, took the same time within 2 %, and went the same road
/// (``RoadSketch``). Drives without a start are one only where their content is the same.
public struct DriveDuplicates: Sendable {
  private struct Known: Sendable {
    var start: Instant
    var duration: Double
    var sketch: RoadSketch
    var label: String
  }

  /// By start, in steps of the tolerance.
  private var timed: [Int64: [Known]] = [:]
  private var untimed: [UUID: String] = [:]

  /// Seconds.
  private static let startTolerance = 5.0
  /// Of the longer one.
  private static let durationTolerance = 0.02

  public init() {}

  /// Looks whether a drive is there already, and remembers it where it is not.
  ///
  /// - Parameters:
  ///   - sketch: the road of the drive.
  ///   - label: what to call it when it is found again.
  /// - Returns: the label of the drive that this one is a duplicate of, the first one that was added; nil for a new
  ///   one.
  /// - Complexity: O(1) for drives that began at other times.
  public mutating func add(_ drive: Drive, _ sketch: RoadSketch, label: String) -> String? {
    guard let start = drive.startTime else {
      if let known = untimed[drive.id] { return known }
      untimed[drive.id] = label
      return nil
    }
    let bucket = Int64((Double(start.microseconds) / 1e6 / DriveDuplicates.startTolerance).rounded(.down))
    for near in (bucket - 1)...(bucket + 1) {
      for known in timed[near] ?? [] where isSame(known, start, drive.duration, sketch) { return known.label }
    }
    timed[bucket, default: []].append(
      Known(start: start, duration: drive.duration, sketch: sketch, label: label))
    return nil
  }

  private func isSame(_ known: Known, _ start: Instant, _ duration: Double, _ sketch: RoadSketch) -> Bool {
    abs(known.start.seconds(since: start)) <= DriveDuplicates.startTolerance
      && abs(known.duration - duration) <= DriveDuplicates.durationTolerance * max(known.duration, duration)
      && known.sketch.isSameRoad(as: sketch)
  }
}
