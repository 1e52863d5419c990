/// A whole file in memory. Can be created from a stream and read as a stream.
public struct TrackDocument: Sendable, Equatable {
  public struct Segment: Sendable, Equatable {
    public var points = PointColumns()
    public var extensions: [ExtensionElement] = []
    public init(points: PointColumns = PointColumns()) { self.points = points }
  }

  public struct Track: Sendable, Equatable {
    public var info: TrackInfo
    public var segments: [Segment]
    public init(info: TrackInfo = TrackInfo(), segments: [Segment] = []) {
      self.info = info
      self.segments = segments
    }
  }

  public struct Route: Sendable, Equatable {
    public var info: TrackInfo
    public var points: PointColumns
    public init(info: TrackInfo = TrackInfo(), points: PointColumns = PointColumns()) {
      self.info = info
      self.points = points
    }
  }

  public var info = FileInfo()
  public var waypoints: [Waypoint] = []
  public var routes: [Route] = []
  public var tracks: [Track] = []

  public init() {}

  /// Reads a stream to its end and merges its annotations into the elements they belong to.
  ///
  /// Memory is proportional to the number of points.
  public init<Reader: TrackReader & ~Copyable>(reading reader: inout Reader) throws(TrackError) {
    var batch = PointBatch()
    var container = Container.file
    while let event = try reader.next(into: &batch) {
      switch event {
      case .header(let info): self.info.merge(info)
      case .waypoint(let waypoint): waypoints.append(waypoint)
      case .beginRoute(let info):
        routes.append(Route(info: info))
        container = .route
      case .beginTrack(let info):
        tracks.append(Track(info: info))
        container = .track
      case .beginSegment:
        Self.change(&tracks) { $0.segments.append(Segment()) }
        container = .segment
      case .points:
        if container == .route {
          routes[routes.count - 1].points.append(batch)
        } else if let track = tracks.indices.last, let segment = tracks[track].segments.indices.last {
          tracks[track].segments[segment].points.append(batch)
        }
      case .endSegment: container = .track
      case .endTrack, .endRoute: container = .file
      case .annotation(let annotation): add(annotation, to: container)
      }
    }
  }

  private enum Container { case file, route, track, segment }

  private mutating func add(_ annotation: Annotation, to container: Container) {
    switch (annotation, container) {
    case (.file(let info), _): self.info.merge(info)
    case (.track(let info), .route): Self.change(&routes) { $0.info.merge(info) }
    case (.track(let info), _): Self.change(&tracks) { $0.info.merge(info) }
    case (.extensions(let extensions), .file): info.extensions += extensions
    case (.extensions(let extensions), .route): Self.change(&routes) { $0.info.extensions += extensions }
    case (.extensions(let extensions), .track): Self.change(&tracks) { $0.info.extensions += extensions }
    case (.extensions(let extensions), .segment):
      Self.change(&tracks) { track in Self.change(&track.segments) { $0.extensions += extensions } }
    }
  }

  /// Modifies the last element, if any.
  private static func change<Element>(_ elements: inout [Element], _ body: (inout Element) -> Void) {
    if let last = elements.indices.last { body(&elements[last]) }
  }
}
