public import TrackModel

/// Begins a new track after each stop, and removes the points of the stop.
///
/// A stop is a period of a minimum duration in which the points are within ``radius`` metres of its first
/// one (stay points: Li et al., Mining User Similarity Based on Location History, 2008). Single points
/// further away do not end it. The track before ends with its first point near the mean position of the
/// stop, and the next one begins with the last such point. Stops at the start and the end of a track are
/// removed as well, and so are ways from one stop to another that stay within twice the radius.
///
/// The parts have the names and laps of ``SplitGapStage``. Of a stop, only the points since the last one near
/// its mean position are held in memory.
public struct SplitStopStage: TrackStage {
  /// The distance from the first point of a stop in metres that ends it.
  public static let radius = 100.0
  /// The distance from the mean position of a stop within which a track begins or ends.
  private static let near = 30.0
  /// The number of points in a row outside the radius that end a stop, and the number of points of a stop
  /// that are held.
  private static let outside = 2
  private static let mostHeld = 4096

  private let shortest: Int64
  private var parts = SplitGapStage(seconds: .infinity)
  private var isInTrack = false
  /// The first point of what may become a stop, its row in the held points, and the previous point.
  private var anchor: (coordinate: Coordinate, time: Int64)?
  private var anchorRow = 0
  private var previous: (coordinate: Coordinate, time: Int64)?
  /// The mean position of the stop, or nil while moving.
  private var stop: Coordinate?
  /// The mean position of the last stop until a point is far from it, so that a way has begun.
  private var departure: Coordinate?
  private var outside = 0
  /// While moving, the points since the anchor; at a stop, those since the last one near it.
  private var held = PointColumns()
  /// Whether the open track has points, and whether the next ones begin another track.
  private var hasPoints = false
  private var beginsPart = false
  private var stops = 0
  private var removed = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameter seconds: the duration of the shortest stop, above zero.
  public init(seconds: Double) {
    shortest = max(0, Instant.microseconds(inSeconds: seconds))
  }

