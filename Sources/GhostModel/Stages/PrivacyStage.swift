public import TrackModel

/// Cuts the ends of tracks and routes that lie near a place, such as home: `--privacy`.
///
/// From each end inwards, everything up to the last point within the radius goes until the line has left the
/// circle; where it passes through the circle in between it stays. Waypoints inside go too. A line that never
/// leaves the circle goes as a whole.
public struct PrivacyStage: TrackStage {
  private let center: Coordinate
  private let radius: Double
  /// Points inside the circle since the line was last outside: its end, should it end there.
  private var held = StageOutput()
  private var heldPoints = 0
  private var hasLeft = false
  private var isInLine = false
  private var total = 0
  private var removed = 0

  /// - Parameter radius: in metres.
  public init(center: Coordinate, radius: Double) {
    self.center = center
    self.radius = radius
  }

  public var summary: String? { Counted.leftOut("privacy", removed, of: total) }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .waypoint(let waypoint):
      total += 1
      if isInside(waypoint.coordinate) { removed += 1 } else { output.emit(event) }
    case .beginTrack, .beginRoute:
      hasLeft = false
      isInLine = true
      output.emit(event)
    case .endTrack, .endRoute:
      dropHeld(&output)
      isInLine = false
      output.emit(event)
    case .points: takePoints(batch, &output)
    default:
      // Structure inside what is held keeps its place in it.
      if heldPoints > 0 { held.emit(event) } else { output.emit(event) }
    }
  }

  public mutating func finish(_ output: inout StageOutput) { dropHeld(&output) }

  private func isInside(_ coordinate: Coordinate) -> Bool {
    Geodesy.distance(from: coordinate, to: center) <= radius
  }

  private mutating func takePoints(_ batch: borrowing PointBatch, _ output: inout StageOutput) {
    var columns = PointColumns()
    columns.append(batch)
    total += columns.count
    var first = 0
    while first < columns.count {
      let inside = isInside(columns.coordinate(at: first))
      var next = first + 1
      while next < columns.count, isInside(columns.coordinate(at: next)) == inside { next += 1 }
      let run = columns.rows(first..<next)
      if !inside {
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

  /// The line has ended inside the circle: its points go, its structure stays.
  private mutating func dropHeld(_ output: inout StageOutput) {
    removed += heldPoints
    output.append(held.structure)
    held = StageOutput()
    heldPoints = 0
  }
}
