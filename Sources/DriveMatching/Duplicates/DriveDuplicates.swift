public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds drives that were there before: the same drive comes from the archives of two services, or from a
/// copy of a file, or another device has recorded the same ride.
///
/// Drives are compared by place and time (``RideMatch``). Drives without a start are duplicates only if their
/// content is the same. A copy that has more of the ride than the known recordings is not a duplicate, so
/// that nothing is lost.
public struct DriveDuplicates: Sendable {
  /// What a drive is to those that were there.
  public enum Finding: Sendable, Hashable {
    case new
    /// Nothing that is not there; with the label of what is.
    case duplicate(of: String)
    /// The same recording as one that is there, with more of the ride.
    case `extension`(of: String)
    /// Another recording of a ride that is there.
    case simultaneous(with: String)
    /// Another person's recording of the same way.
    case companion(of: String)
  }

  private struct Known: Sendable {
    var start: Instant
    var hasTimestamps: Bool
    /// The rows of its fixes in the columns.
    var fixes: Range<Int>
    var label: String
  }

  /// In the order in which they were added.
  private var known: [Known] = []
  // The fixes of all of them in one array: a small array for each drive would stay in the middle of
  // what the import takes and gives back, and keep that from being used again.
  private var elapsed: [Float] = []
  private var latitudes: [Int32] = []
  private var longitudes: [Int32] = []
  /// The drives that were under way in each hour since 1970.
  private var hours: [Int64: [Int32]] = [:]
  private var untimed: [UUID: String] = [:]
  private var forgotten: Set<String> = []

  /// Fixes that are kept of a drive.
  private static let fixLimit = 512
  /// Of a drive that goes on for longer, the first hours are looked at.
  private static let hourLimit: Int64 = 72
  /// Seconds between the starts of two copies without times for their points, and parts of the longer one by
  /// which their durations differ.
  public static let startTolerance = 5.0
  private static let durationTolerance = 0.02

  public init() {}

  /// Looks whether a drive is there already, and remembers it where it is not.
  ///
  /// - Parameters:
  ///   - sketch: where the drive was when; nil where it does not say.
  ///   - label: what to call it when it is found again.
  /// - Complexity: O(fixes) for drives that were made at other times.
  public mutating func add(_ drive: Drive, _ sketch: RideSketch?, label: String) -> Finding {
    guard let sketch, drive.startTime != nil else {
      if let known = untimed[drive.id], !forgotten.contains(known) { return .duplicate(of: known) }
      untimed[drive.id] = label
      return .new
    }
    let finding = finding(sketch)
    if case .duplicate = finding { return finding }
    remember(sketch.thinned(to: Self.fixLimit), label)
    return finding
  }

  /// The first drive that is a copy, else the first with part of the recording, else the first of the same
  /// ride, else the first companion.
  private func finding(_ sketch: RideSketch) -> Finding {
    var candidates: Set<Int32> = []
    for hour in Self.hours(of: sketch) { candidates.formUnion(hours[hour] ?? []) }
    var part: String?
    var simultaneous: String?
    var companion: String?
    for index in candidates.sorted() {
      let label = known[Int(index)].label
      let other = self.sketch(of: known[Int(index)])
      guard !forgotten.contains(label), let match = RideMatch(other, sketch) else { continue }
      switch match.relation {
      case .duplicate where sketch.isCovered(by: other): return .duplicate(of: label)
      case .duplicate: part = part ?? label
      case .simultaneous: simultaneous = simultaneous ?? label
      case .companion: companion = companion ?? label
      }
    }
    return part.map { .extension(of: $0) } ?? simultaneous.map { .simultaneous(with: $0) }
      ?? companion.map { .companion(of: $0) } ?? .new
  }

  private mutating func remember(_ sketch: RideSketch, _ label: String) {
    let fixes = elapsed.count..<(elapsed.count + sketch.count)
    elapsed += sketch.elapsed
    latitudes += sketch.latitudes
    longitudes += sketch.longitudes
    guard let number = Int32(exactly: known.count) else { return }
    known.append(
      Known(start: sketch.start, hasTimestamps: sketch.hasTimestamps, fixes: fixes, label: label))
    for hour in Self.hours(of: sketch) { hours[hour, default: []].append(number) }
  }

  private func sketch(of known: Known) -> RideSketch {
    RideSketch(
      start: known.start, hasTimestamps: known.hasTimestamps, elapsed: Array(elapsed[known.fixes]),
      latitudes: Array(latitudes[known.fixes]), longitudes: Array(longitudes[known.fixes]))
  }

  /// The hours of a drive, with the seconds before and after it in which a copy may begin.
  private static func hours(of sketch: RideSketch) -> ClosedRange<Int64> {
    let start = Double(sketch.start.microseconds) / 1e6
    let first = Int64(((start - startTolerance) / 3600).rounded(.down))
    let last = Int64(((start + sketch.duration + startTolerance) / 3600).rounded(.down))
    return first...min(last, first + hourLimit)
  }

  /// Forgets all drives of a label: they are not there after all, or another copy may have more of them.
  public mutating func forget(_ label: String) { forgotten.insert(label) }

  /// Whether start and duration (in seconds) let two drives be one; then their roads decide.
  public static func mayBeSame(
    _ first: (start: Instant, duration: Double), _ second: (start: Instant, duration: Double)
  ) -> Bool {
    abs(first.start.seconds(since: second.start)) <= startTolerance
      && abs(first.duration - second.duration) <= durationTolerance * max(first.duration, second.duration)
  }
}
