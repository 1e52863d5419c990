import TrackModel

/// Random streams of all forms that the grammar allows, near (0, 0) and mostly with ascending times.
package struct RandomStream {
  private var generator: SeededGenerator
  private var seconds = 0.0

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  package mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }

  package mutating func items() -> [StreamItem] {
    var items = [StreamItem.header]
    for _ in 0..<number(0...7) {
      switch number(0...9) {
      case 0: items.append(.event(.header(FileInfo())))
      case 1: items.append(.extensions("file"))
      case 2: items.append(.event(.annotation(.file(FileInfo()))))
      case 3, 4: items.append(.event(.waypoint(waypoint())))
      case 5: items += [.event(.beginRoute(info()))] + content("route") + [.event(.endRoute)]
      default: items += track()
      }
    }
    return items
  }

  private mutating func track() -> [StreamItem] {
    var items = [StreamItem.event(.beginTrack(info()))]
    for _ in 0..<number(0...4) {
      if chance(0.1) { items.append(.late(info())) }
      if chance(0.1) { items.append(.extensions("track")) }
      items += [.event(.beginSegment)] + content("segment") + [.event(.endSegment)]
    }
    if chance(0.2) { items.append(.extensions("track end")) }
    return items + [.event(.endTrack)]
  }

  private mutating func content(_ name: String) -> [StreamItem] {
    var items: [StreamItem] = []
    var wasPoints = false
    for _ in 0..<number(0...4) {
      if chance(0.2) {
        items.append(chance(0.5) ? .extensions(name) : .late(info()))
        wasPoints = false
      } else if !wasPoints {
        items.append(.points(points()))
        wasPoints = true
      }
    }
    return items
  }

  private mutating func info() -> TrackInfo {
    var info = TrackInfo(name: chance(0.5) ? "track \(number(1...3))" : nil)
    if chance(0.6) { info.type = chance(0.5) ? "Driving" : "walking" }
    if chance(0.3) { info.timeSpan = TimeSpan(begin: .test(0), end: .test(Double(number(0...9000)))) }
    if chance(0.2) { info.laps = [Lap(start: .test(10)), Lap(start: .test(500))] }
    return info
  }

  private mutating func waypoint() -> Waypoint {
    var waypoint = Waypoint(coordinate: coordinate(), time: chance(0.5) ? time() : nil)
    if chance(0.3) { waypoint.values[.horizontalAccuracy] = Double(number(1...40)) }
    return waypoint
  }

  private mutating func coordinate() -> Coordinate {
    Coordinate(latitude: Double(number(-40...40)) / 4000, longitude: Double(number(-40...40)) / 4000)
  }

  private mutating func time() -> Instant {
    seconds += chance(0.05) ? 4000 : chance(0.05) ? -30 : Double(number(0...40))
    return .test(seconds)
  }

  private mutating func points() -> PointColumns {
    var points = PointColumns()
    let isTimed = chance(0.8)
    for _ in 0..<number(1...12) {
      var values: [Channel: Double] = [:]
      if chance(0.5) { values[.horizontalAccuracy] = Double(number(1...40)) }
      if chance(0.5) { values[.course] = Double(number(0...359)) }
      if chance(0.3) { values[.distance] = Double(number(0...5000)) }
      points.append(
        coordinate(), time: isTimed && chance(0.95) ? time() : nil, values: values,
        details: PointDetails(name: chance(0.1) ? "point" : nil))
    }
    return points
  }
}
