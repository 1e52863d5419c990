import TrackModel

/// Determines which stretches between crossings are complete laps, by comparing them with each other.
struct LapReview {
  private let paths: [SmoothPath]
  private let steps: [Double]
  /// The stretches per drive, in driving order.
  let spans: [[LapCourse.Span]]
  /// Whether each stretch of each drive is complete.
  private(set) var isComplete: [[Bool]] = []
  /// A usual lap, or nil if there are no laps.
  private(set) var profile: LapProfile?
  /// Whether the usual lap has fixes everywhere.
  private(set) var isUsualDense = false

  /// The fraction of its length and the distance in metres by which a lap may differ from a usual one. If no
  /// lap has fixes everywhere, its length is that of a curve that cuts corners: the fraction then grows by
  /// the distance between fixes divided by the length, at most by `sparse`.
  private static let difference = (share: 0.12, metres: 60.0, sparse: 0.3)
  /// The relative difference within which lengths are the same.
  private static let same = 0.05
  /// The pit lane: the length of a compared part in metres, the largest number of parts, above which they
  /// are longer, the lateral distance in metres, the fraction of the usual speed, the length of the lane in
  /// metres, and the distance between fixes from which it is not visible.
  private static let pit = (bin: 20.0, bins: 100_000.0, aside: 6.0, pace: 0.75, length: 25.0, step: 160.0)
  /// The lateral distance in metres from a usual lap at which a drive has left the circuit, and the minimum
  /// length in metres and duration in seconds.
  private static let off = (distance: 35.0, metres: 80.0, seconds: 8.0)

  /// The number of dense stretches for which the others are ignored in the search for the usual one.
  private static let fewDense = 2

  /// Creates a review.
  ///
  /// - Parameters:
  ///   - spans: the stretches per drive, in driving order.
  ///   - steps: the usual distance between fixes per drive, in metres.
  ///   - usual: a usual lap, or nil to choose one of the stretches.
  init(
    _ paths: [SmoothPath], _ spans: [[LapCourse.Span]], steps: [Double], usual: LapProfile? = nil
  ) {
    self.paths = paths
    self.steps = steps
    self.spans = spans
    isComplete = spans.map { $0.map { _ in false } }
    profile = usual
    if profile == nil, let span = usualSpan {
      profile = LapProfile(paths[span.path], from: span.span.start.time, to: span.span.end.time)
      isUsualDense = isDense(span.path, span.span)
    }
    review()
  }

  private mutating func review() {
    guard let profile else { return }
    for path in spans.indices {
      for index in spans[path].indices {
        isComplete[path][index] = follows(
          profile.line, paths[path], spans[path][index], step: steps[path])
      }
    }
  }

  /// Whether each stretch includes the pit lane, which is next to the circuit and slower than the other
  /// laps there.
  ///
  /// Fewer than three laps, and laps with sparse fixes, are not sufficient for a usual line.
  var isThroughPitLane: [[Bool]] {
    var result = spans.map { $0.map { _ in false } }
    let complete = spans.indices.flatMap { path in
      steps[path] > Self.pit.step
        ? [] : spans[path].indices.filter { isComplete[path][$0] }.map { (path: path, index: $0) }
    }
    guard let line = profile?.line, complete.count > 2 else { return result }
    let matches = complete.map { lap in
      let span = spans[lap.path][lap.index]
      return line.followCurve(paths[lap.path], from: span.start.time, to: span.end.time)
    }
    let length = max(Self.pit.bin, line.length / Self.pit.bins)
    var bins = [[GuideLine.Match]](repeating: [], count: Int(line.length / length) + 1)
    for lap in matches { for match in lap { bins[Int(match.distanceAlong / length)].append(match) } }
    let usual = bins.map { bin in
      (left: bin.map(\.left).upperMedian ?? 0, speed: bin.map(\.speed).upperMedian ?? 0)
    }
    let durations = complete.map { lap in
      let span = spans[lap.path][lap.index]
      return span.duration - paths[lap.path].waiting(from: span.start.time, to: span.end.time)
    }
    let middle = durations.upperMedian ?? 0
    for ((lap, duration), matches) in zip(zip(complete, durations), matches) {
      // The speed relative to the lap without its stops, because a slow lap is slow everywhere.
      let pace = Self.pit.pace * min(1, middle / duration)
      // The start of the stretch next to the usual line, or of its last `length` metres.
      var first = 0
      for (index, match) in matches.enumerated() {
        let (left, speed) = usual[Int(match.distanceAlong / length)]
        guard abs(match.left - left) > Self.pit.aside else {
          first = index + 1
          continue
        }
        while first + 1 < index, matches[first + 1].distanceAlong <= match.distanceAlong - Self.pit.length {
          first += 1
        }
        let metres = match.distanceAlong - matches[first].distanceAlong
        let usualSpeed = (usual[Int(matches[first].distanceAlong / length)].speed + speed) / 2
        if metres >= Self.pit.length, metres < pace * usualSpeed * (match.time - matches[first].time) {
          result[lap.path][lap.index] = true
        }
      }
    }
    return result
  }

