import TestSupport
import TrackModel

/// Random documents with any combination of the model's fields, from device recordings and user input. The
/// same seed gives the same document.
struct RandomTracks: DocumentDice {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func person() -> Person {
    Person(
      name: text(), email: maybe { $0.pick(["a.b@c.org", "a1@b-c.de"]) },
      link: maybe { _ in TrackLink(address: "http://a.b/") })
  }

  mutating func waypoint() -> Waypoint {
    var waypoint = Waypoint(coordinate: coordinate(), time: maybe { $0.time() })
    waypoint.values = values(Channel.allCases.filter { _ in chance(3) })
    waypoint.details = details()
    return waypoint
  }

  mutating func trackInfo() -> TrackInfo {
    var info = words(number: 0...1000)
    info.style = maybe { random in
      let color = random.maybe { random in
        TrackColor(
          red: random.pick([0, 139, 255]), green: random.pick([0, 1, 128]), blue: random.pick([0, 254]),
          alpha: random.pick([255, 255, 128, 51]))
      }
      let width = random.maybe { $0.pick([0.5, 2.0, 3, 4, 8]) }
      return color == nil && width == nil ? LineStyle(width: 2) : LineStyle(color: color, width: width)
    }
    info.timeSpan = maybe { random in
      let begin = random.time()
      return TimeSpan(
        begin: begin, end: random.maybe { _ in Instant(microseconds: begin.microseconds + 60_000_000) })
    }
    if chance(4) {
      info.laps = [Lap(start: time())]
      info.laps[0].elapsedTime = 61.5
    }
    info.resolution = maybe { _ in Resolution(time: 60, position: 10) }
    info.extensions = extensions()
    return info
  }

  mutating func text() -> String {
    let parts = [
      "a", "Zoë", "日本", "🚗", "👨‍👩‍👧", "&", "<b>", "\"", "'", ",", ";", "\t", "\n", " ", "]]>", "\\", "{", "%20",
      "=1",
      "-", "#", "0", "1.5", "null", "\u{2028}",
    ]
    // Spaces at the ends are not preserved.
    return pick(["A", "é", "🏁", "7"]) + many(0...6) { $0.pick(parts) }.joined() + pick(["z", "!", "🏁"])
  }

  mutating func links() -> [TrackLink] {
    var links = many(0...2) { random in
      TrackLink(
        address: random.pick(["http://a.b/?c=d&e=f", "https://example.org/é", "mailto:a@b.org"]),
        text: random.maybe { $0.text() })
    }
    if !links.isEmpty, chance(2) { links[0].mediaType = "image/png" }
    return links
  }

  mutating func extensions() -> [ExtensionElement] {
    guard chance(3) else { return [] }
    return many(1...2) { random in
      ExtensionElement(
        namespace: random.pick(["urn:x", "http://example.org/ns/3"]), prefix: "x",
        name: random.pick(["a", "b-1"]),
        attributes: random.chance(2)
          ? [ExtensionElement.Attribute(name: "k", value: random.text())] : [],
        content: [
          .element(ExtensionElement(namespace: "urn:x", prefix: "x", name: "c", text: random.text()))
        ])
    }
  }

  // MARK: Points

  /// Returns points a few metres apart, some of them across the antimeridian or the equator.
  mutating func points() -> PointColumns {
    var place = chance(4) ? Coordinate(latitude: 0.0001, longitude: 179.9997) : coordinate()
    var clock = time().microseconds
    let timing = pick([0, 1, 1, 2])
    let channels = Channel.allCases.filter { _ in chance(4) }
    var columns = PointColumns()
    for _ in 0..<pick([0, 1, 2, 3, 70]) {
      let hasTime = timing == 1 || (timing == 2 && chance(2))
      columns.append(
        place, time: hasTime ? Instant(microseconds: clock) : nil,
        values: values(channels.filter { _ in !chance(5) }), details: chance(6) ? details() : PointDetails())
      clock += pick([1_000_000, 1_000_000, 2_000_000, 250_000, 61_000_000])
      place = Coordinate(
        latitude: decimal(place.latitude + pick([0.0001, -0.0001, 0]), 1e7),
        longitude: decimal(place.longitude + pick([0.00015, 0.0002, 0]), 1e7))
      if place.longitude > 180 { place.longitude = decimal(place.longitude - 360, 1e7) }
    }
    return columns
  }

  private mutating func coordinate() -> Coordinate {
    Coordinate(
      latitude: decimal(.random(in: -89...89, using: &generator), pick([1e5, 1e7])),
      longitude: decimal(.random(in: -180...180, using: &generator), pick([1e5, 1e7])))
  }

  private mutating func values(_ channels: [Channel]) -> [Channel: Double] {
    var values: [Channel: Double] = [:]
    for channel in channels { values[channel] = value(of: channel) }
    return values
  }

  /// Returns a value within the ranges of all formats.
  private mutating func value(of channel: Channel) -> Double {
    func number(_ range: ClosedRange<Double>, _ scale: Double, _ random: inout RandomTracks) -> Double {
      random.decimal(.random(in: range, using: &random.generator), scale)
    }
    return switch channel {
    case .heartRate: number(30...220, 1, &self)
    case .cadence: number(0...200, 1, &self)
    case .power: number(0...1500, 1, &self)
    case .satellites: number(0...40, 1, &self)
    case .course, .bearing, .magneticVariation: number(0...359.9, 10, &self)
    case .elevation, .geoidHeight: number(-400...8800, 100, &self)
    case .temperature, .waterTemperature: number(-40...50, 10, &self)
    case .depth: number(0...40, 10, &self)
    case .speed, .horizontalAccuracy, .verticalAccuracy, .hdop, .vdop, .pdop, .differentialAge:
      number(0...99, 100, &self)
    case .distance: number(0...100_000, 10, &self)
    }
  }

  /// Returns a number with few decimals. It is never minus zero, which all formats write as zero.
  private func decimal(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale + 0 }

  /// Returns a time in the years 2000 to 2033, in milliseconds.
  mutating func time() -> Instant {
    let second = Int64.random(in: 946_684_800...2_000_000_000, using: &generator)
    return Instant(microseconds: second * 1_000_000 + pick([0, 0, 500_000, 123_000]))
  }
}
