/// A document as a stream: header, waypoints, routes, tracks.
public struct TrackDocumentReader: TrackReader {
  private let document: TrackDocument
  private var step = Step.header

  private enum Step {
    case header
    case waypoint(Int)
    case route(Int)
    case routePoints(Int, row: Int)
    case track(Int)
    case segment(track: Int, Int)
    case points(track: Int, segment: Int, row: Int)
    case end
  }

  /// Always empty, because the document is already in memory.
  public var warnings: [TrackWarning] { [] }

  /// Creates a reader that delivers the content of a document.
  public init(_ document: TrackDocument) { self.document = document }

  /// Delivers the next event; see ``TrackReader/next(into:)``.
  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    switch step {
    case .header:
      step = .waypoint(0)
      return .header(document.info)
    case .waypoint(let index):
      guard index < document.waypoints.count else {
        step = .route(0)
        return try next(into: &batch)
      }
      step = .waypoint(index + 1)
      return .waypoint(document.waypoints[index])
    case .route(let index):
      guard index < document.routes.count else {
        step = .track(0)
        return try next(into: &batch)
      }
      step = .routePoints(index, row: 0)
      return .beginRoute(document.routes[index].info)
    case .routePoints(let index, let row):
      let added = batch.append(document.routes[index].points, from: row)
      step = added > 0 ? .routePoints(index, row: row + added) : .route(index + 1)
      return added > 0 ? .points : .endRoute
    case .track(let index):
      guard index < document.tracks.count else {
        step = .end
        return nil
      }
      step = .segment(track: index, 0)
      return .beginTrack(document.tracks[index].info)
    case .segment(let track, let index):
      guard index < document.tracks[track].segments.count else {
        step = .track(track + 1)
        return .endTrack
      }
      step = .points(track: track, segment: index, row: 0)
      return .beginSegment
    case .points(let track, let index, let row):
      let segment = document.tracks[track].segments[index]
      let added = batch.append(segment.points, from: row)
      if added > 0 {
        step = .points(track: track, segment: index, row: row + added)
        return .points
      }
      if row != .max, !segment.extensions.isEmpty {
        step = .points(track: track, segment: index, row: .max)
        return .annotation(.extensions(segment.extensions))
      }
      step = .segment(track: track, index + 1)
      return .endSegment
    case .end: return nil
    }
  }
}
