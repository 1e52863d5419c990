import GhostModel
import TrackModel

/// The road that two drives share, as pairs of positions on their lines that are at the same place.
struct SharedRoad {
  /// A place, as distances along each of the two lines in metres.
  typealias Place = Paired<Double>

  /// A stretch of shared road, and the kind of road before it.
  struct Stretch {
    /// The range in ``places``, with at least one place.
    var places: Range<Int>
    /// The kind of road between the previous stretch and this one; ``Between/beginning`` for the first.
    var before: Between
  }

  enum Between {
    case beginning
    /// The drives took different roads.
    case detour
    /// A gap in a recording, so the road is unknown.
    case unknown
  }

  /// The places, not descending in either line.
  var places: [Place] = []
  /// The stretches in driving order.
  var stretches: [Stretch] = []
  /// One standard deviation of the lateral distance between the two drives in metres, at least 1. Errors
  /// along the road are the same.
  private(set) var deviation = 1.0
  /// One standard deviation of the part of the lateral distance that lasts for half a minute, in metres, or 0
  /// if the shared road is too short to know it. A receiver that stands does not average it out.
  private(set) var drift = 0.0
  /// The share of the matched vertices whose reverse match agrees, 0…1.
  private(set) var agreement = 0.0

  /// The length of either drive whose match does not lead back to it, in metres.
  private(set) var disputed = 0.0

  /// The disputed length in metres above which laps are confused, rather than noise at forks. On short
  /// circuits, it is half a lap.
  var leastDispute: Double { min(200, 0.5 * min(lines.first.length, lines.second.length)) }
  /// The factor for the cost of leaving the road if no lap may be omitted.
  static let detourPenalty = 8.0
  /// The difference in metres up to which the matches of both directions agree.
  static let tolerance = 25.0
  /// The length of shared road in metres below which it is a crossing between two detours.
  static let shortestStretch = 50.0
  /// The distance in metres within which drives start, or end, at the same position.
  static let samePlace = 40.0
  /// The length in metres below which a detour on both sides is noise.
  static let shortestDetour = 60.0
  /// The distance in metres within which routes of equal length are the same; larger for inaccurate
  /// receivers.
  static let separation = 30.0
  /// The speed in metres per second below which motion may be the jitter of a stationary receiver.
  static let jitterSpeed = 3.0
  /// The factor by which one of two ways is longer if it has an additional loop.
  static let loopLength = 4.0
  /// The length in metres up to which a detour is examined.
  static let longestDoubt = 2_000.0

  let lines: Paired<MatchablePolyline>
  /// Whether both drives are identical, including their times.
  private(set) var isCopy = false

  init(_ first: MatchablePolyline, _ second: MatchablePolyline) {
    if first.count > 1, first.isCopy(of: second) {
      self.init(copies: Paired(first, second))
      return
    }
    self.init(first, second, detourPenalty: 1)
    guard hasLoop || disputed > leastDispute else { return }
    // Noise may determine after which lap the additional lap of one drive is. Prefer the last lap of both
    // drives.
    let steady = SharedRoad(first, second, detourPenalty: Self.detourPenalty)
    if steady.stretches.count < stretches.count && steady.length > 0.95 * length
      || steady.length > 1.01 * length
    {
      self = steady
    }
  }

  /// Creates the shared road of two identical drives. A gap in the recording is the same in both.
  private init(copies lines: Paired<MatchablePolyline>) {
    self.lines = lines
    places = lines.first.distanceAlong.map { Place($0, $0) }
    stretches = [Stretch(places: places.indices, before: .beginning)]
    agreement = 1
    isCopy = true
  }

  /// Creates the road of two recordings of one motion, which are at one place at one time.
  ///
  /// Between sparse fixes, their lines need not be near each other.
  init(_ first: MatchablePolyline, _ second: MatchablePolyline, _ clock: SharedClock) {
    lines = Paired(first, second)
    let start = max(first.motionStart, clock.timeInFirst(second.motionStart))
    let end = min(first.motionEnd, clock.timeInFirst(second.motionEnd))
    guard start < end else { return }
    let moments = (first.arrivals + second.arrivals.map(clock.timeInFirst)).filter { $0 > start && $0 < end }
    places = ([start] + moments.sorted() + [end]).map {
      Place(first.distance(at: $0), second.distance(at: clock.timeInSecond($0)))
    }
    stretches = [Stretch(places: places.indices, before: .beginning)]
    agreement = 1
  }

  /// Whether one drive made an additional loop somewhere while the other hardly left the place.
  private var hasLoop: Bool {
    zip(stretches, stretches.dropFirst()).contains { before, after in
      let from = places[before.places.upperBound - 1]
      let to = places[after.places.lowerBound]
      let ways = Paired(to.first - from.first, to.second - from.second)
      return max(ways.first, ways.second)
        > max(Self.loopLength * min(ways.first, ways.second), leastDispute)
    }
  }

