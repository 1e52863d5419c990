import TrackModel

/// The first fixes of a drive that comes back before it finally leaves its first place.
///
/// A driver turns round for something forgotten, or the first positions of a parked receiver are a distance
/// along the road. In both cases the drive passes the places of its first fixes again. Applied to
/// ``TimedPlaces/backwards``, it finds the fixes after a drive has first reached its last place.
struct FalseStart {
  /// The number of fixes before the drive leaves.
  private(set) var count: Int
  /// Whether the drive passes its first place then, and does not leave from a stop.
  private(set) var isRolling: Bool
  /// One standard deviation of the place that the drive leaves in metres.
  private(set) var placeError = 0.0

  /// The duration and length of the first fixes in seconds and metres, at most.
  static let most = (seconds: 240.0, metres: 600.0)
  /// The minimum duration of a stop in seconds, and its radius in metres.
  static let stop = (seconds: 10.0, metres: 6.0)
  /// The distance in metres from a place beyond which a fix is not noise.
  static let away = 15.0
  /// The distance in metres from another part of the way within which a place is passed twice.
  static let beside = 20.0
  /// The distance in metres between two fixes that are checked.
  static let checked = 3.0
  /// The distance in metres by which the later way is followed beyond the farthest fix, and its length
  /// relative to that distance, at most: a lap of a circuit is not a way back.
  static let beyond = 40.0
  static let bends = 1.3
  /// The minimum length of the later way relative to the earlier one. A shorter drive turns back to where
  /// it came from.
  static let leastRest = 4.0
  /// The longest step between two fixes, as a share of the distance to the farthest one: a parked receiver
  /// jumps back and forth.
  static let longestStep = 0.5
  /// The maximum seconds at the place of a turn.
  static let longestTurn = 30.0
  /// The share of the way back on which the drive has the same direction again, from which it is on a
  /// circuit.
  static let lapShare = 0.5

  /// The error of the place as a share of the distance between the first fix and the stop, and the largest in
  /// metres. The first fix is probably wrong if it only approaches the stop, and otherwise the place at which
  /// the drive really began.
  static let error = (approaching: 0.2, returning: 1.0, most: 20.0)

  /// Returns nil if the drive leaves at once.
  init?(_ recorded: TimedPlaces) {
    let search = FalseStartSearch(recorded)
    let stop = search.stop
    let approaches = stop.map(search.approaches) ?? false
    if !approaches, let passage = search.passage, passage > stop ?? 0 {
      count = passage
      isRolling = true
    } else if let stop {
      count = stop
      isRolling = false
      let share = approaches ? Self.error.approaching : Self.error.returning
      placeError = min(share * recorded.distance(0, stop), Self.error.most)
    } else {
      return nil
    }
  }
}

private struct FalseStartSearch {
  private let recorded: TimedPlaces
  /// The last fix before the drive moves for the first time, or 0 if it does not rest at first.
  private let origin: Int
  /// The length of the way to each of the first fixes in metres.
  private var distanceAlong: [Double] = [0]

  init(_ recorded: TimedPlaces) {
    self.recorded = recorded
    origin = recorded.rests(at: 0) ? max((recorded.departure(from: 0) ?? 0) - 1, 0) : 0
    while distanceAlong.count < recorded.count, isSoon(distanceAlong.count - 1) {
      distanceAlong.append(
        distanceAlong[distanceAlong.count - 1]
          + recorded.distance(distanceAlong.count - 1, distanceAlong.count))
    }
  }

  /// Whether a fix is before the drive moves, or is soon and not far after that.
  private func isSoon(_ index: Int) -> Bool {
    index <= origin
      || distanceAlong[index] - distanceAlong[origin] <= FalseStart.most.metres
        && recorded.time(index + 1) - recorded.time(origin) <= FalseStart.most.seconds
  }

  /// The first fix of the last stop after which the drive passes all earlier places again, or nil.
  var stop: Int? {
    let isAtRest = recorded.rests(at: 0)
    var found: Int?
    var index = origin + 1
    while index < distanceAlong.count {
      if recorded.rests(at: index) {
        guard let departure = recorded.departure(from: index) else { break }
        if repeats(index, after: departure), continues(departure, from: index),
          !isAtRest || moves(to: index), !isLap(before: index, after: departure)
        {
          found = index
        }
        index = departure
      } else {
        index += 1
      }
    }
    return found
  }

  /// The fix at which the drive last passes its first place, or nil if it does not, or stops there.
  var passage: Int? {
    var found: Int?
    var isAway = false
    var index = 1
    while index < distanceAlong.count {
      let metres = recorded.distance(0, index)
      if metres > MotionOnset.leavingRadius { isAway = true }
      guard isAway, metres <= FalseStart.away else {
        index += 1
        continue
      }
      guard let end = (index..<recorded.count).first(where: { recorded.distance(0, $0) > FalseStart.away })
      else { return nil }
      guard recorded.time(end) - recorded.time(index) < FalseStart.stop.seconds else { return nil }
      found = (index..<min(end, distanceAlong.count)).min {
        recorded.distance(0, $0) < recorded.distance(0, $1)
      }
      isAway = false
      index = end
    }
    guard let found, turnsBack(before: found), continues(found, from: found),
      !isLap(before: found, after: found)
    else { return nil }
    return found
  }

  /// Whether the drive only approaches a stop soon, as the position of a receiver does that has just been
  /// switched on.
  func approaches(_ stop: Int) -> Bool {
    var nearest = recorded.distance(0, stop)
    guard nearest <= MotionOnset.jitterReach.soon,
      recorded.time(stop) - recorded.time(0) <= MotionOnset.jitterDuration.soon
    else { return false }
    for index in 1..<stop {
      let metres = recorded.distance(index, stop)
      if metres > nearest + FalseStart.stop.metres { return false }
      nearest = min(nearest, metres)
    }
    return true
  }

