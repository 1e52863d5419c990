import TrackModel

/// The memory for content that a reader keeps until its container is delivered: extensions, links and laps.
///
/// Without a budget, a small compressed file could exhaust the memory. Sizes are estimates that are never
/// below the actual sizes.
struct KeptBudget {
  /// The container that content belongs to.
  enum Level: Int {
    case file
    /// A track or route with its segments.
    case track
    case point
    /// Waypoints that are delivered after their track.
    case waiting
    /// A container whose content is not kept.
    case dropped
  }

  /// The size of an element, an attribute, a link or a lap without its text, in bytes.
  static let entrySize = 128

  private let limits: ReadingLimits
  private var used = [5 of Int](repeating: 0)
  /// The size of the details of the points in the current batch, in bytes.
  private var batchSize = 0

  /// The message of the warning about omitted content or waypoints.
  let message: String
  let waitingMessage: String

  init(_ limits: ReadingLimits) {
    self.limits = limits
    message =
      "more than \(ReadingLimits.text(size: limits.keptSize)) of extensions, links or laps in one place,"
      + " the rest ignored"
    waitingMessage =
      "more than \(ReadingLimits.text(size: limits.waitingSize)) of waypoints in one track, the rest skipped"
  }

  /// Whether the batch should be delivered before it has all its rows.
  var isBatchFull: Bool { batchSize >= limits.keptSize }

  /// The memory that is reserved for the current point.
  var pointSize: Int { used[Level.point.rawValue] }

  mutating func beginBatch() { batchSize = 0 }

  /// Counts details of a point that replace each other and therefore require no separate limit.
  mutating func addToBatch(_ size: Int) { batchSize += size }

  /// Reserves memory in a container.
  ///
  /// - Returns: false, without reserving anything, if the container's budget is exceeded.
  mutating func reserve(_ size: Int, at level: Level) -> Bool {
    let limit = level == .waiting ? limits.waitingSize : limits.keptSize
    guard used[level.rawValue] + size <= limit else { return false }
    used[level.rawValue] += size
    if level == .point { batchSize += size }
    return true
  }

  /// Releases memory whose content was discarded.
  mutating func release(_ size: Int, at level: Level) {
    used[level.rawValue] -= size
    if level == .point { batchSize -= size }
  }

  /// Begins a new container.
  mutating func begin(_ level: Level) { used[level.rawValue] = 0 }
}
