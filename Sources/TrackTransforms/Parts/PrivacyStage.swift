public import TrackModel

/// Removes all points near given places, such as home.
///
/// Segments and routes are split where points were removed or the line between two points touches a zone, so
/// that no line crosses a zone. If drives will be created, tracks are split instead, because uniform
/// resampling bridges segments. Waypoints in a zone are removed too. Laps and the extensions of the file, its
/// tracks and segments are removed everywhere, because they may contain the place in an unknown form. The
/// times of files and of whole tracks and the distances of waypoints are removed as well. The distances of
/// points start at 0 and exclude the hidden parts.
public struct PrivacyStage: TrackStage {
  /// The area around a position.
  public struct Circle: Sendable, Hashable {
    /// The position of the place.
    public var center: Coordinate
    /// The radius in metres.
    public var radius: Double

    /// Creates a zone. The radius is in metres.
    public init(center: Coordinate, radius: Double) {
      self.center = center
      self.radius = radius
    }
  }

  private let zones: PrivacyZones
  private let splitsTracks: Bool
  /// Whether another stage has removed the points in the zones before.
  private let isRepeated: Bool
  /// The points and waypoints removed by each zone.
  private var removedByZone: [Int]
  /// The zones touched by a line between two points.
  private var crossedZones: Set<Int> = []
  /// The open route; nil inside a track.
  private var route: TrackInfo?
  /// The open track and the number of its parts.
  private var track = TrackInfo()
  private var parts = 1
  /// The last emitted point of the open segment or route, or of the open track if tracks are split. The line
  /// from it must not cross a zone.
  private var last: Coordinate?
  /// Whether points were removed after that point.
  private var isCut = false
  /// The number of places where tracks were split.
  private var splits = 0
  /// The amount to subtract from distances, and the first distance that it applies to; nil until the first
  /// distance after a cut.
  private var distanceShift: (amount: Double, start: Double)?
  private var lastDistance = 0.0
  private var total = 0
  /// The number of points and waypoints that were removed.
  public private(set) var removed = 0
  /// The number of removed laps, extensions, times and distances.
  private var descriptions = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameters:
  ///   - circles: the zones, numbered from 1 in the summary and in warnings.
  ///   - splitsTracks: whether tracks are split and not only their segments. Parts after the first are
  ///     numbered in the track's name, as in ``SplitGapStage``.
  public init(_ circles: [Circle], splitsTracks: Bool = false) {
    self.init(circles, splitsTracks: splitsTracks, isRepeated: false)
  }

  /// - Parameter isRepeated: whether another stage has removed the points in the zones before, and this one
  ///   splits the lines that later stages drew through them.
  package init(_ circles: [Circle], splitsTracks: Bool, isRepeated: Bool) {
    self.isRepeated = isRepeated
    zones = PrivacyZones(circles)
    self.splitsTracks = splitsTracks
    removedByZone = Array(repeating: 0, count: circles.count)
  }

  /// Creates a stage with a single zone, which splits segments.
  ///
  /// - Parameters:
  ///   - center: the position of the place.
  ///   - radius: the radius in metres.
  public init(center: Coordinate, radius: Double) { self.init([Circle(center: center, radius: radius)]) }

  public var summary: String? {
    var points = Counted.leftOut("privacy", removed, of: total)
    if zones.indices.count > 1, let counts = points {
      let zones = removedByZone.enumerated().map { "zone \($0.offset + 1): \($0.element)" }
      points = "\(counts) (\(zones.joined(separator: ", ")))"
    }
    if splits > 0 {
      let places = "tracks split at \(Counted.of(splits, "place"))"
      points = points.map { "\($0), \(places)" } ?? "privacy: \(places)"
    }
    guard descriptions > 0 else { return points }
    let others =
      "\(Counted.of(descriptions, "item")) that may reveal the place removed (laps, extensions, times, distances)"
    return points.map { "\($0), \(others)" } ?? "privacy: \(others)"
  }

  /// The warnings about zones that contain no point.
  public var warnings: [TrackWarning] {
    guard total > 0, !isRepeated else { return [] }
    return zones.warnings(touched: crossedZones.union(zones.indices.filter { removedByZone[$0] > 0 }))
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    guard let event = discreet(event) else { return }
    switch event {
    case .waypoint(var waypoint):
      total += 1
      if waypoint.values.removeValue(forKey: .distance) != nil { descriptions += 1 }
      if isRemoved(waypoint.coordinate) { return }
      output.emit(.waypoint(waypoint))
      return
    case .beginRoute(let info):
      route = info
      beginLine()
      beginDistances()
    case .beginTrack(let info):
      route = nil
      track = info
      parts = 1
      beginLine()
      beginDistances()
    case .annotation(.track(let info)):
      // A late name applies to the first part. The other parts have it from the start.
      track.merge(info)
    case .beginSegment: if !splitsTracks { beginLine() }
    default: break
    }
    output.emit(event)
  }