  /// Creates the shared road from the matches of both directions.
  ///
  /// - Parameters:
  ///   - forwards: the distance along the second line in metres per vertex of the first, or NaN.
  ///   - backwards: the distance along the first line in metres per vertex of the second, or NaN.
  init(_ first: MatchablePolyline, _ second: MatchablePolyline, forwards: [Double], backwards: [Double]) {
    lines = Paired(first, second)
    var (forwards, backwards) = (forwards, backwards)
    first.followLongSteps(of: second, matches: backwards, into: &forwards)
    second.followLongSteps(of: first, matches: forwards, into: &backwards)
    let firstAgrees = Self.agreeing(first, second, forwards, backwards)
    let secondAgrees = Self.agreeing(second, first, backwards, forwards)
    disputed = max(
      Self.disputedLength(first, forwards, firstAgrees), Self.disputedLength(second, backwards, secondAgrees))
    let matched = forwards.count { !$0.isNaN } + backwards.count { !$0.isNaN }
    let agreed = firstAgrees.count { $0 } + secondAgrees.count { $0 }
    agreement = matched > 0 ? Double(agreed) / Double(matched) : 0
    gather(forwards, backwards, firstAgrees, secondAgrees)
    measureDeviation()
    unite()
    dropCrossings()
    if stretches.isEmpty { shareEnds() }
    extend(.start)
    extend(.end)
  }

  /// Shares the first and the last place of drives that take different roads from one place to another.
  private mutating func shareEnds() {
    guard connectsSameEnds else { return }
    places = [Place(0, 0), Place(lines.first.length, lines.second.length)]
    stretches = [Stretch(places: 0..<1, before: .beginning), Stretch(places: 1..<2, before: .detour)]
  }

  /// Whether both drives lead from one place to another, which is not near the first.
  var connectsSameEnds: Bool {
    guard isOnePlace(.start), isOnePlace(.end), let first = lines.first.ends, let second = lines.second.ends
    else { return false }
    let way = min((first.last - first.first).length, (second.last - second.first).length)
    return way
      >= max(Self.leastWay.metres, Self.leastWay.share * max(lines.first.length, lines.second.length))
  }

  /// Whether both drives begin, or end, at one place.
  func isOnePlace(_ side: StretchEnd.Side) -> Bool {
    guard let first = lines.first.ends, let second = lines.second.ends else { return false }
    let offset = side == .start ? first.first - second.first : first.last - second.last
    return offset.length <= Self.samePlace
  }

  /// The minimum distance between the start and the end of drives that lead from one place to another, in
  /// metres and as a share of the longer drive. The times of different round trips are not comparable.
  private static let leastWay = (metres: 300.0, share: 0.2)

  /// The length of shared road along the first line, in metres.
  var length: Double {
    stretches.reduce(0) { sum, stretch in
      sum + places[stretch.places.upperBound - 1].first - places[stretch.places.lowerBound].first
    }
  }

  /// Returns which vertices of a drive have a match that leads back to them.
  private static func agreeing(
    _ drive: MatchablePolyline, _ line: MatchablePolyline, _ forwards: [Double], _ backwards: [Double]
  ) -> [Bool] {
    guard line.count > 1 else { return Array(repeating: false, count: drive.count) }
    var hint = 0
    return drive.distanceAlong.indices.map { vertex in
      let match = forwards[vertex]
      guard !match.isNaN else { return false }
      let segment = line.segment(at: match, near: &hint)
      let before = backwards[segment]
      let after = backwards[segment + 1]
      let way = line.distanceAlong[segment + 1] - line.distanceAlong[segment]
      let fraction = line.fraction(of: match, in: segment)
      let back: Double
      if !before.isNaN, !after.isNaN, after - before < way + 2 * tolerance {
        back = before + fraction * (after - before)
      } else if !before.isNaN, after.isNaN || fraction < 0.5 {
        back = before + fraction * way
      } else if !after.isNaN {
        back = after - (1 - fraction) * way
      } else {
        return false
      }
      return abs(back - drive.distanceAlong[vertex]) <= tolerance
    }
  }

  private static func disputedLength(_ drive: MatchablePolyline, _ matches: [Double], _ agrees: [Bool])
    -> Double
  {
    var metres = 0.0
    for vertex in drive.distanceAlong.indices.dropFirst() where !matches[vertex].isNaN && !agrees[vertex] {
      metres += drive.distanceAlong[vertex] - drive.distanceAlong[vertex - 1]
    }
    return metres
  }