  /// Whether the drive reaches a fix in steps, and not by jumps of a parked receiver.
  private func moves(to index: Int) -> Bool {
    let farthest = fixes(before: index, from: index).farthest
    return (1...index).allSatisfy { recorded.distance($0 - 1, $0) < FalseStart.longestStep * farthest }
  }

  /// Returns the fixes before a fix that are not noise, a few metres apart, and the largest distance.
  private func fixes(before end: Int, from place: Int) -> (indices: [Int], farthest: Double) {
    var indices: [Int] = []
    var farthest = 0.0
    for index in 0..<end where recorded.distance(index, place) > FalseStart.away {
      farthest = max(farthest, recorded.distance(index, place))
      if indices.last.map({ recorded.distance($0, index) >= FalseStart.checked }) ?? true {
        indices.append(index)
      }
    }
    return (indices, farthest)
  }

  /// Returns the last fix of the way that starts at a fix and extends somewhat beyond a distance.
  private func end(ofWayFrom start: Int, to metres: Double) -> Int {
    let reach = metres + FalseStart.beyond
    var last = start
    var length = 0.0
    while last + 1 < recorded.count, recorded.distance(start, last) < reach,
      length < FalseStart.bends * reach
    {
      length += recorded.distance(last, last + 1)
      last += 1
    }
    return last
  }

  /// Whether the drive passes all places before a stop again soon after it.
  private func repeats(_ stop: Int, after departure: Int) -> Bool {
    let (fixes, farthest) = fixes(before: stop, from: stop)
    // Within that radius, a walker's noise looks the same.
    guard farthest > MotionOnset.leavingRadius else { return false }
    let way = [stop] + (departure...max(end(ofWayFrom: departure, to: farthest), departure))
    return fixes.allSatisfy { index in
      zip(way, way.dropFirst()).contains { offset(of: index, from: $0, to: $1) <= FalseStart.beside }
    }
  }

  /// Whether the drive comes back to a fix, and not from a place at which the position of a parked receiver
  /// has settled.
  private func turnsBack(before passage: Int) -> Bool {
    guard moves(to: passage) else { return false }
    let turn =
      (0..<passage).max { recorded.distance($0, passage) < recorded.distance($1, passage) } ?? passage
    return stay(at: turn) < FalseStart.longestTurn
  }

  /// Returns the seconds around a fix in which the drive is near it.
  private func stay(at index: Int) -> Double {
    var (first, last) = (index, index)
    while first > 0, recorded.distance(first - 1, index) <= FalseStart.away { first -= 1 }
    while last + 1 < recorded.count, recorded.distance(last + 1, index) <= FalseStart.away { last += 1 }
    return recorded.time(last) - recorded.time(first)
  }

  /// Whether the way to a place is a lap of a circuit: the drive goes round again after it. A drive that
  /// turned round passes the places of its way back in the opposite direction, if at all.
  private func isLap(before place: Int, after departure: Int) -> Bool {
    let (fixes, farthest) = fixes(before: place, from: place)
    // Within that radius, a parked receiver jumps.
    guard farthest > MotionOnset.jitterReach.late,
      let turn = (0..<place).max(by: { recorded.distance($0, place) < recorded.distance($1, place) })
    else { return false }
    var last = departure
    var metres = 0.0
    while last + 1 < recorded.count, metres < distanceAlong[place] - distanceAlong[origin] {
      metres += recorded.distance(last, last + 1)
      last += 1
    }
    let back = fixes.filter { $0 >= turn }
    let again = back.count { index in
      let course = recorded.course(from: index)
      return (departure..<max(last, departure)).contains { step in
        offset(of: index, from: step, to: step + 1) <= FalseStart.beside
          && recorded.course(from: step).dot(course) > 0
      }
    }
    return !back.isEmpty && Double(again) >= FalseStart.lapShare * Double(back.count)
  }

  /// Whether the way after a fix is much longer than the way to another one.
  private func continues(_ index: Int, from earlier: Int) -> Bool {
    var rest = FalseStart.leastRest * (distanceAlong[earlier] - distanceAlong[origin])
    var next = index
    while rest > 0, next + 1 < recorded.count {
      rest -= recorded.distance(next, next + 1)
      next += 1
    }
    return rest <= 0
  }

  /// Returns the distance of a fix from the line between two others, in metres.
  private func offset(of index: Int, from start: Int, to end: Int) -> Double {
    let step = recorded.place(end) - recorded.place(start)
    return (recorded.place(index) - recorded.place(start)).projected(onto: step).rest.length
  }
}

extension TimedPlaces {
  /// Whether the drive stays at a fix for some seconds.
  func rests(at index: Int) -> Bool {
    var next = index
    while next + 1 < count {
      next += 1
      guard distance(index, next) <= FalseStart.stop.metres else { return false }
      if time(next) - time(index) >= FalseStart.stop.seconds { return true }
    }
    return false
  }

  /// Returns the direction from a fix to the next one that is not at the same place.
  fileprivate func course(from index: Int) -> SIMD3<Double> {
    let next = (index + 1..<count).first { distance(index, $0) > FalseStart.away }
    return (place(next ?? count - 1) - place(index)).normalized
  }

  /// Returns the first fix that is not at the place of a stop, or nil if the drive ends there.
  func departure(from stop: Int) -> Int? {
    (stop + 1..<count).first { distance(stop, $0) > FalseStart.away }
  }
}
