public import TrackModel

/// Finds the problems in a stream of tracks that an import reports: isolated fixes at 0°, 0°, times out of
/// order, repeated points, long gaps and impossible speeds.
///
/// Uses constant memory. A section therefore counts as a repetition if it begins like the track, and each
/// step back in time counts once.
public struct TrackCensus {
  private var search = NullIslandSearch()
  private var order = TimeOrder()
  private var gaps = LongGaps()
  private var steps = FastSteps()
  /// The warnings about the gaps and the speeds of complete tracks.
  private var doubts: [TrackWarning] = []
  private let isLeftOut: Bool
  /// Whether the stream has all points of the source. Otherwise the order of the rest does not show whether
  /// the tracks should be reversed.
  public var hasAllPoints = true

  /// Creates a census without points.
  ///
  /// - Parameter isLeftOut: whether the output omits these points, as a drive does. Gaps and speeds are then
  ///   reported with the drive.
  public init(isLeftOut: Bool = false) { self.isLeftOut = isLeftOut }

  /// Processes the next event.
  public mutating func add(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    switch event {
    case .beginTrack, .beginRoute:
      order.begin()
      gaps = LongGaps()
      steps = FastSteps()
    case .beginSegment:
      gaps.beginSegment()
      steps.beginSegment()
    case .points:
      let latitudes = batch.latitudes
      let longitudes = batch.longitudes
      let times = batch.times
      // One loop per search, because nearly all rows are alike for each of them.
      search.add(latitudes, longitudes)
      order.add(times, latitudes, longitudes)
      guard !isLeftOut else { return }
      gaps.add(times)
      steps.add(times, latitudes, longitudes, ignoringNullIsland: true)
    case .endTrack, .endRoute:
      search.finish()
      add(gaps.warning(.splitAtGaps(seconds: Int(LongGaps.limit / 1_000_000))))
      add(steps.warning(.dropSpikes))
    default: break
    }
  }

  private mutating func add(_ warning: TrackWarning?) {
    guard let warning else { return }
    guard let index = doubts.firstIndex(where: { $0.code == warning.code }) else {
      return doubts.append(warning)
    }
    doubts[index].count += warning.count
  }

  /// The warnings about all tracks.
  public var warnings: [TrackWarning] {
    let found: [(TrackWarning.Code, String, Int, Suggestion?)] = [
      (
        .nullIsland, "position 0°, 0° far from the rest of the track",
        search.ranges.reduce(0) { $0 + $1.count }, .dropSpikes
      ),
      (
        .outOfOrder, "time before that of the previous point", order.backwards,
        order.isDescending && hasAllPoints ? .reverseTracks : nil
      ),
      (.repeatedPoints, "point of a track that begins again from its first point", order.repeated, nil),
    ]
    let points = found.compactMap { code, message, count, suggestion -> TrackWarning? in
      guard count > 0 else { return nil }
      return TrackWarning(
        code, message + (isLeftOut ? ", point skipped" : ""), count: count,
        suggestion: isLeftOut ? nil : suggestion)
    }
    let everywhere = TrackWarning(.nullIsland, NullIsland.everywhere, count: search.onlyCount)
    return points + (search.onlyCount > 0 ? [everywhere] : []) + doubts
  }
}

/// Finds steps back in time in a sequence of points.
private struct TimeOrder {
  private(set) var backwards = 0
  private(set) var repeated = 0
  private var rows = 0
  private var lines = 0
  private var first: (time: Int64, latitude: Double, longitude: Double)?
  private var previous = Instant.absent
  private var latest = Instant.absent
  private var isRepeating = false

  /// Whether nearly all points are earlier than their predecessors.
  var isDescending: Bool { backwards > 1 && Double(backwards) >= 0.9 * Double(rows - lines) }

  mutating func begin() {
    lines += 1
    first = nil
    previous = Instant.absent
    latest = Instant.absent
    isRepeating = false
  }

  mutating func add(_ times: Span<Int64>, _ latitudes: Span<Double>, _ longitudes: Span<Double>) {
    var row = 0
    rows += times.count
    while row < times.count {
      if !isRepeating, first != nil {
        // An absent time is the smallest.
        while row < times.count, times[row] >= previous {
          previous = times[row]
          row &+= 1
        }
        latest = max(latest, previous)
      }
      guard row < times.count else { return }
      add(times[row], latitudes[row], longitudes[row])
      row += 1
    }
  }

  private mutating func add(_ time: Int64, _ latitude: Double, _ longitude: Double) {
    if time >= previous, !isRepeating, first != nil {
      previous = time
      latest = max(latest, time)
    } else if time != Instant.absent {
      addUnusual(time, latitude, longitude)
    }
  }

  private mutating func addUnusual(_ time: Int64, _ latitude: Double, _ longitude: Double) {
    defer {
      previous = time
      latest = max(latest, time)
    }
    guard let first else {
      first = (time, latitude, longitude)
      return
    }
    if time < previous {
      isRepeating = first == (time, latitude, longitude)
      if !isRepeating { backwards += 1 }
    }
    isRepeating = isRepeating && time <= latest
    if isRepeating { repeated += 1 }
  }
}

extension TrackWarning.Code {
  /// Positions are 0°, 0°, as some receivers report without a fix.
  public static let nullIsland = Self("null-island")
  /// The time of a point is before that of the previous point.
  public static let outOfOrder = Self("out-of-order")
  /// Points repeat earlier ones exactly, with their times.
  public static let repeatedPoints = Self("repeated-points")
  /// A fix is farther from those before and after it than any vehicle moves.
  public static let outlyingFix = Self("outlying-fix")
  /// Points repeat the last fix, because the receiver had no newer one.
  public static let heldFixes = Self("held-fixes")
}
