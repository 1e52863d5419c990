package import GhostModel
package import TrackModel
import TrackTransforms

/// The points of a track with all their values, to be written in parts.
package struct TrackPoints: Sendable {
  /// The information about the track.
  package private(set) var info = TrackInfo()
  /// The points per segment. After ``timed(by:)`` with ascending times.
  package private(set) var segments: [PointColumns] = []
  /// The time at which the elapsed seconds of the drive start.
  package private(set) var origin = DriveElement.unknownStart

  package init() {}

  /// Processes an event, with the rows of `TrackEvent.points` in `batch`.
  mutating func add(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    switch event {
    case .beginTrack(let info):
      self = TrackPoints()
      self.info = info
    case .beginRoute(let info):
      self = TrackPoints()
      self.info = info
      segments = [PointColumns()]
    case .beginSegment: segments.append(PointColumns())
    case .points:
      if let last = segments.indices.last { segments[last].append(batch) }
    case .annotation(.track(let info)): self.info.merge(info)
    default: break
    }
  }

  /// Adds the segments of a later part of the drive.
  package mutating func append(_ part: TrackPoints) { segments += part.segments }

  /// Returns the points with the times of the drive that was created from them, without the points that the
  /// drive does not have. Rows that repeat the last fix are kept.
  package func timed(by trace: TimedDrive) -> TrackPoints {
    var result = self
    if trace.hasTimestamps {
      let first = segments.lazy.flatMap(\.times).first { $0 != Instant.absent }
      result.origin = trace.startTime ?? first.map { Instant(microseconds: $0) } ?? origin
      result.segments = result.ordered(by: trace)
    } else {
      result.origin = trace.startTime ?? origin
      var points = segments.reduce(into: PointColumns()) { $0.append($1) }
      if points.count != trace.count {
        points = PointColumns()
        for row in 0..<trace.count { points.append(trace.coordinate(at: row)) }
      }
      let times = trace.elapsed.map { result.origin.advanced(bySeconds: $0)?.microseconds ?? Instant.absent }
      result.segments = [points.with(times: times)]
    }
    return result
  }

  private func ordered(by trace: TimedDrive) -> [PointColumns] {
    let times = trace.elapsed.map { origin.advanced(bySeconds: $0)?.microseconds ?? Instant.absent }
    var last = Int64.min
    let starts = segments.map { $0.times.first { $0 != Instant.absent } ?? Int64.max }
    return segments.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }.compactMap { index in
      let segment = segments[index]
      var rows: [Int] = []
      for row in 0..<segment.count where segment.times[row] != Instant.absent && segment.times[row] >= last {
        let time = segment.times[row]
        let next = times.partitionIndex { $0 >= time - Self.precision }
        let isFix = next < times.count && times[next] <= time + Self.precision
        let isRepeated =
          rows.last == row - 1 && segment.coordinate(at: row) == segment.coordinate(at: row - 1)
        guard isFix || row > 0 && isRepeated else { continue }
        rows.append(row)
        last = time
      }
      return rows.isEmpty ? nil : rows.count == segment.count ? segment : segment.rows(at: rows)
    }
  }

  /// The rounding error of times in microseconds.
  private static let precision: Int64 = 1

  /// Returns the points between two times, in segments.
  ///
  /// The first and the last point are at the given places, unless a recorded point has their time. The values
  /// there are interpolated between the neighbouring points. Values that one of them lacks are absent.
  ///
  /// - Parameters:
  ///   - start: the start in seconds since ``origin``.
  ///   - end: the end in seconds since ``origin``.
  ///   - places: the positions at these times.
  package func part(
    from start: Double, to end: Double, places: (first: Coordinate, last: Coordinate)
  ) -> [PointColumns] {
    guard let start = origin.advanced(bySeconds: start), let end = origin.advanced(bySeconds: end) else {
      return []
    }
    var part = segments.compactMap { segment in
      let rows =
        segment.times.partitionIndex {
          $0 >= start.microseconds - Self.precision
        }..<segment.times.partitionIndex { $0 > end.microseconds + Self.precision }
      return rows.isEmpty ? nil : segment.rows(rows)
    }
    if part.isEmpty { part = [PointColumns()] }
    if part[0].times.first.map({ $0 > start.microseconds + Self.precision }) ?? true {
      var points = point(at: start, places.first)
      points.append(part[0])
      part[0] = points
    }
    if part[part.count - 1].times.last.map({ $0 < end.microseconds - Self.precision }) ?? true {
      part[part.count - 1].append(point(at: end, places.last))
    }
    return part
  }

  /// Returns a point with the values at a time.
  private func point(at time: Instant, _ place: Coordinate) -> PointColumns {
    var point = PointColumns()
    var before: (segment: Int, row: Int)?
    var after: (segment: Int, row: Int)?
    for (index, segment) in segments.enumerated() {
      let row = segment.times.partitionIndex { $0 >= time.microseconds }
      if row > 0 { before = (index, row - 1) }
      guard row < segment.count else { continue }
      after = (index, row)
      break
    }
    guard let before, let after else {
      point.append(place, time: time)
      return point
    }
    let (first, last) = (segments[before.segment], segments[after.segment])
    let span = last.times[after.row] - first.times[before.row]
    let fraction = span > 0 ? Double(time.microseconds - first.times[before.row]) / Double(span) : 0
    var values: [Channel: Double] = [:]
    for channel in first.channels.intersection(last.channels).channels {
      guard let start = first.value(channel, at: before.row), let end = last.value(channel, at: after.row)
      else { continue }
      values[channel] = channel.interpolated(from: start, to: end, fraction: fraction)
    }
    var details = PointDetails()
    if let start = first.details(at: before.row).extraValues,
      let end = last.details(at: after.row).extraValues
    {
      details.extraValues = start.interpolated(to: end, fraction: fraction)
    }
    point.append(place, time: time, values: values, details: details)
    return point
  }
}
