import TestSupport
import TrackModel

/// A generator of random documents, whose conforming types supply the texts and values. The same seed gives
/// the same document.
protocol DocumentDice {
  var generator: SeededGenerator { get set }

  mutating func text() -> String
  mutating func time() -> Instant
  mutating func links() -> [TrackLink]
  mutating func namespaces() -> [NamespaceDeclaration]
  mutating func person() -> Person
  mutating func trackInfo() -> TrackInfo
  mutating func waypoint() -> Waypoint
  mutating func points() -> PointColumns
  mutating func extensions() -> [ExtensionElement]
}

extension DocumentDice {
  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    chance(3) ? make(&self) : nil
  }

  mutating func many<Value>(_ range: ClosedRange<Int>, _ make: (inout Self) -> Value) -> [Value] {
    (0..<Int.random(in: range, using: &generator)).map { _ in make(&self) }
  }

  mutating func document() -> TrackDocument {
    var document = TrackDocument()
    document.info = fileInfo()
    document.waypoints = many(0...4) { $0.waypoint() }
    document.routes = many(0...3) { random in
      TrackDocument.Route(info: random.trackInfo(), points: random.points())
    }
    document.tracks = many(0...3) { random in
      TrackDocument.Track(
        info: random.trackInfo(),
        segments: random.many(0...3) { random in
          var segment = TrackDocument.Segment(points: random.points())
          segment.extensions = random.extensions()
          return segment
        })
    }
    return document
  }

  mutating func fileInfo() -> FileInfo {
    var info = FileInfo()
    info.creator = maybe { $0.text() }
    info.name = maybe { $0.text() }
    info.description = maybe { $0.text() }
    info.author = maybe { $0.person() }
    info.copyright = maybe { random in
      Copyright(
        author: random.text(), year: random.maybe { _ in "2024" },
        license: random.maybe { _ in "http://l.org/?a=b&c" })
    }
    info.links = links()
    info.time = maybe { $0.time() }
    info.keywords = maybe { $0.text() }
    info.namespaces = namespaces()
    info.extensions = extensions()
    return info
  }

  /// Returns the namespaces that a file declares, by default none.
  mutating func namespaces() -> [NamespaceDeclaration] { [] }

  mutating func details() -> PointDetails {
    var details = PointDetails()
    details.name = maybe { $0.text() }
    details.comment = maybe { $0.text() }
    details.description = maybe { $0.text() }
    details.source = maybe { $0.text() }
    details.links = links()
    details.symbol = maybe { $0.text() }
    details.type = maybe { $0.text() }
    details.fix = maybe { $0.pick(["none", "2d", "3d", "dgps", "pps"]) }
    details.differentialStation = maybe { Int.random(in: 0...1023, using: &$0.generator) }
    details.extensions = extensions()
    return details
  }

  /// Returns a track's or route's texts and number.
  mutating func words(number: ClosedRange<Int>) -> TrackInfo {
    var info = TrackInfo()
    info.name = maybe { $0.text() }
    info.comment = maybe { $0.text() }
    info.description = maybe { $0.text() }
    info.source = maybe { $0.text() }
    info.links = links()
    info.number = maybe { Int.random(in: number, using: &$0.generator) }
    info.type = maybe { $0.text() }
    return info
  }
}