  /// Returns a usual lap with the usual pace of all complete laps.
  var pooledProfile: LapProfile? {
    var pooled = profile
    pooled?.pool(
      spans.indices.flatMap { path in
        spans[path].indices.filter {
          isComplete[path][$0] && (!isUsualDense || isDense(path, spans[path][$0]))
        }.map {
          (paths[path], spans[path][$0].start.time, spans[path][$0].end.time)
        }
      })
    return pooled
  }

  private func length(_ path: Int, _ span: LapCourse.Span) -> Double {
    paths[path].distance(at: span.end.time) - paths[path].distance(at: span.start.time)
  }

  /// Whether a stretch has fixes everywhere, so that its length is that of the road.
  private func isDense(_ path: Int, _ span: LapCourse.Span) -> Bool {
    paths[path].longestInterval(from: span.start.time, to: span.end.time) <= TimedPlaces.sparseInterval
  }

  /// Returns the usual stretch. Its length is that of most stretches, or the shortest of several such
  /// lengths. Among the faster half of those, which avoids the pit lane, it has the shortest interval without
  /// a fix.
  private var usualSpan: (path: Int, span: LapCourse.Span)? {
    var all: [(path: Int, span: LapCourse.Span, length: Double)] = []
    for path in spans.indices {
      for span in spans[path] { all.append((path, span, length(path, span))) }
    }
    all.removeAll { !($0.length > 0) }
    all.sort { $0.length < $1.length }
    let dense = all.filter { isDense($0.path, $0.span) }
    if dense.count >= Self.fewDense || 4 * dense.count >= all.count, !dense.isEmpty { all = dense }
    var best = 0..<0
    var low = 0
    var high = 0
    for index in all.indices {
      while all[low].length < all[index].length * (1 - Self.same) { low += 1 }
      while high < all.count, all[high].length <= all[index].length * (1 + Self.same) { high += 1 }
      if high - low > best.count { best = low..<high }
    }
    func longestInterval(_ index: Int) -> Double {
      paths[all[index].path].longestInterval(from: all[index].span.start.time, to: all[index].span.end.time)
    }
    let median = best.map { all[$0].span.duration }.upperMedian ?? 0
    return best.filter { all[$0].span.duration <= median }
      .min { longestInterval($0) < longestInterval($1) }.map { (all[$0].path, all[$0].span) }
  }

  /// Whether a stretch follows the line.
  ///
  /// - Parameter step: the usual distance between fixes in metres. A line through sparse fixes cuts
  ///   corners.
  private func follows(
    _ line: GuideLine, _ path: SmoothPath, _ span: LapCourse.Span, step: Double
  ) -> Bool {
    let length = path.distance(at: span.end.time) - path.distance(at: span.start.time)
    let share = Self.difference.share + (isUsualDense ? 0 : min(step / line.length, Self.difference.sparse))
    guard abs(length - line.length) <= share * line.length + Self.difference.metres + step / 2 else {
      return false
    }
    var metres = 0.0
    var seconds = 0.0
    var last: GuideLine.Match?
    for match in line.follow(path, from: span.start.time, to: span.end.time) {
      if abs(match.left) > Self.off.distance + step / 4 {
        if let last {
          metres += path.distance(at: match.time) - path.distance(at: last.time)
          seconds += match.time - last.time
        }
        last = match
        if metres > Self.off.metres, seconds > Self.off.seconds { return false }
      } else {
        last = nil
        metres = 0
        seconds = 0
      }
    }
    return true
  }
}

extension SmoothPath {
  /// The median distance between two fixes of the moving drive, in metres.
  var usualStep: Double {
    var steps: [Double] = []
    for fix in places.indices.dropFirst() {
      let step = (places[fix] - places[fix - 1]).length
      if step >= Self.spacing { steps.append(step) }
    }
    return steps.upperMedian ?? 0
  }

  /// Returns the distance in metres within which two passages are on the same road.
  ///
  /// - Parameter step: the usual distance between fixes, by a share of which the curve differs from the road.
  static func sameRoadReach(_ step: Double) -> Double { min(max(20, 0.12 * step), 120) }

  /// Returns the longest interval between two fixes in a part of the drive, in seconds.
  func longestInterval(from start: Double, to end: Double) -> Double {
    guard count > 1 else { return 0 }
    return (step(at: start)...step(at: end)).map { times[$0 + 1] - times[$0] }.max() ?? 0
  }
}
