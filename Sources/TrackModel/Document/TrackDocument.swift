/// A whole file in memory. Can be created from a stream and read as a stream.
public struct TrackDocument: Sendable, Equatable {
  /// A part of a track without interruption.
  public struct Segment: Sendable, Equatable {
    /// The points in driving order.
    public var points = PointColumns()
    /// The unknown content of the segment.
    public var extensions: [ExtensionElement] = []
    /// Creates a segment from its points.
    public init(points: PointColumns = PointColumns()) { self.points = points }
  }

  /// A recorded track.
  public struct Track: Sendable, Equatable {
    /// The description of the track.
    public var info: TrackInfo
    /// The segments in the order of the file.
    public var segments: [Segment]
    /// Creates a track from its description and segments.
    public init(info: TrackInfo = TrackInfo(), segments: [Segment] = []) {
      self.info = info
      self.segments = segments
    }
  }

  /// A planned route.
  public struct Route: Sendable, Equatable {
    /// The description of the route.
    public var info: TrackInfo
    /// The points in the order of the route.
    public var points: PointColumns
    /// Creates a route from its description and points.
    public init(info: TrackInfo = TrackInfo(), points: PointColumns = PointColumns()) {
      self.info = info
      self.points = points
    }
  }

  /// The description of the file.
  public var info = FileInfo()
  /// The waypoints in the order of the file.
  public var waypoints: [Waypoint] = []
  /// The routes in the order of the file.
  public var routes: [Route] = []
  /// The tracks in the order of the file.
  public var tracks: [Track] = []

  /// Creates an empty document.
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

  private mutating func add(_ annotation: TrackAnnotation, to container: Container) {
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
