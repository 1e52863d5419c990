import TrackModel

/// The geometry of one Feature, held because what it means or what its points say comes behind it: in memory
/// up to some megabytes, beyond that in temporary files.
struct GeoJSONGeometry {
  /// Degrees, per position; NaN for what stands where a position should and is none.
  private var longitudes = ColumnSpool<Double>()
  private var latitudes = ColumnSpool<Double>()
  /// Metres; NaN where there is none.
  private var elevations = ColumnSpool<Double>()

  /// A stretch of the positions.
  struct Part: Sendable, Equatable {
    /// Whether they make a line; otherwise each is a place of its own.
    var isLine: Bool
    var positions: Range<Int>
  }

  /// In the order of the file.
  private(set) var parts: [Part] = []
  private(set) var hasLines = false
  /// How many polygons were passed over.
  private(set) var polygons = 0

  /// How deep collections may lie in each other; RFC 7946, section 3.1.8, advises against even one level.
  static let depthLimit = 64

  /// One geometry while its members come.
  struct Object {
    var type: GeoJSONType?
    /// Whether there was a member `coordinates` or `geometries`.
    var hasContent = false
    /// Positions whose type is not known yet.
    fileprivate var untyped: Untyped?
  }

  /// Coordinates that came before the type, as what is between the positions shows them.
  fileprivate struct Untyped {
    enum Boundary {
      case endOfLine(Int)
      /// An empty array, for which a position that is none was noted.
      case empty(depth: Int, Int)
    }
    var first: Int
    var depth: Int?
    var boundaries: [Boundary] = []
  }

  /// How many positions there are, flawed ones included.
  var count: Int { latitudes.count }

  /// How many positions of lines are on Earth.
  mutating func linePositions() throws(TrackError) -> Int {
    var count = 0
    for part in parts where part.isLine {
      for index in part.positions where try latitudes.value(at: index)?.isNaN == false { count += 1 }
    }
    return count
  }

  /// A position; nil for what is none.
  @inline(__always)
  mutating func position(at index: Int) throws(TrackError) -> JSONPosition? {
    guard let latitude = try latitudes.value(at: index), !latitude.isNaN,
      let longitude = try longitudes.value(at: index), let elevation = try elevations.value(at: index)
    else { return nil }
    return JSONPosition(longitude: longitude, latitude: latitude, elevation: elevation, count: 3)
  }

  // MARK: Reading

  /// Takes a geometry, or null.
  mutating func read(_ lexer: inout JSONLexer, depth: Int = 0) throws(TrackError) {
    guard depth <= GeoJSONGeometry.depthLimit else {
      throw TrackError(
        .limitExceeded, "collections of geometries deeper than \(GeoJSONGeometry.depthLimit) levels",
        place: lexer.place)
    }
    switch try lexer.kind() {
    case .null: return try lexer.literal()
    case .object: break
    default: throw lexer.expected("a geometry")
    }
    let mark = lexer.mark()
    var object = Object()
    try lexer.beginObject()
    while try lexer.nextMember() {
      let member = GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other
      try readMember(member, of: &object, &lexer, depth: depth)
    }
    try finish(&object, mark, &lexer)
  }

  /// Takes the value of one member of a geometry.
  mutating func readMember(
    _ member: GeoJSONMember, of object: inout Object, _ lexer: inout JSONLexer, depth: Int = 0
  ) throws(TrackError) {
    switch member {
    case .type: object.type = try GeoJSONType.read(&lexer)
    case .coordinates where !object.hasContent:
      object.hasContent = true
      if let type = object.type {
        try readCoordinates(of: type, &lexer)
      } else {
        try readUntyped(&object, &lexer)
      }
    case .geometries where !object.hasContent:
      object.hasContent = true
      try lexer.beginArray()
      while try lexer.nextElement() { try read(&lexer, depth: depth + 1) }
    case .coordinates, .geometries:
      try lexer.warn(.invalidValue, "coordinates twice in one geometry, the second left out")
      try lexer.skip()
    case .bbox, .crs: try lexer.skip()
    case .other, .features, .geometry, .properties:
      try lexer.warn(.notRepresentable, "member of a geometry that has no place, left out")
      try lexer.skip()
    }
  }

  /// Ends a geometry whose members have all come.
  mutating func finish(_ object: inout Object, _ mark: JSONLexer.Mark, _ lexer: inout JSONLexer)
    throws(TrackError)
  {
    guard let type = object.type else {
      throw TrackError(.malformed, "a geometry without a type", place: lexer.place(of: mark))
    }
    if let untyped = object.untyped {
      object.untyped = nil
      try resolve(untyped, as: type, mark, &lexer)
    }
  }

