public import TrackModel

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
    /// Where its cells stand in `cells`.
    var cells: Range<Int>
    var label: String
    /// The drive before it that began in the same step of time.
    var previous: Int?
  }

  /// In the order in which they were added.
  private var known: [Known] = []
  /// The roads of all of them, one behind the other: a small array for each drive would stay in the middle of what
  /// the import takes and gives back, and keep that from being used again.
  private var cells: [Int64] = []
  /// The last drive of each step of time, as long as the tolerance.
  private var timed: [Int64: Int] = [:]
  private var untimed: [UUID: String] = [:]
  private var forgotten: Set<String> = []

  /// Seconds.
  public static let startTolerance = 5.0
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
      if let known = untimed[drive.id], !forgotten.contains(known) { return known }
      untimed[drive.id] = label
      return nil
    }
    let bucket = Int64((Double(start.microseconds) / 1e6 / DriveDuplicates.startTolerance).rounded(.down))
    for near in (bucket - 1)...(bucket + 1) {
      var index = timed[near]
      var first: Int?
      while let place = index {
        if !forgotten.contains(known[place].label), isSame(known[place], start, drive.duration, sketch) {
          first = place
        }
        index = known[place].previous
      }
      if let first { return known[first].label }
    }
    let place = cells.count..<(cells.count + sketch.cells.count)
    cells += sketch.cells
    known.append(
      Known(start: start, duration: drive.duration, cells: place, label: label, previous: timed[bucket]))
    timed[bucket] = known.count - 1
    return nil
  }

  /// Forgets all drives of a label: they are not there after all, or another copy may have more of them.
  public mutating func forget(_ label: String) { forgotten.insert(label) }

  private func isSame(_ known: Known, _ start: Instant, _ duration: Double, _ sketch: RoadSketch) -> Bool {
    DriveDuplicates.mayBeSame((known.start, known.duration), (start, duration))
      && RoadSketch(cells: Array(cells[known.cells])).isSameRoad(as: sketch)
  }

  /// Whether start and duration (in seconds) let two drives be one; then their roads decide.
  public static func mayBeSame(
    _ first: (start: Instant, duration: Double), _ second: (start: Instant, duration: Double)
  ) -> Bool {
    abs(first.start.seconds(since: second.start)) <= startTolerance
      && abs(first.duration - second.duration) <= durationTolerance * max(first.duration, second.duration)
  }
}
