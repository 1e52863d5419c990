import TestSupport
import TrackModel

@testable import TrackFormats

enum FITWriting {
  /// Returns a document as FIT, with the losses.
  static func fit(
    _ document: TrackDocument, kind: FITWriter.Kind = .automatic, capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: [String: Int]) {
    var reader = TrackDocumentReader(document)
    var writer = FITWriter(ByteSink(), kind: kind)
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (
      writer.bytes, writer.losses.losses.reduce(into: [:]) { $0[$1.what] = $1.count }
    )
  }

  /// Returns a document of activities whose values FIT can store exactly: whole semicircles, fifths of
  /// metres, etc.
  static func activities(seed: UInt64) -> TrackDocument {
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    var document = TrackDocument()
    document.info.creator = "A maker's device"
    // 2024-05-17T06:00:00Z.
    var second = 1_715_925_600 + number(0...100_000)
    document.info.time = Instant(microseconds: Int64(second) * 1_000_000)
    for _ in 0..<number(1...3) {
      var info = TrackInfo()
      info.type = ["driving", "motorcycling", "cycling", nil][number(0...3)]
      var segments: [TrackDocument.Segment] = []
      var first: Int?
      var last = second
      let channels = [
        Channel.elevation, .speed, .heartRate, .cadence, .power, .temperature, .horizontalAccuracy, .depth,
      ].filter { _ in number(0...1) == 0 }
      var distance = 0
      for _ in 0..<number(1...3) {
        var points = PointColumns()
        second += number(60...600)
        for _ in 0..<number(1...150) {
          distance += number(0...5000)
          var values: [Channel: Double] = [.distance: Double(distance) / 100]
          for channel in channels where number(0...3) > 0 {
            switch channel {
            case .elevation: values[channel] = Double(number(0...65_000) - 2500) / 5
            case .speed, .depth: values[channel] = Double(number(0...80_000)) / 1000
            case .heartRate, .horizontalAccuracy: values[channel] = Double(number(0...254))
            case .cadence: values[channel] = Double(number(0...32_000)) / 128
            case .power: values[channel] = Double(number(0...65_534))
            default: values[channel] = Double(number(-128...126))
            }
          }
          let latitude = Int32(number(-1_073_741_824...1_073_741_824))
          let longitude = Int32(number(-2_147_483_648...2_147_483_646))
          let fraction = number(0...4) == 0 ? number(0...127) : 0
          points.append(
            Coordinate(latitude: FITRows.degrees(latitude), longitude: FITRows.degrees(longitude)),
            // 1/128 s is 7812.5 µs.
            time: Instant(
              microseconds: Int64(second) * 1_000_000 + Int64((Double(fraction) * 7812.5).rounded())),
            values: values)
          first = first ?? second
          last = second
          second += number(1...5)
        }
        segments.append(TrackDocument.Segment(points: points))
      }
      var lap = Lap(start: first.map { Instant(microseconds: Int64($0) * 1_000_000) })
      lap.elapsedTime = Double(number(1...100_000)) / 1000
      lap.timerTime = Double(number(1...100_000)) / 1000
      lap.distance = Double(number(1...100_000)) / 100
      lap.calories = Double(number(0...2000))
      lap.trigger = ["Manual", "Distance", "Location", "Time"][number(0...3)]
      info.laps = [lap]
      info.timeSpan = TimeSpan(begin: lap.start, end: Instant(microseconds: Int64(last + 1) * 1_000_000))
      document.tracks.append(TrackDocument.Track(info: info, segments: segments))
      second += number(100...1000)
    }
    return document
  }
}