  private mutating func beginLine() {
    last = nil
    isCut = false
  }

  private mutating func beginDistances() {
    distanceShift = nil
    lastDistance = 0
  }

  /// Returns the event without information that may reveal the place, or nil if nothing is left.
  private mutating func discreet(_ event: TrackEvent) -> TrackEvent? {
    switch event {
    case .header(let info): return .header(discreet(info))
    case .beginTrack(let info): return .beginTrack(discreet(info))
    case .beginRoute(let info): return .beginRoute(discreet(info))
    case .annotation(.file(let info)): return .annotation(.file(discreet(info)))
    case .annotation(.track(let info)): return .annotation(.track(discreet(info)))
    case .annotation(.extensions(let extensions)):
      descriptions += extensions.count
      return nil
    default: return event
    }
  }

  private mutating func discreet(_ info: FileInfo) -> FileInfo {
    var info = info
    descriptions += info.extensions.count
    info.extensions = []
    if info.time != nil { descriptions += 1 }
    info.time = nil
    return info
  }

  private mutating func discreet(_ info: TrackInfo) -> TrackInfo {
    var info = info
    // The mark of artificial times reveals no place, and without it they would be treated as real.
    let clocks = info.extensions.compactMap(\.artificialClock)
    descriptions += info.extensions.count - clocks.count + info.laps.count
    info.extensions = clocks
    info.laps = []
    if info.timeSpan != nil { descriptions += 1 }
    info.timeSpan = nil
    return info
  }

  /// Returns whether a point is in a zone, and counts it.
  private mutating func isRemoved(_ coordinate: Coordinate) -> Bool {
    let found = zones.containing(coordinate)
    for zone in found { removedByZone[zone] += 1 }
    if !found.isEmpty { removed += 1 }
    return !found.isEmpty
  }

  /// Returns whether the line from the last point touches a zone, and records the zone.
  private mutating func isCrossed(by coordinate: Coordinate) -> Bool {
    guard let last else { return false }
    let found = zones.crossed(from: last, to: coordinate)
    crossedZones.formUnion(found)
    return !found.isEmpty
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    total += batch.count
    var inside: [Bool] = []
    inside.reserveCapacity(batch.count)
    for row in 0..<batch.count { inside.append(isRemoved(batch.coordinate(at: row))) }
    shiftDistances(&batch, inside)
    /// The rows as columns, starting with the first cut.
    var columns: PointColumns?
    var first = 0
    func emitRows(before row: Int) {
      let all = columns ?? PointColumns(batch)
      columns = all
      if first < row { output.emit(all.rows(first..<row)) }
    }
    for row in 0..<batch.count {
      if inside[row] {
        emitRows(before: row)
        first = row + 1
        isCut = last != nil
        continue
      }
      let coordinate = batch.coordinate(at: row)
      if isCut || isCrossed(by: coordinate) {
        emitRows(before: row)
        first = row
        split(&output)
      }
      last = coordinate
    }
    guard columns != nil else { return }
    emitRows(before: batch.count)
    batch.removeAll()
  }

  private mutating func split(_ output: inout StageOutput) {
    isCut = false
    if let route {
      output.emit(.endRoute)
      output.emit(.beginRoute(route))
      return
    }
    output.emit(.endSegment)
    if splitsTracks {
      splits += 1
      parts += 1
      var part = track
      part.name = track.name.map { "\($0) (\(parts))" }
      output.emit(.endTrack)
      output.emit(.beginTrack(part))
    }
    output.emit(.beginSegment)
  }

  private mutating func shiftDistances(_ batch: inout PointBatch, _ inside: [Bool]) {
    var values = batch.mutableValues(of: .distance)
    for row in 0..<values.count {
      if inside[row] {
        distanceShift = nil
      } else if !values[row].isNaN {
        let shift = distanceShift ?? (amount: values[row] - lastDistance, start: values[row])
        distanceShift = shift
        // A smaller distance comes from a counter that was reset, and does not reveal the start.
        if values[row] >= shift.start { values[row] -= shift.amount }
        lastDistance = values[row]
      }
    }
  }
}

extension ExtensionElement {
  /// The part of a ``DriveElement`` that marks artificial times; nil if there is none.
  fileprivate var artificialClock: ExtensionElement? {
    guard isDrive, value(of: DriveElement.clock) == DriveElement.artificialClock else { return nil }
    return DriveElement.make(attributes.filter { $0.name == DriveElement.clock })
  }
}

extension TrackWarning.Code {
  /// A privacy zone contains no points, for example because its coordinates are swapped.
  public static let unmatchedZone = Self("unmatched-zone")
}
