public import TrackModel

/// Removes all points near given places, such as home: `--privacy`.
///
/// Segments and routes are split where points were removed, so that no line crosses a zone. Waypoints in a zone are removed
/// too. Laps and the file's own extensions of the file, its tracks and segments are removed from the whole file: they may
/// contain the place in an unknown form. So are the times of files and of whole tracks, and the distances of waypoints. The
/// distances of points start at 0 and continue after a cut without the hidden part.
public struct PrivacyStage: TrackStage {
  /// What lies near a place.
  public struct Circle: Sendable, Hashable {
    public var center: Coordinate
    /// In metres.
    public var radius: Double

    public init(center: Coordinate, radius: Double) {
      self.center = center
      self.radius = radius
    }
  }

  private let circles: [(center: GeodeticPoint, radius: Double)]
  /// The points and waypoints removed by each zone.
  private var removedByZone: [Int]
  /// The open route; nil inside a track.
  private var route: TrackInfo?
  /// Whether the open segment or route has points in the output.
  private var hasPoints = false
  /// Whether points of the open segment or route were removed after its last point in the output.
  private var isCut = false
  /// The amount to subtract from distances, and the first distance that it applies to; nil until the first distance after a
  /// cut.
  private var distanceShift: (amount: Double, start: Double)?
  private var lastDistance = 0.0
  private var total = 0
  private var removed = 0
  /// Laps, extensions, times and distances that were left out.
  private var descriptions = 0

  /// - Parameter circles: the zones, numbered from 1 in the summary and in warnings.
  public init(_ circles: [Circle]) {
    self.circles = circles.map { (GeodeticPoint($0.center), $0.radius) }
    removedByZone = Array(repeating: 0, count: circles.count)
  }

  /// - Parameter radius: in metres.
  public init(center: Coordinate, radius: Double) { self.init([Circle(center: center, radius: radius)]) }

  public var summary: String? {
    var points = Counted.leftOut("privacy", removed, of: total)
    if circles.count > 1, let counts = points {
      let zones = removedByZone.enumerated().map { "zone \($0.offset + 1): \($0.element)" }
      points = "\(counts) (\(zones.joined(separator: ", ")))"
    }
    guard descriptions > 0 else { return points }
    let others = "\(descriptions) laps, extensions, times and distances that may tell the place left out"
    return points.map { "\($0), \(others)" } ?? "privacy: \(others)"
  }

  /// The zones that no point was in.
  public var warnings: [TrackWarning] {
    guard total > 0 else { return [] }
    return removedByZone.indices.filter { removedByZone[$0] == 0 }.map { zone in
      let name = circles.count > 1 ? "privacy zone \(zone + 1)" : "the privacy zone"
      return TrackWarning(.unmatchedZone, "\(name) contains no point, nothing removed")
    }
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
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
    case .beginTrack:
      route = nil
      beginDistances()
    case .beginSegment: beginLine()
    case .points: return takePoints(&batch, &output)
    default: break
    }
    output.emit(event)
  }

  private mutating func beginLine() {
    hasPoints = false
    isCut = false
  }

  private mutating func beginDistances() {
    distanceShift = nil
    lastDistance = 0
  }

  /// The event without what may tell the place in words; nil where nothing is left.
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
    descriptions += info.extensions.count + info.laps.count
    info.extensions = []
    info.laps = []
    if info.timeSpan != nil { descriptions += 1 }
    info.timeSpan = nil
    return info
  }

  /// Whether a point is in a zone, which is counted.
  private mutating func isRemoved(_ coordinate: Coordinate) -> Bool {
    let point = GeodeticPoint(coordinate)
    var isInside = false
    for (zone, circle) in circles.enumerated()
    where Geodesy.distance(from: point, to: circle.center) <= circle.radius {
      removedByZone[zone] += 1
      isInside = true
    }
    if isInside { removed += 1 }
    return isInside
  }

  private mutating func takePoints(_ batch: inout PointBatch, _ output: inout StageOutput) {
    total += batch.count
    var inside: [Bool] = []
    inside.reserveCapacity(batch.count)
    for row in 0..<batch.count { inside.append(isRemoved(batch.coordinate(at: row))) }
    shiftDistances(&batch, inside)
    var columns = PointColumns()
    columns.append(batch)
    var first = 0
    while first < columns.count {
      let next = inside[first...].firstIndex(of: !inside[first]) ?? columns.count
      if inside[first] {
        isCut = hasPoints
      } else {
        if isCut { split(&output) }
        output.emit(columns.rows(first..<next))
        hasPoints = true
      }
      first = next
    }
  }

  private mutating func split(_ output: inout StageOutput) {
    isCut = false
    output.emit(route == nil ? .endSegment : .endRoute)
    output.emit(route.map { .beginRoute($0) } ?? .beginSegment)
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

extension TrackWarning.Code {
  public static let unmatchedZone = Self("unmatched zone")
}
