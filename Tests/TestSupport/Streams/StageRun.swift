package import Testing
package import TrackModel
package import TrackTransforms

/// An event of a stream, or its points as a value. Adjacent points of a segment are one item.
package enum StreamItem: Sendable, Equatable {
  case event(TrackEvent)
  case points(PointColumns)

  /// Returns a track with these segments.
  package static func track(_ info: TrackInfo = TrackInfo(), _ segments: PointColumns...) -> [StreamItem] {
    [.event(.beginTrack(info))] + segments.flatMap { segment($0) } + [.event(.endTrack)]
  }

  package static func segment(_ points: PointColumns) -> [StreamItem] {
    [.event(.beginSegment)] + (points.isEmpty ? [] : [.points(points)]) + [.event(.endSegment)]
  }

  package static func route(_ info: TrackInfo = TrackInfo(), _ points: PointColumns) -> [StreamItem] {
    [.event(.beginRoute(info))] + (points.isEmpty ? [] : [.points(points)]) + [.event(.endRoute)]
  }

  package static func extensions(_ name: String) -> StreamItem {
    .event(.annotation(.extensions([ExtensionElement(name: name)])))
  }

  package static func late(_ info: TrackInfo) -> StreamItem { .event(.annotation(.track(info))) }

  package static let header = StreamItem.event(.header(FileInfo()))

  package var pointCount: Int { if case .points(let points) = self { points.count } else { 0 } }
}

/// A reader that delivers given items.
package struct ScriptedReader: TrackReader {
  private var items: [StreamItem]
  private var next = 0
  private var row = 0
  private var error: TrackError?

  package var warnings: [TrackWarning] { [TrackWarning(.truncated, "scripted")] }

  /// Creates a reader.
  ///
  /// - Parameter error: The error thrown after the last item.
  package init(_ items: [StreamItem], error: TrackError? = nil) {
    self.items = items
    self.error = error
  }

  package mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    guard next < items.count else {
      defer { error = nil }
      if let error { throw error }
      return nil
    }
    switch items[next] {
    case .event(let event):
      next += 1
      return event
    case .points(let points):
      row += batch.append(points, from: row)
      if row == points.count {
        row = 0
        next += 1
      }
      return .points
    }
  }
}

/// The result of running stages, which is checked against the grammar of `TrackEvent`.
package struct StageRun {
  package private(set) var items: [StreamItem] = []
  package private(set) var error: TrackError?
  package private(set) var summaries: [String] = []
  package private(set) var warnings: [TrackWarning] = []

  /// Runs a stream through stages and checks the grammar of the output.
  ///
  /// - Parameters:
  ///   - error: The error thrown after the last item. The output may then end anywhere.
  ///   - capacity: The capacity of the batch, in rows.
  package init(
    _ items: [StreamItem], _ stages: [any TrackStage], error: TrackError? = nil, capacity: Int = 4096,
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var reader = StagedReader(ScriptedReader(items, error: error), stages)
    var batch = PointBatch(capacity: capacity)
    var grammar = StreamGrammar()
    do throws(TrackError) {
      while let event = try reader.next(into: &batch) {
        grammar.take(event, rows: batch.count)
        append(event, batch)
      }
    } catch {
      self.error = error
    }
    for _ in 0..<2 {
      let rest = try? reader.next(into: &batch)
      #expect(rest == nil, "events after the end", sourceLocation: sourceLocation)
    }
    if error == nil { grammar.finish() }
    #expect(grammar.violations == [], comment, sourceLocation: sourceLocation)
    #expect(self.error == error, sourceLocation: sourceLocation)
    summaries = reader.summaries
    warnings = reader.warnings
  }

  private mutating func append(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    guard case .points = event else {
      items.append(.event(event))
      return
    }
    var points = PointColumns()
    if case .points(let before) = items.last {
      points = before
      items.removeLast()
    }
    points.append(batch)
    items.append(.points(points))
  }

  package var summary: String? { summaries.first }

  /// The points of each segment and route, in order.
  package var lines: [PointColumns] {
    var lines: [PointColumns] = []
    for item in items {
      switch item {
      case .event(.beginSegment), .event(.beginRoute): lines.append(PointColumns())
      case .points(let points):
        var line = lines.popLast() ?? PointColumns()
        var batch = PointBatch(capacity: max(points.count, 1))
        _ = batch.append(points, from: 0)
        line.append(batch)
        lines.append(line)
      default: break
      }
    }
    return lines
  }

  package var waypoints: [Waypoint] {
    items.compactMap { if case .event(.waypoint(let waypoint)) = $0 { waypoint } else { nil } }
  }

  /// The tracks' information, including late information.
  package var tracks: [TrackInfo] {
    var tracks: [TrackInfo] = []
    var isInTrack = false
    for item in items {
      switch item {
      case .event(.beginTrack(let info)):
        tracks.append(info)
        isInTrack = true
      case .event(.annotation(.track(let info))) where isInTrack: tracks[tracks.count - 1].merge(info)
      case .event(.endTrack): isInTrack = false
      default: break
      }
    }
    return tracks
  }

  package var pointCount: Int { items.reduce(0) { $0 + $1.pointCount } }
}

extension PointColumns {
  /// The origin of test times: 2024-05-01T00:00:00Z, 1,714,521,600 s after 1970.
  package static let midnight: Int64 = 1_714_521_600_000_000

  /// Returns points with seconds after ``midnight`` (nil for no time), latitude and longitude.
  package static func line(_ points: [(seconds: Double?, latitude: Double, longitude: Double)])
    -> PointColumns
  {
    var columns = PointColumns()
    for point in points {
      columns.append(
        Coordinate(latitude: point.latitude, longitude: point.longitude),
        time: point.seconds.map { .test($0) })
    }
    return columns
  }

  /// Returns points on the equator, a thousandth of a degree (111.319 m) apart.
  package static func equator(seconds: [Double?]) -> PointColumns {
    line(seconds.enumerated().map { ($0.element, 0, Double($0.offset) / 1000) })
  }

  /// The times in seconds after ``midnight``.
  package var seconds: [Double?] {
    times.map { $0 == Instant.absent ? nil : Double($0 - PointColumns.midnight) / 1e6 }
  }
}

extension Instant {
  /// Returns the instant at a number of seconds after `PointColumns.midnight`.
  package static func test(_ seconds: Double) -> Instant {
    Instant(microseconds: PointColumns.midnight + Int64((seconds * 1e6).rounded()))
  }
}

extension Waypoint {
  package static func place(_ name: String, _ latitude: Double, _ longitude: Double, seconds: Double? = nil)
    -> Waypoint
  {
    Waypoint(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), time: seconds.map { .test($0) },
      details: PointDetails(name: name))
  }
}

/// The length of a degree on the equator, in metres: 2π × 6378137 / 360.
package let degreeOfEquator = 111_319.490_793_273_58

/// Returns whether two numbers differ by at most `tolerance`.
package func isNear(_ first: Double?, _ second: Double, within tolerance: Double = 1e-9) -> Bool {
  first.map { abs($0 - second) <= tolerance } ?? false
}
