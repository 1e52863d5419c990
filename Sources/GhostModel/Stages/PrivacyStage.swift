public import TrackModel

/// Cuts the ends of tracks and routes that lie near a place, such as home: `--privacy`.
///
/// From each end inwards, all points go until the line has left the circles; where it passes through one in
/// between it stays. Waypoints inside go too. A line that never leaves the circles goes as a whole. Memory
/// holds what lies inside a circle and may yet be an end.
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

  /// - Parameter circles: count as one area: an end that runs from one into the other goes as a whole.
  public init(_ circles: [Circle]) {
    self.circles = circles.map { (GeodeticPoint($0.center), $0.radius) }
  }

  /// - Parameter radius: in metres.
  public init(center: Coordinate, radius: Double) { self.init([Circle(center: center, radius: radius)]) }

  public var summary: String? { Counted.leftOut("privacy", removed, of: total) }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .waypoint(let waypoint):
      total += 1
      if isInside(waypoint.coordinate) { removed += 1 } else { output.emit(event) }
    case .beginTrack, .beginRoute:
      hasLeft = false
      output.emit(event)
    case .endTrack, .endRoute:
      finish(&output)
      output.emit(event)
    case .points: takePoints(batch, &output)
    default:
      // Structure inside what is held keeps its place in it.
      if heldPoints > 0 { held.emit(event) } else { output.emit(event) }
    }
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

  private mutating func takePoints(_ batch: borrowing PointBatch, _ output: inout StageOutput) {
    var columns = PointColumns()
    columns.append(batch)
    total += columns.count
    let inside = (0..<columns.count).map { isInside(columns.coordinate(at: $0)) }
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
}