  private mutating func appendPart(of type: GeoJSONType, _ positions: Range<Int>) {
    parts.append(Part(isLine: type.isLine, positions: positions))
    if type.isLine { hasLines = true }
  }

  private mutating func append(_ position: JSONPosition) throws(TrackError) {
    try longitudes.append(position.longitude)
    try latitudes.append(position.latitude)
    try elevations.append(position.elevation)
  }

  /// Appends positions as long as they are plain.
  private mutating func appendRun(_ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.takeRun { (bytes, index) throws(TrackError) in
      while let position = JSONRuns.position(bytes, at: &index) { try append(position) }
    }
  }

  private mutating func appendFlaw() throws(TrackError) {
    try append(JSONPosition(longitude: .nan, latitude: .nan, elevation: .nan, count: 0))
  }

  private mutating func readCoordinates(of type: GeoJSONType, _ lexer: inout JSONLexer) throws(TrackError) {
    guard let depth = type.depth, !type.isPolygon else {
      if type.isPolygon { polygons += 1 }
      return try lexer.skip()
    }
    var coordinates = GeoJSONCoordinates(depth: depth)
    var first = latitudes.count
    // What was whole before a fault counts as a part of its own.
    defer {
      if first < latitudes.count { appendPart(of: type, first..<latitudes.count) }
    }
    while true {
      switch try coordinates.next(&lexer) {
      case .position(let position):
        try append(position)
        if coordinates.isInLine { try appendRun(&lexer) }
      case .flawed: try appendFlaw()
      case .open: break
      case .close(let level), .empty(let level):
        guard level == depth - 1 else { continue }
        appendPart(of: type, first..<latitudes.count)
        first = latitudes.count
      case .end: return
      }
    }
  }

  private mutating func readUntyped(_ object: inout Object, _ lexer: inout JSONLexer) throws(TrackError) {
    var untyped = Untyped(first: latitudes.count)
    var coordinates = GeoJSONCoordinates(depth: nil)
    walk: while true {
      switch try coordinates.next(&lexer) {
      case .position(let position):
        try append(position)
        if coordinates.isInLine { try appendRun(&lexer) }
      case .flawed: try appendFlaw()
      case .open: break
      case .close(let level):
        if level + 1 == coordinates.depth { untyped.boundaries.append(.endOfLine(latitudes.count)) }
      case .empty(let level):
        untyped.boundaries.append(.empty(depth: level, latitudes.count))
        try appendFlaw()
      case .end: break walk
      }
    }
    untyped.depth = coordinates.depth
    object.untyped = untyped
  }

  /// Makes parts of positions, now that it is known what they are.
  private mutating func resolve(
    _ untyped: Untyped, as type: GeoJSONType, _ mark: JSONLexer.Mark, _ lexer: inout JSONLexer
  ) throws(TrackError) {
    guard let depth = type.depth else { return try removePositions(from: untyped.first) }
    if let found = untyped.depth, found != depth {
      throw TrackError(
        .malformed, "the coordinates are nested otherwise than those of their type",
        place: lexer.place(of: mark))
    }
    if type.isPolygon {
      polygons += 1
      return try removePositions(from: untyped.first)
    }
    var first = untyped.first
    // The positions that were noted for empty arrays and turned out to be none.
    var removed: [Int] = []
    for boundary in untyped.boundaries {
      switch boundary {
      case .endOfLine(let end):
        appendPart(of: type, first..<(end - removed.count))
        first = end - removed.count
      case .empty(let level, let index):
        if level == depth {
          try lexer.warn(.invalidPosition, "position without longitude and latitude, left out", at: mark)
          continue
        }
        removed.append(index)
        if level == depth - 1 { appendPart(of: type, first..<first) }
      }
    }
    try longitudes.remove(at: removed)
    try latitudes.remove(at: removed)
    try elevations.remove(at: removed)
    if first < latitudes.count { appendPart(of: type, first..<latitudes.count) }
  }

  private mutating func removePositions(from first: Int) throws(TrackError) {
    try longitudes.removeValues(from: first)
    try latitudes.removeValues(from: first)
    try elevations.removeValues(from: first)
  }
}

extension GeoJSONType {
  /// Takes the value of a member `type`; nil for one that RFC 7946 does not know, of which nothing but the
  /// text is taken.
  static func read(_ lexer: inout JSONLexer) throws(TrackError) -> GeoJSONType {
    guard try lexer.kind() == .string else { throw lexer.expected("a type of GeoJSON") }
    try lexer.takeString()
    if let type = GeoJSONType(rawValue: lexer.code(in: GeoJSONType.names)) { return type }
    throw TrackError(
      .malformed, "expected a type of GeoJSON", place: lexer.placeOfText, offendingText: lexer.text,
      suggestion: .text("the types are those of RFC 7946: Feature, LineString, Point …"))
  }
}
