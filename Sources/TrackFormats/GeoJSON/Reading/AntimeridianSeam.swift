import TrackModel

/// Joins lines that were cut at the antimeridian (RFC 7946, section 3.1.9) and removes the points that were
/// added there.
///
/// A cut is recognised if a line ends at ±180° and the next line of the track begins at ∓180° with the same
/// latitude, elevation and time. Without times, only the cuts of ``GeoJSONWriter`` are, which marks them. In
/// lines of other programs, a position that differs from the interpolation between its neighbours was
/// recorded, and is kept once.
struct AntimeridianSeam: ~Copyable {
  /// The last point of a line while it may be part of a seam. After a release, the rows of the caller's batch
  /// that follow it.
  ///
  /// As large as other batches, because it is exchanged with that of the caller.
  private var held = PointBatch()
  /// The position before the held point.
  private var before = Coordinate(latitude: .nan, longitude: .nan)
  /// The events after the held point: the end of its line and the start of the next.
  private var withheld: [TrackEvent] = []
  /// Whether the next line has been joined, and its first point removed.
  private var isJoined = false
  /// Events that follow the released point, in reverse order.
  private var released: [TrackEvent] = []

  var isHolding: Bool { held.count > 0 && released.isEmpty }

  /// Returns the next event of those that follow a released point.
  mutating func nextReleased(into batch: inout PointBatch) -> TrackEvent? {
    guard let event = released.popLast() else { return nil }
    batch.removeAll()
    if case .beginSegment = event { beginSegment() }
    guard released.isEmpty else { return event }
    swap(&batch, &held)
    // Its points may end at the meridian, too.
    if case .points = event, hold(&batch) { return nil }
    return event
  }

  /// Processes an event of the file.
  ///
  /// - Parameter isMarked: whether the track is marked as cut by ``GeoJSONWriter``.
  /// - Returns: the event to deliver, or `nil` if it depends on the following events.
  mutating func process(_ event: TrackEvent?, _ batch: inout PointBatch, isMarked: Bool) -> TrackEvent? {
    if isHolding {
      switch event {
      case .endSegment where withheld.isEmpty && !isJoined, .beginSegment where withheld.count == 1:
        withheld += event.map { [$0] } ?? []
        return nil
      case .points where withheld.count == 2 && isSeam(batch, isMarked: isMarked):
        withheld = []
        isJoined = true
        batch.keepRows { $0 > 0 }
        if batch.count == 0 { return nil }
      default: break
      }
      guard isJoined, case .points = event, isMarked || isAdded(before: batch.coordinate(at: 0)) else {
        return release(event, &batch)
      }
      isJoined = false
      held.removeAll()
    }
    guard case .points = event else {
      if case .beginSegment = event { beginSegment() }
      return event
    }
    return hold(&batch) ? nil : event
  }

  private mutating func beginSegment() { before = Coordinate(latitude: .nan, longitude: .nan) }

  /// Delivers the held point before other events.
  private mutating func release(_ event: TrackEvent?, _ batch: inout PointBatch) -> TrackEvent {
    released = (withheld + (event.map { [$0] } ?? [])).reversed()
    withheld = []
    isJoined = false
    swap(&batch, &held)
    before = batch.coordinate(at: 0)
    return .points
  }

  /// Withholds the last point of the batch if it is on the meridian and is not the first of its line.
  ///
  /// - Returns: whether no other point remains.
  private mutating func hold(_ batch: inout PointBatch) -> Bool {
    guard batch.count > 0 else { return false }
    let last = batch.count - 1
    if last > 0 { before = batch.coordinate(at: last - 1) }
    guard abs(batch.longitudes[last]) == 180, !before.latitude.isNaN else {
      before = batch.coordinate(at: last)
      return false
    }
    held.removeAll()
    held.append(latitude: batch.latitudes[last], longitude: batch.longitudes[last], time: batch.times[last])
    for channel in batch.channels.channels {
      if let value = batch.value(channel, at: last) { held.set(channel, value) }
    }
    if let details = batch.details.last, details.row == last { held.set(details.details) }
    batch.removeLast()
    return last == 0
  }

  /// Whether the batch begins with the held point on the other side of the meridian.
  private func isSeam(_ batch: borrowing PointBatch, isMarked: Bool) -> Bool {
    (isMarked || held.times[0] != Instant.absent) && batch.longitudes[0] == -held.longitudes[0]
      && batch.latitudes[0] == held.latitudes[0] && batch.times[0] == held.times[0]
      && batch.value(.elevation, at: 0) == held.value(.elevation, at: 0)
  }

  /// Whether the held point was added by the cut, which sets no sensors.
  ///
  /// Programs interpolate on a plane or a great circle. Over the distances in tracks, the two differ by much
  /// less than one percent.
  private func isAdded(before next: Coordinate) -> Bool {
    guard let crossing = AntimeridianCrossing(from: before.longitude, to: next.longitude),
      held.channels.channels.allSatisfy({ $0 == .elevation }), held.details.isEmpty
    else { return false }
    let latitude = crossing.interpolate(before.latitude, next.latitude)
    let distance =
      abs(next.latitude - before.latitude) + 360 - abs(next.longitude - before.longitude)
    return abs(held.latitudes[0] - latitude) <= 1e-9 + 0.01 * distance
  }
}
