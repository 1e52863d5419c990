/// Determines which stretches between crossings are complete laps, by comparing them with each other.
struct LapReview {
  private let paths: [SmoothPath]
  /// The stretches per drive, in driving order.
  let spans: [[LapCourse.Span]]
  /// Whether each stretch is a complete lap, per drive and stretch.
  private(set) var isComplete: [[Bool]] = []
  /// A usual lap, or `nil` if there are no laps.
  private(set) var profile: LapProfile?

  /// The largest difference in length between a lap and a usual one, as a fraction and in metres.
  private static let difference = (share: 0.12, metres: 60.0)
  /// The largest relative difference of equal lengths.
  private static let same = 0.05
  /// The criteria for a pit lane: the length in metres of the parts that are compared, the lateral distance
  /// in metres, the fraction of the usual speed, and the minimum length of the lane in metres.
  private static let pit = (bin: 20.0, aside: 6.0, pace: 0.75, length: 25.0)
  /// The lateral distance in metres from a usual lap at which a car has left the circuit, and the length in
  /// metres and duration in seconds for which it has to be there.
  private static let off = (distance: 35.0, metres: 80.0, seconds: 8.0)

  /// - Parameter spans: the stretches per drive, in driving order.
  init(_ paths: [SmoothPath], _ spans: [[LapCourse.Span]]) {
    self.paths = paths
    self.spans = spans
    review()
  }

  private mutating func review() {
    isComplete = spans.map { $0.map { _ in false } }
    guard let usual = usualSpan,
      let profile = LapProfile(paths[usual.path], from: usual.span.start.time, to: usual.span.end.time)
    else { return }
    self.profile = profile
    for path in spans.indices {
      let step = paths[path].usualStep
      for index in spans[path].indices {
        isComplete[path][index] = follows(profile.line, paths[path], spans[path][index], step: step)
      }
    }
  }

  /// Whether each stretch uses a lane parallel to the circuit, slower than the other laps there.
  ///
  /// One or two laps define no usual line to compare with.
  var isThroughPitLane: [[Bool]] {
    var result = spans.map { $0.map { _ in false } }
    let complete = spans.indices.flatMap { path in
      spans[path].indices.filter { isComplete[path][$0] }.map { (path: path, index: $0) }
    }
    guard let line = profile?.line, complete.count > 2 else { return result }
    let matches = complete.map { lap in
      let span = spans[lap.path][lap.index]
      return line.followCurve(paths[lap.path], from: span.start.time, to: span.end.time)
    }
    var bins = [[GuideLine.Match]](repeating: [], count: Int(line.length / Self.pit.bin) + 1)
    for lap in matches { for match in lap { bins[Int(match.along / Self.pit.bin)].append(match) } }
    let usual = bins.map { bin in
      (left: Self.median(bin.map(\.left)), speed: Self.median(bin.map(\.speed)))
    }
    let durations = complete.map { spans[$0.path][$0.index].duration }
    let middle = Self.median(durations)
    for ((lap, duration), matches) in zip(zip(complete, durations), matches) {
      // The pace is adjusted for laps that are slow everywhere.
      let pace = Self.pit.pace * min(1, middle / duration)
      var start: Double?
      for match in matches {
        let (left, speed) = usual[Int(match.along / Self.pit.bin)]
        let isBeside = abs(match.left - left) > Self.pit.aside && match.speed < pace * speed
        start = isBeside ? start ?? match.along : nil
        if let start, match.along - start >= Self.pit.length { result[lap.path][lap.index] = true }
      }
    }
    return result
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  /// A usual lap with the usual pace of all complete laps.
  var pooledProfile: LapProfile? {
    var pooled = profile
    pooled?.pool(
      spans.indices.flatMap { path in
        spans[path].indices.filter { isComplete[path][$0] }.map {
          (paths[path], spans[path][$0].start.time, spans[path][$0].end.time)
        }
      })
    return pooled
  }

  private func length(_ path: Int, _ span: LapCourse.Span) -> Double {
    paths[path].distance(at: span.end.time) - paths[path].distance(at: span.start.time)
  }

  /// Returns a usual stretch: of the lengths that most others share, the shortest, and of those stretches the
  /// one with the shortest time without a fix.
  private var usualSpan: (path: Int, span: LapCourse.Span)? {
    let all = spans.indices.flatMap { path in
      spans[path].map { (path: path, span: $0, length: length(path, $0)) }
    }.filter { $0.length > 0 }.sorted { $0.length < $1.length }
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
    return best.min { longestInterval($0) < longestInterval($1) }.map { (all[$0].path, all[$0].span) }
  }

  /// - Parameter step: the usual distance between fixes in metres. A line with sparse fixes cuts corners.
  private func follows(
    _ line: GuideLine, _ path: SmoothPath, _ span: LapCourse.Span, step: Double
  ) -> Bool {
    let length = path.distance(at: span.end.time) - path.distance(at: span.start.time)
    guard abs(length - line.length) <= Self.difference.share * line.length + Self.difference.metres + step / 2
    else {
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
  /// The median distance in metres between two fixes in motion.
  var usualStep: Double {
    var steps: [Double] = []
    for fix in places.indices.dropFirst() {
      let step = (places[fix] - places[fix - 1]).length
      if step >= Self.spacing { steps.append(step) }
    }
    steps.sort()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  /// Returns the longest time in seconds between two fixes of a part of the drive.
  func longestInterval(from start: Double, to end: Double) -> Double {
    guard count > 1 else { return 0 }
    return (step(at: start)...step(at: end)).map { times[$0 + 1] - times[$0] }.max() ?? 0
  }
}
