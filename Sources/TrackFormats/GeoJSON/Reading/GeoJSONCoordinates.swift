import TrackModel

/// Iterates over the value of `coordinates`, so that a reader can pause between any two positions.
struct GeoJSONCoordinates {
  enum Step {
    /// A valid position.
    case position(JSONPosition)
    /// An invalid position, whose times and sensor values must be skipped.
    case flawed
    /// The start of an array of arrays. The outermost has depth 1.
    case open(Int)
    case close(Int)
    /// An empty array: of positions, or a position without numbers.
    case empty(Int)
    case end
  }

  /// The depth of a position's array if the type of the geometry is known, otherwise that of the first
  /// position.
  private(set) var depth: Int?
  private let isKnown: Bool
  /// The number of open arrays.
  private var open = 0
  /// Whether the comma or member name before the next value has been read.
  private var isAnnounced = true
  private var isFinished = false
  /// The time in the fourth number of the last position, in microseconds since 1970, or ``Instant/absent``.
  private var fourth = Instant.absent

  /// Whether positions are elements of an open array.
  var isInLine: Bool { open > 0 }

  /// - Parameter depth: the depth of a position's array, 1 for a Point, or `nil` if the type is not known
  ///   yet.
  init(depth: Int?) {
    self.depth = depth
    isKnown = depth != nil
  }

  /// Returns the time in the fourth number of the position that was read last, as CalTopo and kepler.gl write
  /// it, or ``Instant/absent``.
  @inline(__always)
  func time(of position: JSONPosition) -> Int64 { position.count > 3 ? fourth : Instant.absent }

  /// - Throws: if the nesting of arrays is invalid for the geometry.
  @inline(__always)
  mutating func next(_ lexer: inout JSONLexer) throws(TrackError) -> Step {
    if isAnnounced || open > 0, !isFinished {
      if !isAnnounced {
        guard try lexer.nextElement() else {
          open -= 1
          if open == 0 { isFinished = true }
          return .close(open + 1)
        }
      }
      isAnnounced = false
      if depth == nil || depth == open + 1, let position = try lexer.takePosition() {
        depth = open + 1
        if open == 0 { isFinished = true }
        if abs(position.latitude) <= 90, abs(position.longitude) <= 180 { return .position(position) }
        try lexer.warnOfText(
          .invalidPosition, "longitude or latitude out of range, position skipped")
        return .flawed
      }
    }
    return try nextSlowly(&lexer)
  }

  /// Handles a value that is not a plain position: an array of arrays, or invalid data.
  private mutating func nextSlowly(_ lexer: inout JSONLexer) throws(TrackError) -> Step {
    guard !isFinished else { return .end }
    let kind = try lexer.kind()
    let mark = lexer.mark()
    if open == 0, kind != .array { isFinished = true }
    switch kind {
    case .array: break
    case .null:
      try lexer.literal()
      if let depth, open + 1 < depth {
        if open == 0 { return .end }
        return .empty(open + 1)
      }
      try lexer.warn(.invalidPosition, "null instead of a position, skipped", at: mark)
      return .flawed
    default: throw lexer.expected("a position")
    }
    try lexer.beginArray()
    open += 1
    if open > 4 { throw tooDeep(lexer.place(of: mark)) }
    guard try lexer.nextElement() else {
      open -= 1
      if open == 0 { isFinished = true }
      if depth == open + 1, isKnown {
        try lexer.warn(.invalidPosition, "position without longitude and latitude, skipped", at: mark)
        return .flawed
      }
      return .empty(open + 1)
    }
    if try lexer.kind() == .array {
      if let depth, open >= depth { throw tooDeep(lexer.place(of: mark)) }
      isAnnounced = true
      return .open(open)
    }
    if let depth, open != depth {
      throw TrackError(
        .malformed, "position instead of an array of positions", place: lexer.place(of: mark))
    }
    depth = open
    return try position(&lexer, mark)
  }

  /// The smallest number of seconds that is a time (1973), and not another measure.
  private static let earliest = 1e8

  private func tooDeep(_ place: InputLocation) -> TrackError {
    TrackError(.malformed, "coordinates nested too deeply for their type", place: place)
  }

  /// Reads the elements of a position after its opening bracket.
  private mutating func position(_ lexer: inout JSONLexer, _ mark: JSONLexer.Mark) throws(TrackError) -> Step
  {
    var position = JSONPosition(longitude: .nan, latitude: .nan, elevation: .nan, count: 0)
    var hasQuotes = false
    repeat {
      var value = Double.nan
      switch try lexer.kind() {
      case .number: value = try lexer.number() ?? .nan
      case .string:
        try lexer.takeString()
        value = DecimalReading.read(lexer.rawText) ?? .nan
        hasQuotes = true
      case .true, .false, .null: try lexer.literal()
      case .array, .object: throw lexer.expected("a number")
      }
      switch position.count {
      case 0: position.longitude = value
      case 1: position.latitude = value
      case 2: position.elevation = value
      case 3:
        let time = value >= Self.earliest ? JSONTime.sinceEpoch(value) : nil
        fourth = time?.microseconds ?? Instant.absent
      default: break
      }
      position.count += 1
    } while try lexer.nextElement()
    open -= 1
    if open == 0 { isFinished = true }
    guard abs(position.latitude) <= 90, abs(position.longitude) <= 180 else {
      try lexer.warn(
        .invalidPosition,
        position.count < 2
          ? "position without longitude and latitude, skipped"
          : "longitude or latitude invalid or out of range, position skipped", at: mark)
      return .flawed
    }
    if hasQuotes { try lexer.warn(.invalidValue, "quoted numbers, read as numbers", at: mark) }
    if position.count > 4 || position.count == 4 && fourth == Instant.absent {
      try lexer.warn(
        .notRepresentable, "position with more than three numbers, the rest ignored", at: mark
      )
    }
    return .position(position)
  }
}
