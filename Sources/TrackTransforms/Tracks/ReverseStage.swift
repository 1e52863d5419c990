public import TrackModel

/// Reverses every track and route.
///
/// Times are mirrored within the same time span and ascend again, so that the pace on each part and the
/// pauses are unchanged. Wrong times do not affect that span. Courses are turned by 180°, the device's
/// distance is measured from the other end, and laps are reversed. A line that lists the newest point first
/// keeps its times, courses, distances and laps: only the order of its points is reversed. A track is held in
/// memory.
public struct ReverseStage: TrackStage {
  private struct Line: Sendable {
    var info: TrackInfo
    var isRoute: Bool
    var segments: [Segment] = []
    var isInSegment = false
    /// Content outside segments.
    var annotations: [TrackEvent] = []
  }

  private struct Segment: Sendable {
    var points = PointColumns()
    var extensions: [TrackEvent] = []
  }

  private var line: Line?
  private var reversed = 0

  /// Creates a stage for one stream.
  public init() {}

  public var summary: String? {
    reversed == 0 ? nil : "reverse: \(Counted.of(reversed, "line")) reversed"
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    if let last = line?.segments.indices.last { line?.segments[last].points.append(batch) }
    batch.removeAll()
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let info): line = Line(info: info, isRoute: false)
    case .beginRoute(let info):
      line = Line(info: info, isRoute: true, segments: [Segment()], isInSegment: true)
    case .beginSegment:
      line?.segments.append(Segment())
      line?.isInSegment = true
    case .endSegment: line?.isInSegment = false
    case .annotation(.track(let info)) where line != nil: line?.info.merge(info)
    case .annotation:
      guard let open = line else { return output.emit(event) }
      if case .annotation(.extensions) = event, open.isInSegment, let last = open.segments.indices.last {
        line?.segments[last].extensions.append(event)
      } else {
        line?.annotations.append(event)
      }
    case .endTrack, .endRoute:
      finish(&output)
      output.emit(event)
    case .header, .waypoint, .points: output.emit(event)
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    guard let line else { return }
    self.line = nil
    reversed += 1
    var times = DescendingTimes()
    for segment in line.segments { times.add(segment.points.times) }
    let turn = times.isDescending ? nil : Turn(line.segments.map(\.points))
    let info = turn?.turned(line.info) ?? line.info
    output.emit(line.isRoute ? .beginRoute(info) : .beginTrack(info))
    for segment in line.segments.reversed() {
      if !line.isRoute { output.emit(.beginSegment) }
      output.emit(
        turn.map { segment.points.reversed(mirror: $0.mirror, length: $0.length) }
          ?? segment.points.rows(at: segment.points.times.indices.reversed()))
      for event in segment.extensions { output.emit(event) }
      if !line.isRoute { output.emit(.endSegment) }
    }
    for event in line.annotations { output.emit(event) }
  }
}

/// The reference values for reversing a track or route.
private struct Turn {
  /// The sum of the first and the last time; nil without times.
  private(set) var mirror: Int64?
  /// The largest value of the distance channel, in metres.
  private(set) var length = 0.0

  init(_ segments: [PointColumns]) {
    var first: Int64?
    var last: Int64?
    let times = segments.flatMap(\.times)
    let strays = StrayTimes.indices(in: times)
    let ignored = strays.count <= StrayTimes.limit(of: times.count) ? Set(strays) : []
    for (index, time) in times.enumerated() where time != Instant.absent && !ignored.contains(index) {
      first = min(first ?? time, time)
      last = max(last ?? time, time)
    }
    for points in segments {
      for value in points.values(of: .distance) ?? [] where value > length { length = value }
    }
    if let first, let last, case let (sum, overflow) = first.addingReportingOverflow(last), !overflow {
      mirror = sum
    }
  }

  /// Returns the information with the laps in reverse order. A lap begins at its former end.
  func turned(_ info: TrackInfo) -> TrackInfo {
    var info = info
    for (index, lap) in info.laps.enumerated() {
      let end = lap.end(before: index + 1 < info.laps.count ? info.laps[index + 1] : nil)
      info.laps[index].start = end.flatMap { end in
        mirror.flatMap { mirror in
          let (start, overflow) = mirror.subtractingReportingOverflow(end.microseconds)
          return overflow ? nil : Instant(microseconds: start)
        }
      }
    }
    info.laps.reverse()
    return info
  }
}