  /// Merges the agreeing pairs of both directions, and splits them at vertices that are not shared.
  private mutating func gather(
    _ forwards: [Double], _ backwards: [Double], _ firstAgrees: [Bool], _ secondAgrees: [Bool]
  ) {
    places.reserveCapacity(forwards.count + backwards.count)
    var starts: [Int] = []
    var i = 0
    var j = 0
    var isBroken = true
    while i < forwards.count || j < backwards.count {
      while i < forwards.count, !firstAgrees[i], isNext(i, lines.first, j, secondAgrees, backwards) {
        isBroken = true
        i += 1
      }
      while j < backwards.count, !secondAgrees[j], isNext(j, lines.second, i, firstAgrees, forwards) {
        isBroken = true
        j += 1
      }
      let isFirst: Bool
      if i < forwards.count, firstAgrees[i] {
        isFirst =
          j >= backwards.count || !secondAgrees[j]
          || lines.first.distanceAlong[i] + forwards[i] <= backwards[j] + lines.second.distanceAlong[j]
      } else if j < backwards.count, secondAgrees[j] {
        isFirst = false
      } else {
        break
      }
      let place =
        isFirst
        ? Place(lines.first.distanceAlong[i], forwards[i])
        : Place(backwards[j], lines.second.distanceAlong[j])
      if isFirst { i += 1 } else { j += 1 }
      // Positions within a gap were interpolated, not recorded.
      if lines.first.isInHole(place.first) || lines.second.isInHole(place.second) {
        isBroken = true
        continue
      }
      if let last = places.last, !isBroken {
        isBroken =
          lines.first.holeLength(from: last.first, to: place.first) > 0
          || lines.second.holeLength(from: last.second, to: place.second) > 0
        let steps = Paired(place.first - last.first, place.second - last.second)
        let difference = abs(steps.first - steps.second)
        isBroken = isBroken || difference > Self.shortestDetour + 0.3 * max(steps.first, steps.second)
      }
      if isBroken {
        starts.append(places.count)
      }
      isBroken = false
      places.append(place)
    }
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : places.count
      stretches.append(Stretch(places: start..<end, before: index == 0 ? .beginning : .detour))
    }
    ascend()
  }

  /// Whether a vertex that is not shared precedes the next shared place.
  private func isNext(
    _ vertex: Int, _ line: MatchablePolyline, _ other: Int, _ agrees: [Bool], _ matches: [Double]
  ) -> Bool {
    guard other < agrees.count, agrees[other] else { return true }
    return line.distanceAlong[vertex] <= matches[other]
  }

  /// Noise between the two directions may cause places to descend by metres. Use the nearest non-descending
  /// ones.
  private mutating func ascend() {
    var values = places.map(\.first)
    IsotonicRegression.apply(to: &values, in: values.indices)
    var others = places.map(\.second)
    IsotonicRegression.apply(to: &others, in: others.indices)
    for index in places.indices { places[index] = Place(values[index], others[index]) }
  }

  private mutating func measureDeviation() {
    let line = lines.second
    guard line.count > 1, lines.first.count > 1 else { return }
    var offsets: [Double] = []
    var means = SpanMeans(seconds: Self.driftSpan.seconds, count: Self.driftSpan.samples)
    var hints = Paired(0, 0)
    for index in stride(from: 0, to: places.count, by: max(1, places.count / 2000)) {
      let segment = line.segment(at: places[index].second, near: &hints.second)
      let here = line.place(at: places[index].second, near: &hints.second)
      let offset = lines.first.place(at: places[index].first, near: &hints.first) - here
      let left = (line.places[segment + 1] - line.places[segment]).cross(offset).dot(here)
      let signed = left < 0 ? -offset.length : offset.length
      offsets.append(signed)
      means.add(signed, at: line.passage(at: places[index].second, in: segment).arrival)
    }
    guard let measured = offsets.robustDeviation else { return }
    deviation = max(1, measured)
    guard means.values.count >= Self.driftSpan.least else { return }
    drift = means.values.robustDeviation ?? 0
  }

  /// The seconds and the number of samples over which a lateral distance is averaged for ``drift``, and the
  /// least number of means.
  private static let driftSpan = (seconds: 30.0, samples: 5, least: 8)

  /// The means of values over spans of time.
  private struct SpanMeans {
    private(set) var values: [Double] = []
    private let seconds: Double
    private let least: Int
    private var sum = 0.0
    private var count = 0
    private var start = 0.0

    init(seconds: Double, count: Int) {
      self.seconds = seconds
      least = count
    }

    mutating func add(_ value: Double, at time: Double) {
      if count >= least, abs(time - start) >= seconds {
        values.append(sum / Double(count))
        (sum, count) = (0, 0)
      }
      if count == 0 { start = time }
      sum += value
      count += 1
    }
  }

  /// Joins stretches that only noise separates, and classifies the road between the others.
  private mutating func unite() {
    var kept: [Stretch] = []
    for stretch in stretches {
      guard let last = kept.last else {
        kept.append(stretch)
        continue
      }
      let from = places[last.places.upperBound - 1]
      let to = places[stretch.places.lowerBound]
      let isBetweenRoads = !isShort(last) && !isShort(stretch)
      switch between(from, to, isBetweenRoads: isBetweenRoads) {
      case nil: kept[kept.count - 1].places = last.places.lowerBound..<stretch.places.upperBound
      case .some(let kind): kept.append(Stretch(places: stretch.places, before: kind))
      }
    }
    stretches = kept
  }

  /// Returns the kind of road between two shared places, or nil for shared road that is hidden by noise.
  ///
  /// - Parameter isBetweenRoads: whether the road before and after it is certainly shared.
  func between(_ from: Place, _ to: Place, isBetweenRoads: Bool = false) -> Between? {
    if lines.first.hidesPart(from: from.first, to: to.first)
      || lines.second.hidesPart(from: from.second, to: to.second)
    {
      return .unknown
    }
    let ways = Paired(to.first - from.first, to.second - from.second)
    let holes = Paired(
      lines.first.holeLength(from: from.first, to: to.first),
      lines.second.holeLength(from: from.second, to: to.second))
    if holes.first > 0 && ways.first - holes.first < Self.shortestDetour
      || holes.second > 0 && ways.second - holes.second < Self.shortestDetour
    {
      return .unknown
    }
    if max(ways.first, ways.second) < Self.shortestDetour
      || areFixesTooSparse(from, to, excludesParallel: isBetweenRoads)
    {
      return nil
    }
    let difference = abs(ways.first - ways.second)
    // A line with few points is shorter than its road.
    let slack =
      MatchablePolyline.cutCorner
      * max(
        lines.first.longestStep(from: from.first, to: to.first),
        lines.second.longestStep(from: from.second, to: to.second))
    let isUneven = difference > max(Self.shortestDetour, 0.25 * min(ways.first, ways.second)) + slack
    if isUneven, !isJitter(from, to) { return .detour }
    if max(ways.first, ways.second) > Self.longestDoubt { return .detour }
    let separation = max(Self.separation, 4.5 * deviation)
    let isApart =
      lines.first.leaves(lines.second, from.first...to.first, from.second...to.second, separation)
      || lines.second.leaves(lines.first, from.second...to.second, from.first...to.first, separation)
    return isApart ? .detour : nil
  }

  /// Whether the longer of two parts is no faster than the jitter of an inaccurate stationary receiver.
  private func isJitter(_ from: Place, _ to: Place) -> Bool {
    let isFirst = to.first - from.first > to.second - from.second
    let line = isFirst ? lines.first : lines.second
    let (start, end) = isFirst ? (from.first, to.first) : (from.second, to.second)
    let seconds =
      line.passage(at: end, in: line.segment(at: end)).arrival
      - line.passage(at: start, in: line.segment(at: start)).departure
    return end - start < Self.jitterSpeed * seconds
  }

  /// Roads that cross, or are close to each other for some metres, are not shared there, unless both drives
  /// begin or end there.
  private mutating func dropCrossings() {
    guard stretches.count > 1 else { return }
    var kept: [Stretch] = []
    var pending: Between?
    for (index, stretch) in stretches.enumerated() {
      if isCrossing(index) {
        if stretch.before == .detour || pending == nil { pending = stretch.before }
        continue
      }
      var next = stretch
      if let pending, stretch.before == .unknown { next.before = pending }
      if kept.isEmpty { next.before = .beginning }
      pending = nil
      kept.append(next)
    }
    stretches = kept
  }

  private func isShort(_ stretch: Stretch) -> Bool {
    let (first, last) = (places[stretch.places.lowerBound], places[stretch.places.upperBound - 1])
    return max(last.first - first.first, last.second - first.second) < Self.shortestStretch
  }

  private func isCrossing(_ index: Int) -> Bool {
    guard isShort(stretches[index]) else { return false }
    let range = stretches[index].places
    let (first, last) = (places[range.lowerBound], places[range.upperBound - 1])
    let rest = Place(lines.first.length - last.first, lines.second.length - last.second)
    let isStart =
      index == 0 && stretches[1].before == .detour && max(first.first, first.second) <= Self.samePlace
    let isEnd =
      index == stretches.count - 1 && stretches[index].before == .detour
      && max(rest.first, rest.second) <= Self.samePlace
    return range.count < 2 || !isStart && !isEnd
  }
}
