public import TrackModel

/// Cuts the ends of tracks and routes that lie near a place, such as home: `--privacy`.
///
/// From each end inwards, all points go until the line has left the circles; where it passes through one in
/// between it stays. Waypoints inside go too. A line that never leaves the circles goes as a whole. Laps, and what a
/// file says in extensions of its own about itself, its tracks and segments, go from the whole file: they may hold
/// the very place in a form that nobody knows. So do the times of files and of whole tracks, which tell when the
/// hidden way began, and the distances of waypoints; those of points begin at 0 with the first that stays, since they
/// would tell how far off the hidden start is. Memory holds what lies inside a circle and may yet be an end.
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
  /// Points inside since the line was last outside, with the structure between them: its end, should it end
  /// there.
  private var held = StageOutput()
  private var heldPoints = 0
  private var hasLeft = false
  private var total = 0
  private var removed = 0
  /// What the device counts of the open line at its first point that stays.
  private var firstDistance: Double?
  /// Laps, extensions, times and distances that were left out.
  private var descriptions = 0

  /// - Parameter circles: count as one area: an end that runs from one into the other goes as a whole.
  public init(_ circles: [Circle]) {
    self.circles = circles.map { (GeodeticPoint($0.center), $0.radius) }
  }

  /// - Parameter radius: in metres.
  public init(center: Coordinate, radius: Double) { self.init([Circle(center: center, radius: radius)]) }

  public var summary: String? {
    let points = Counted.leftOut("privacy", removed, of: total)
    guard descriptions > 0 else { return points }
    let others = "\(descriptions) laps, extensions, times and distances that may tell the place left out"
    return points.map { "\($0), \(others)" } ?? "privacy: \(others)"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    guard let event = discreet(event) else { return }
    switch event {
    case .waypoint(var waypoint):
      total += 1
      if waypoint.values.removeValue(forKey: .distance) != nil { descriptions += 1 }
      if isInside(waypoint.coordinate) { removed += 1 } else { output.emit(.waypoint(waypoint)) }
    case .beginTrack, .beginRoute:
      hasLeft = false
      firstDistance = nil
      output.emit(event)
    case .endTrack, .endRoute:
      finish(&output)
      output.emit(event)
    case .points: takePoints(&batch, &output)
    default:
      // Structure inside what is held keeps its place in it.
      if heldPoints > 0 { held.emit(event) } else { output.emit(event) }
    }
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

  /// The line has ended inside: its points go, its structure stays. So too where the stream broke off.
  public mutating func finish(_ output: inout StageOutput) {
    removed += heldPoints
    output.append(held.structure)
    held = StageOutput()
    heldPoints = 0
  }

  private func isInside(_ coordinate: Coordinate) -> Bool {
    let point = GeodeticPoint(coordinate)
    return circles.contains { Geodesy.distance(from: point, to: $0.center) <= $0.radius }
  }

  private mutating func takePoints(_ batch: inout PointBatch, _ output: inout StageOutput) {
    let inside = (0..<batch.count).map { isInside(batch.coordinate(at: $0)) }
    moveDistances(&batch, from: hasLeft ? 0 : inside.firstIndex(of: false) ?? batch.count)
    var columns = PointColumns()
    columns.append(batch)
    total += columns.count
    var first = 0
    while first < columns.count {
      let next = inside[first...].firstIndex(of: !inside[first]) ?? columns.count
      let run = columns.rows(first..<next)
      if !inside[first] {
        hasLeft = true
        output.append(held)
        held = StageOutput()
        heldPoints = 0
        output.emit(run)
      } else if hasLeft {
        held.emit(run)
        heldPoints += run.count
      } else {
        removed += run.count
      }
      first = next
    }
  }

  /// Lets the distances of a line begin at 0, from its first row that stays.
  private mutating func moveDistances(_ batch: inout PointBatch, from first: Int) {
    var values = batch.mutableValues(of: .distance)
    for row in min(first, values.count)..<values.count where !values[row].isNaN {
      let start = firstDistance ?? values[row]
      firstDistance = start
      // A count that began anew behind the start does not tell of it.
      if values[row] >= start { values[row] -= start }
    }
  }
}
