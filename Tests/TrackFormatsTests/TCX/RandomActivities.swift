import TestSupport
import TrackModel

/// Generates documents that TCX can represent completely, reproducible by their seed.
struct RandomActivities {
  private var generator: SeededGenerator
  /// Seconds since 1970. Every time is later than the previous one.
  private var clock: Int64 = 1_700_000_000_000

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func document() -> TrackDocument {
    var document = TrackDocument()
    if chance(2) { document.info.creator = text() }
    if chance(3) { document.info.extensions = [element()] }
    document.tracks = (0..<Int.random(in: 0...3, using: &generator)).map { _ in activity() }
    // Courses follow activities, and are followed by their points.
    for index in 0..<Int.random(in: 0...2, using: &generator) {
      document.tracks.append(course(index))
      for _ in 0..<Int.random(in: 0...2, using: &generator) { document.waypoints.append(coursePoint()) }
    }
    return document
  }

  private mutating func activity() -> TrackDocument.Track {
    var info = TrackInfo()
    info.type = ["Running", "Biking", nil].randomElement(using: &generator) ?? nil
    info.timeSpan = TimeSpan(begin: later())
    if chance(2) { info.description = text() + "\n " + text() }
    if chance(2) { info.source = text() }
    if chance(3) { info.extensions = [element(), element()] }
    var segments: [TrackDocument.Segment] = []
    // A lap has any number of segments, and begins before the first.
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      var lap = Lap(start: later())
      lap.timerTime = number(0...5000)
      lap.distance = number(0...50_000)
      lap.calories = number(0...65_535).rounded()
      lap.trigger = ["Manual", "Distance", "Location", "Time", "HeartRate"].randomElement(using: &generator)
      info.laps.append(lap)
      for _ in 0..<Int.random(in: 0...2, using: &generator) { segments.append(segment(hasSensors: true)) }
    }
    return TrackDocument.Track(info: info, segments: segments)
  }

  private mutating func course(_ index: Int) -> TrackDocument.Track {
    var info = TrackInfo(name: "Course \(index)")
    info.type = "Course"
    if chance(2) { info.description = text() }
    var lap = Lap()
    lap.timerTime = number(0...5000)
    lap.distance = number(0...50_000)
    info.laps = [lap]
    let segment = segment(hasSensors: false)
    // The reader keeps the positions of the lap's start and end, as it does for other files.
    info.extensions = [RandomActivities.ends(segment.points)]
    return TrackDocument.Track(info: info, segments: [segment])
  }

  private static func ends(_ points: PointColumns) -> ExtensionElement {
    func element(_ name: String, _ content: [ExtensionElement]) -> ExtensionElement {
      ExtensionElement(namespace: TCXSample.namespace, name: name, content: content.map { .element($0) })
    }
    func leaf(_ name: String, _ value: Double) -> ExtensionElement {
      ExtensionElement(
        namespace: TCXSample.namespace, prefix: nil, name: name, text: Transcript.number(value))
    }
    func position(_ name: String, _ row: Int) -> ExtensionElement {
      let place: Coordinate = points.coordinate(at: row)
      let latitude = leaf("LatitudeDegrees", place.latitude)
      return element(name, [latitude, leaf("LongitudeDegrees", place.longitude)])
    }
    return element("Lap", [position("BeginPosition", 0), position("EndPosition", points.count - 1)])
  }

  private mutating func coursePoint() -> Waypoint {
    var waypoint = Waypoint(coordinate: coordinate(), time: later())
    waypoint.details.name = "P\(Int.random(in: 0...99, using: &generator))"
    waypoint.details.type =
      [nil, "Left", "First Aid", "Hors Category"].randomElement(using: &generator) ?? nil
    if chance(2) { waypoint.details.description = text() }
    if chance(2) { waypoint.values = [.elevation: number(-100...5000)] }
    return waypoint
  }

  private mutating func segment(hasSensors: Bool) -> TrackDocument.Segment {
    var points = PointColumns()
    let ranges: [(channel: Channel, range: ClosedRange<Double>, isWhole: Bool)] = [
      (.elevation, -100...5000, false), (.distance, 0...100_000, false), (.heartRate, 1...255, true),
      (.cadence, 0...254, true), (.speed, 0...30, false), (.power, 0...65_535, true),
    ]
    let used = ranges.filter { _ in chance(2) }
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      var values: [Channel: Double] = [:]
      for (channel, range, isWhole) in used where hasSensors && !chance(4) {
        values[channel] = isWhole ? number(range).rounded() : number(range)
      }
      var details = PointDetails()
      if chance(8) { details.extensions = [element()] }
      points.append(coordinate(), time: later(), values: values, details: details)
    }
    return TrackDocument.Segment(points: points)
  }

  private mutating func element() -> ExtensionElement {
    var element = ExtensionElement(namespace: "urn:a", name: "note")
    element.content = [.text(text())]
    if chance(2) {
      element.attributes = [ExtensionElement.Attribute(name: "k", value: text())]
      element.content = [.element(ExtensionElement(namespace: nil, prefix: nil, name: "bare", text: "1"))]
    }
    return element
  }

  // MARK: Values

  /// Returns a time some time after the last, with or without a fraction.
  private mutating func later() -> Instant {
    clock += Int64.random(in: 6000...90_000, using: &generator)
    return Instant(microseconds: (chance(3) ? clock : clock / 1000 * 1000) * 1000)
  }

  private mutating func coordinate() -> Coordinate {
    Coordinate(latitude: number(-90...90), longitude: number(-180...179))
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    let scale: Double = [1.0, 10.0, 1e3, 1e7].randomElement(using: &generator) ?? 1
    return (Double.random(in: range, using: &generator) * scale).rounded(.towardZero) / scale
  }

  private mutating func text() -> String {
    let words = ["a", "Zürich", "<b>", "&amp;", "\"q\"", "東京", "🚗", "x y"]
    return (0..<Int.random(in: 1...3, using: &generator))
      .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
  }

  private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }
}
