import TestSupport
import TrackModel

/// Random documents with values that GPX can store. The same seed gives the same document.
struct RandomDocument: DocumentDice {
  var generator: SeededGenerator
  /// Whether numbers may have more digits than schema checkers accept, and texts characters that XML
  /// excludes.
  let isWild: Bool

  init(seed: UInt64, isWild: Bool) {
    generator = SeededGenerator(seed: seed)
    self.isWild = isWild
  }

  mutating func namespaces() -> [NamespaceDeclaration] {
    many(0...3) { random in
      NamespaceDeclaration(
        prefix: random.pick(["x", "y", "gpxtpx", "pwr"]), uri: random.pick(RandomDocument.namespaces))
    }
  }

  // MARK: Containers

  mutating func person() -> Person {
    Person(name: maybe { $0.text() }, email: maybe { _ in "a.b@c.org" }, link: maybe { $0.link() })
  }

  mutating func waypoint() -> Waypoint {
    let point = point(Channel.allCases)
    return Waypoint(
      coordinate: point.coordinate, time: point.time, values: point.values, details: point.details)
  }

  mutating func trackInfo() -> TrackInfo {
    var info = words(number: 0...1_000_000)
    info.extensions = extensions()
    return info
  }

  // MARK: Points

  mutating func points() -> PointColumns {
    let channels = Channel.allCases.filter { _ in chance(3) }
    var columns = PointColumns()
    for _ in 0..<pick([0, 1, 2, 70]) {
      let point = point(channels)
      columns.append(point.coordinate, time: point.time, values: point.values, details: point.details)
    }
    return columns
  }

  private mutating func point(_ channels: [Channel]) -> (
    coordinate: Coordinate, time: Instant?, values: [Channel: Double], details: PointDetails
  ) {
    var values: [Channel: Double] = [:]
    for channel in channels where !chance(3) { values[channel] = value(of: channel) }
    return (
      Coordinate(latitude: number(-90...90), longitude: number(-180...180)), maybe { $0.time() }, values,
      chance(4) ? details() : PointDetails()
    )
  }

  /// Returns a value that GPX and Garmin's schemas allow for a channel.
  private mutating func value(of channel: Channel) -> Double {
    switch channel {
    case .heartRate: number(1...255).rounded()
    case .cadence: number(0...254).rounded()
    case .power: number(0...65_535).rounded()
    case .satellites: number(0...64).rounded()
    case .course, .bearing, .magneticVariation: number(0...359.99)
    case .elevation, .geoidHeight, .temperature, .waterTemperature, .depth: number(-9000...9000)
    case .speed, .horizontalAccuracy, .verticalAccuracy, .hdop, .vdop, .pdop, .differentialAge, .distance:
      number(0...100_000)
    }
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    let value = Double.random(in: range, using: &generator)
    switch Int.random(in: 0...9, using: &generator) {
    case 0:
      return pick([range.lowerBound, range.upperBound, min(max(0, range.lowerBound), range.upperBound)])
    case 1 where isWild: return value
    case 2 where isWild: return min(max(value * 1e-9, range.lowerBound), range.upperBound)
    case 3: return value.rounded(.towardZero)
    default:
      let scale = pick([10.0, 100, 1000, 1e6, 1e7, 1e9])
      return (value * scale).rounded(.towardZero) / scale
    }
  }

  mutating func time() -> Instant {
    // Year 1 to 9999.
    let second = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
    return Instant(microseconds: second * 1_000_000 + pick([0, 0, 500_000, 123_000, 999_999, 1]))
  }

  // MARK: Texts and elements

  private static let namespaces = ["urn:x", "urn:y?a=1&b=\"<2>\"", "http://example.org/ns/3"]

  mutating func text() -> String {
    let parts =
      [
        "a", "Z", " ", "&", "<", ">", "\"", "'", "é", "日本", "🚗", "👨‍👩‍👧", "]]>", "\n", "\t", "-->", "&amp;",
        "\u{2028}",
      ]
      + (isWild ? ["\r", "\u{0}", "\u{1B}", "\u{FFFE}", "\r\n", "\u{7F}", "\u{85}"] : [])
    return (0..<Int.random(in: 1...8, using: &generator)).map { _ in pick(parts) }.joined() + pick(["", "x"])
  }

  mutating func links() -> [TrackLink] { many(0...2) { $0.link() } }

  private mutating func link() -> TrackLink {
    TrackLink(
      address: pick(["http://a.b/?c=d&e=f", "x", "mailto:a@b.org"]), text: maybe { $0.text() },
      mediaType: maybe { _ in "image/png" })
  }

  mutating func extensions() -> [ExtensionElement] {
    chance(3) ? many(0...2) { $0.element(depth: 0) } : []
  }

  private mutating func element(depth: Int) -> ExtensionElement {
    var element = ExtensionElement(
      namespace: pick(RandomDocument.namespaces + [nil, "http://www.topografix.com/GPX/1/1"]),
      prefix: pick([nil, "x", "q", "xml", "1", "é"]),
      name: pick(["a", "b-1", "_c", "näme", "hr", "power", "speed"]))
    for name in ["k", "l"] where chance(3) {
      // Attributes of one element have different names, in any namespace.
      element.attributes.append(
        ExtensionElement.Attribute(
          namespace: pick(RandomDocument.namespaces + [nil, nil]), prefix: pick([nil, "x"]), name: name,
          value: text()))
    }
    element.content = many(0...3) { random in
      depth < 3 && random.chance(2) ? .element(random.element(depth: depth + 1)) : .text(random.text())
    }
    return element
  }
}
