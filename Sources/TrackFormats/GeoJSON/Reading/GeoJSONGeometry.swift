import TrackModel

/// The buffered geometry of a Feature whose type or properties follow later. Kept in memory up to a few
/// megabytes, and in temporary files beyond that.
struct GeoJSONGeometry {
  /// Degrees per position, NaN for invalid positions.
  private var longitudes = ColumnSpool<Double>()
  private var latitudes = ColumnSpool<Double>()
  /// Elevations in metres, or NaN.
  private var elevations = ColumnSpool<Double>()
  /// The times in fourth numbers, or nil if there are none.
  private var times: ColumnSpool<Int64>?

  /// A range of the positions.
  struct Part: Sendable, Equatable {
    /// Whether they form a line. Otherwise, each is a separate point.
    var isLine: Bool
    var positions: Range<Int>
  }

  /// The parts in file order.
  private(set) var parts: [Part] = []
  private(set) var hasLines = false
  /// The number of skipped polygons.
  private(set) var polygons = 0

  /// The maximum nesting depth of collections. RFC 7946, section 3.1.8, advises against any nesting.
  static let depthLimit = 64

  /// A geometry whose members are being read.
  struct Object {
    var type: GeoJSONType?
    /// Whether there was a member `coordinates` or `geometries`.
    var hasContent = false
    /// Positions of a geometry whose type is not known yet.
    fileprivate var untyped: Untyped?
  }

  /// The structure of coordinates that came before the type.
  fileprivate struct Untyped {
    enum Boundary {
      case endOfLine(Int)
      /// An empty array, recorded as an invalid position.
      case empty(depth: Int, Int)
    }
    var first: Int
    var depth: Int?
    var boundaries: [Boundary] = []
  }

  /// The number of positions, including invalid ones.
  var count: Int { latitudes.count }

  /// The number of valid positions of lines.
  mutating func linePositions() throws(TrackError) -> Int {
    var count = 0
    for part in parts where part.isLine {
      for index in part.positions where try latitudes.value(at: index)?.isNaN == false { count += 1 }
    }
    return count
  }

  /// Returns a position, or `nil` if it is invalid.
  @inline(__always)
  mutating func position(at index: Int) throws(TrackError) -> JSONPosition? {
    guard let latitude = try latitudes.value(at: index), !latitude.isNaN,
      let longitude = try longitudes.value(at: index), let elevation = try elevations.value(at: index)
    else { return nil }
    return JSONPosition(longitude: longitude, latitude: latitude, elevation: elevation, count: 3)
  }

  /// Returns the time in a position's fourth number, or ``Instant/absent``.
  @inline(__always)
  mutating func time(at index: Int) throws(TrackError) -> Int64 {
    try times?.value(at: index) ?? Instant.absent
  }

  // MARK: Reading

  /// Reads a geometry or null.
  mutating func read(_ lexer: inout JSONLexer, depth: Int = 0) throws(TrackError) {
    guard depth <= GeoJSONGeometry.depthLimit else {
      throw TrackError(
        .limitExceeded, "geometry collections nested deeper than \(GeoJSONGeometry.depthLimit) levels",
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

  /// Reads the value of a member of a geometry.
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
      try lexer.warn(.invalidValue, "duplicate coordinates in a geometry, ignored")
      try lexer.skip()
    case .bbox, .crs: try lexer.skip()
    case .other, .features, .geometry, .properties:
      try lexer.warn(.notRepresentable, "unsupported member of a geometry, ignored")
      try lexer.skip()
    }
  }

  /// Finishes a geometry after all its members.
  mutating func finish(_ object: inout Object, _ mark: JSONLexer.Mark, _ lexer: inout JSONLexer)
    throws(TrackError)
  {
    guard let type = object.type else {
      throw TrackError(.malformed, "geometry without a type", place: lexer.place(of: mark))
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

  private mutating func append(
    _ position: JSONPosition, time: Int64 = Instant.absent
  ) throws(TrackError) {
    if time != Instant.absent, times == nil {
      var column = ColumnSpool<Int64>()
      for _ in 0..<latitudes.count { try column.append(Instant.absent) }
      times = column
    }
    try times?.append(time)
    try longitudes.append(position.longitude)
    try latitudes.append(position.latitude)
    try elevations.append(position.elevation)
  }

  /// Appends positions while they are plain.
  private mutating func appendRun(_ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.takeRun { (bytes, index) throws(TrackError) in
      while let position = JSONFastPath.position(bytes, at: &index) { try append(position) }
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
    // Complete positions before an error form a separate part.
    defer {
      if first < latitudes.count { appendPart(of: type, first..<latitudes.count) }
    }
    while true {
      switch try coordinates.next(&lexer) {
      case .position(let position):
        try append(position, time: coordinates.time(of: position))
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
        try append(position, time: coordinates.time(of: position))
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

  /// Divides positions into parts when their type is known.
  private mutating func resolve(
    _ untyped: Untyped, as type: GeoJSONType, _ mark: JSONLexer.Mark, _ lexer: inout JSONLexer
  ) throws(TrackError) {
    guard let depth = type.depth else { return try removePositions(from: untyped.first) }
    if let found = untyped.depth, found != depth {
      throw TrackError(
        .malformed, "wrong nesting of coordinates for their type",
        place: lexer.place(of: mark))
    }
    if type.isPolygon {
      polygons += 1
      return try removePositions(from: untyped.first)
    }
    var first = untyped.first
    // Empty arrays that turned out to be invalid positions.
    var removed: [Int] = []
    for boundary in untyped.boundaries {
      switch boundary {
      case .endOfLine(let end):
        appendPart(of: type, first..<(end - removed.count))
        first = end - removed.count
      case .empty(let level, let index):
        if level == depth {
          try lexer.warn(.invalidPosition, "position without longitude and latitude, skipped", at: mark)
          continue
        }
        removed.append(index)
        if level == depth - 1 { appendPart(of: type, first..<first) }
      }
    }
    try longitudes.remove(at: removed)
    try latitudes.remove(at: removed)
    try elevations.remove(at: removed)
    try times?.remove(at: removed)
    if first < latitudes.count { appendPart(of: type, first..<latitudes.count) }
  }

  private mutating func removePositions(from first: Int) throws(TrackError) {
    try longitudes.removeValues(from: first)
    try latitudes.removeValues(from: first)
    try elevations.removeValues(from: first)
    try times?.removeValues(from: first)
  }
}

extension GeoJSONType {
  /// Reads the value of a member `type`. Returns `nil` for a type that is not in RFC 7946.
  static func read(_ lexer: inout JSONLexer) throws(TrackError) -> GeoJSONType {
    guard try lexer.kind() == .string else { throw lexer.expected("a GeoJSON type") }
    try lexer.takeString()
    if let type = GeoJSONType(rawValue: lexer.code(in: GeoJSONType.names)) { return type }
    throw TrackError(
      .malformed, "expected a GeoJSON type", place: lexer.placeOfText, offendingText: lexer.text,
      suggestion: .text("the types are those of RFC 7946: Feature, LineString, Point …"))
  }
}
