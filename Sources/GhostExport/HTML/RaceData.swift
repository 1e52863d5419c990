import DriveMatching
import GhostModel

/// The data of the race for the script of a report, as JSON that is safe inside a `script` element.
struct RaceData: Sendable {
  /// The position tolerance of a ghost along each axis in metres. The total error is at most √2 times as
  /// large, excluding the rounding of positions and times.
  private static let motionTolerance = 1.75
  /// The time tolerance along the profile in seconds: the last digit of a formatted duration.
  private static var profileTolerance: Double { 2 * TimeResolution.current.smallest }
  /// The largest number of characters. Larger motions are simplified further.
  private static let characterLimit = 1_400_000

  private struct Pair: Sendable {
    var second: Int
    /// The stretches: the distance along the first drive in decimetres, the time of the first drive there on
    /// the shared clock in hundredths of seconds, and the gap of the second drive in hundredths of seconds.
    var stretches: [String]
  }

  private struct Track: Sendable {
    /// The time on the shared clock in hundredths of seconds, and the position in units of the projection.
    var text: String
    /// The first rows after interruptions of the recording.
    var breaks: [Int]
  }

  private let names: [String]
  private let tracks: [Track]
  private let pairs: [Pair]
  private let clock: ClosedRange<Double>
  /// The time on the shared clock that is displayed as zero.
  private let origin: Double
  private let measure: Int
  private let projection: MapProjection
  private let basemap: Basemap?

  init(
    _ document: ComparisonDocument, projection: MapProjection, columns: [MapColumns], basemap: Basemap?
  ) {
    let comparison = document.comparison
    names = comparison.drives.map(\.label)
    self.projection = projection
    self.basemap = basemap
    measure = comparison.pairs.first?.first ?? 0
    let clock = RaceData.clock(of: document)
    self.clock = clock
    origin =
      comparison.mode == .endLocation
      ? clock.lowerBound
      : comparison.pairs.first.flatMap { pair in
        comparison.anchor(of: pair).map { document.sharedTime($0, of: pair.first) }
      } ?? clock.lowerBound
    var tolerance = RaceData.motionTolerance / MapProjection.unitLength
    var tracks = RaceData.tracks(document, columns, tolerance)
    while tracks.reduce(0, { $0 + $1.text.utf8.count }) > RaceData.characterLimit, tolerance < 1e6 {
      tolerance *= 1.5
      tracks = RaceData.tracks(document, columns, tolerance)
    }
    self.tracks = tracks
    pairs = comparison.pairs.filter { $0.profile.count > 1 }.map { pair in
      Pair(second: pair.second, stretches: RaceData.stretches(pair, document))
    }
  }

  /// The time range from the first start to the last arrival.
  private static func clock(of document: ComparisonDocument) -> ClosedRange<Double> {
    var low = Double.infinity
    var high = -Double.infinity
    for (index, drive) in document.comparison.drives.enumerated() {
      let trace = document.traces[index]
      let rows = trace.takingPart(in: drive)
      let start = trace.elapsed[rows.lowerBound]
      // The race ends when the last drive has arrived.
      let end = min(trace.elapsed[rows.upperBound - 1], max(start, drive.motionEnd))
      low = min(low, document.sharedTime(start, of: index))
      high = max(high, document.sharedTime(end, of: index))
    }
    guard low <= high, low.isFinite, high.isFinite else { return 0...0 }
    return low...high
  }

  private static func tracks(
    _ document: ComparisonDocument, _ columns: [MapColumns], _ tolerance: Double
  ) -> [Track] {
    document.traces.indices.map { index in
      let trace = document.traces[index]
      let rows = trace.takingPart(in: document.comparison.drives[index])
      var text = NumberText(columns: 3)
      var breaks: [Int] = []
      var count = 0
      // Simplifies each part separately, so that the ends of an interruption remain.
      let starts = [rows.lowerBound] + trace.segmentStarts.filter { rows.dropFirst().contains($0) }
      for (number, start) in starts.enumerated() {
        let stretch = start..<(number + 1 < starts.count ? starts[number + 1] : rows.upperBound)
        let times = Array(trace.elapsed[stretch])
        let x = Array(columns[index].x[stretch])
        let y = Array(columns[index].y[stretch])
        if number > 0 { breaks.append(count) }
        for row in MotionThinning.rows(times: times, x: x, y: y, tolerance: tolerance) {
          text.append(document.sharedTime(times[row], of: index) * 100, x[row], y[row])
          count += 1
        }
      }
      return Track(text: text.text, breaks: breaks)
    }
  }

  private static func stretches(_ pair: PairComparison, _ document: ComparisonDocument) -> [String] {
    let profile = pair.profile
    return profile.stretches.map { rows in
      let distances = Array(profile.distances[rows])
      let times = profile.firstElapsed[rows].map { document.sharedTime($0, of: pair.first) }
      let gaps = Array(profile.gaps[rows])
      var text = NumberText(columns: 3)
      // The same algorithm with distance in place of time, and times in place of positions.
      for row in MotionThinning.rows(times: distances, x: times, y: gaps, tolerance: profileTolerance) {
        text.append(distances[row] * 10, times[row] * 100, gaps[row] * 100)
      }
      return text.text
    }
  }

  func json(_ plot: GapPlot?) -> String {
    let fixed = { (value: Double) in Quantity.fixed(value, 3) }
    let drives = zip(names, tracks).map { name, track in
      "{\"name\":\(Escaping.json(name)),\"breaks\":[\(track.breaks.map(String.init).joined(separator: ","))],"
        + "\"track\":\"\(track.text)\"}"
    }
    let duels = pairs.map { pair in
      let stretches = pair.stretches.map { "\"\($0)\"" }.joined(separator: ",")
      return "{\"second\":\(pair.second),\"stretches\":[\(stretches)]}"
    }
    var fields = [
      "\"clock\":[\(fixed(clock.lowerBound)),\(fixed(clock.upperBound))]",
      "\"origin\":\(fixed(origin))",
      "\"measure\":\(measure)",
      """
      "map":{"x":\(Quantity.fixed(projection.centerX * 1e9, 0)),\
      "y":\(Quantity.fixed(projection.centerY * 1e9, 0)),\
      "world":\(fixed(projection.worldSize)),"metres":\(Quantity.fixed(projection.metresPerUnit, 6))}
      """,
      "\"drives\":[\(drives.joined(separator: ",\n"))]",
      "\"pairs\":[\(duels.joined(separator: ",\n"))]",
    ]
    if let plot {
      fields.append(
        "\"plot\":{\"from\":\(fixed(plot.distances.lowerBound)),\"to\":\(fixed(plot.distances.upperBound)),"
          + "\"bottom\":\(fixed(plot.gaps.lowerBound)),\"top\":\(fixed(plot.gaps.upperBound))}")
    }
    if UnitSystem.current != .metric { fields.append("\"units\":\"\(UnitSystem.current.rawValue)\"") }
    if TimeResolution.current == .hundredths { fields.append("\"timeDecimals\":2") }
    if let basemap { fields.append("\"tiles\":\(Escaping.json(basemap.template))") }
    return "{" + fields.joined(separator: ",\n") + "}"
  }
}