  public var summary: String? {
    let duration = Counted.duration(Double(shortest) / 1e6)
    return stops == 0
      ? nil
      : "split-stops: \(Counted.of(stops, "stop")) of \(duration) or longer, "
        + "\(Counted.of(removed, "point")) removed"
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack:
      isInTrack = true
      stop = nil
      departure = nil
      anchor = nil
      previous = nil
      hasPoints = false
      beginsPart = false
    case .endSegment: release(&output)
    case .endTrack:
      release(&output)
      isInTrack = false
    default: break
    }
    parts.take(event, &output)
  }

  public mutating func finish(_ output: inout StageOutput) {
    // Only an interrupted stream leaves a track open.
    release(&output)
    parts.finish(&output)
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard isInTrack else { return }
    var points = held
    let begun = points.count
    points.append(batch)
    batch.removeAll()
    // The first point that is neither emitted nor removed.
    var start = 0
    for row in begun..<points.count where points.times[row] != Instant.absent {
      if let stop {
        leave(stop, points, row, &start)
      } else {
        move(points, row, &start, &output)
      }
      previous = (points.coordinate(at: row), points.times[row])
    }
    held = points.rows(start..<points.count)
    anchorRow = max(anchorRow - start, 0)
  }

  /// Emits the points that cannot belong to a stop, and finds out whether a stop has begun.
  private mutating func move(
    _ points: PointColumns, _ row: Int, _ start: inout Int, _ output: inout StageOutput
  ) {
    let place = points.coordinate(at: row)
    let time = points.times[row]
    guard let anchor, let previous else { return self.anchor = (place, time) }
    if time &- previous.time >= shortest,
      Geodesy.distance(from: previous.coordinate, to: place) <= Self.radius
    {
      let isWay = hasPoints || start < row && !isNear(points.coordinate(at: start), previous.coordinate)
      begin(at: previous.coordinate, points, start..<row, isWay ? row : start, &output)
      start = row
      return
    }
    guard Geodesy.distance(from: anchor.coordinate, to: place) > Self.radius else {
      outside = 0
      if time &- anchor.time >= shortest {
        begin(points, start..<row, around: anchor.coordinate, &output)
        // The last point is held, because the stop may end with it.
        start = row
      }
      return
    }
    outside += 1
    guard outside == Self.outside else { return }
    outside = 0
    // The first point from which this one is within the radius is the next anchor.
    anchorRow = max(anchorRow, start)
    while anchorRow < row,
      points.times[anchorRow] == Instant.absent
        || Geodesy.distance(from: points.coordinate(at: anchorRow), to: place) > Self.radius
    {
      anchorRow += 1
    }
    self.anchor = (points.coordinate(at: anchorRow), points.times[anchorRow])
    if let departure, Geodesy.distance(from: departure, to: place) <= 2 * Self.radius,
      row - start < Self.mostHeld
    {
      return
    }
    departure = nil
    emit(points.rows(start..<anchorRow), &output)
    start = anchorRow
  }

  /// Begins a stop of which all points are held, and emits the points of the way to it.
  private mutating func begin(
    _ points: PointColumns, _ rows: Range<Int>, around origin: Coordinate, _ output: inout StageOutput
  ) {
    var (north, east, count) = (0.0, 0.0, 0.0)
    for row in rows {
      let place = points.coordinate(at: row)
      guard Geodesy.distance(from: origin, to: place) <= Self.radius else { continue }
      north += place.latitude - origin.latitude
      east += Geodesy.longitudeDifference(from: origin.longitude, to: place.longitude)
      count += 1
    }
    let mean = Coordinate(
      latitude: origin.latitude + north / max(count, 1), longitude: origin.longitude + east / max(count, 1))
    let arrival = rows.first { isNear(mean, points.coordinate(at: $0)) }
    begin(at: mean, points, rows, arrival.map { $0 + 1 } ?? rows.lowerBound, &output)
  }

  /// Begins a stop.
  ///
  /// - Parameter end: the end of the rows that belong to the way before it.
  private mutating func begin(
    at place: Coordinate, _ points: PointColumns, _ rows: Range<Int>, _ end: Int, _ output: inout StageOutput
  ) {
    stop = place
    outside = 0
    // The last stop continues nearby.
    let isContinued = departure != nil
    if !isContinued { stops += 1 }
    // Without points before it, the track begins with the stop.
    let end = !isContinued && (hasPoints || end == rows.upperBound) ? end : rows.lowerBound
    emit(points.rows(rows.lowerBound..<end), &output)
    removed += rows.upperBound - end
    departure = nil
    beginsPart = hasPoints
  }

  /// Removes points of the stop, and finds out whether it has ended.
  private mutating func leave(_ stop: Coordinate, _ points: PointColumns, _ row: Int, _ start: inout Int) {
    let place = points.coordinate(at: row)
    guard Geodesy.distance(from: stop, to: place) > Self.radius else {
      outside = 0
      if isNear(stop, place) || row - start > Self.mostHeld {
        removed += row - start
        start = row
      }
      return
    }
    outside += 1
    guard outside == Self.outside else { return }
    outside = 0
    self.stop = nil
    departure = stop
    // Points long before the departure would lengthen the next track.
    for next in stride(from: row, to: start, by: -1)
    where points.times[next] != Instant.absent && points.times[next - 1] != Instant.absent
      && points.times[next] &- points.times[next - 1] >= shortest
    {
      removed += next - start
      start = next
      break
    }
    anchor = (points.coordinate(at: start), points.times[start])
    anchorRow = start
  }

  private func isNear(_ stop: Coordinate, _ place: Coordinate) -> Bool {
    Geodesy.distance(from: stop, to: place) <= Self.near
  }

  /// Emits the held points, or removes those of a stop.
  private mutating func release(_ output: inout StageOutput) {
    if stop == nil { emit(held, &output) } else { removed += held.count }
    held = PointColumns()
    anchorRow = 0
    departure = nil
    outside = 0
  }

  private mutating func emit(_ points: PointColumns, _ output: inout StageOutput) {
    guard !points.isEmpty else { return }
    parts.append(points, asNewPart: beginsPart, &output)
    beginsPart = false
    hasPoints = true
  }
}
