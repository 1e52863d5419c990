public import TrackModel

/// Reads drive documents of the Ghost Car app, and the bare coordinates that they contain.
///
/// A document is a track with one segment. Its points are evenly spaced in time: of n points, the i-th (from
/// 0) is at the start + i · duration / (n − 1). Without a start there are no times, and an import uses the
/// duration. Identifier, duration and distance, for which tracks have no field, are kept in the extension
/// `drive` (`DriveElement`), which every drive has. Bare coordinates, `[{"lat":46.5,"lon":7.5},…]`, are a
/// track without name and times.
///
/// The coordinates of a drive are kept in memory because their number is needed for the first time.
public struct DriveReader: TrackReader, ~Copyable {
  /// The namespace of the extension `drive`, with the attributes `id`, `duration` (seconds) and `distance`
  /// (miles).
  public static let namespace = DriveElement.namespace

  private var lexer: JSONLexer
  private let options: ReadingOptions
  private var blobWarnings = WarningLog()

  private enum Step { case opening, events, end }
  private var step = Step.opening
  private var drive = DriveEvents()
  private var hasCoordinates = false
  private var points = DrivePoints()
  /// An error in the coordinates, thrown after the points before it.
  private var pendingError: TrackError?

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    lexer = JSONLexer(input, options: options)
    self.options = options
  }

  /// Returns the identifier of a drive document as written, or nil if the input has none.
  ///
  /// Nothing after it is read. Documents of this package begin with it, so the time does not depend on
  /// their size.
  package static func identifier(in input: consuming ByteInput) -> String? {
    var lexer = JSONLexer(input)
    guard (try? lexer.nextText()) == true, (try? lexer.isAtObject()) == true else { return nil }
    do throws(TrackError) {
      try lexer.beginObject()
      while try lexer.nextMember() {
        if lexer.text == "id" { return try lexer.stringOrNothing() }
        try lexer.skip()
      }
    } catch {
      // A file that is not a drive has no identifier.
    }
    return nil
  }

  public var warnings: [TrackWarning] {
    var all = lexer.log
    all.add(blobWarnings.warnings)
    return all.warnings
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch step {
    case .end:
      batch.removeAll()
      return nil
    case .opening:
      batch.removeAll()
      step = .end
      try open()
      step = .events
      (drive.latitudes, drive.longitudes) = (points.latitudes, points.longitudes)
      (drive.indices, drive.total) = (points.indices, points.total)
      points = DrivePoints()
    case .events: break
    }
    return try drive.next(into: &batch, throwing: pendingError)
  }

  // MARK: Opening

  private mutating func open() throws(TrackError) {
    guard try lexer.nextText() else { throw TrackError(.truncated, "the file is empty") }
    if try lexer.isAtObject() {
      do throws(TrackError) {
        try readDocument()
      } catch {
        guard error.code == .truncated, !options.isStrict, points.count > 0 else { throw error }
        try lexer.warn(.truncated, "the file ends inside the drive; complete data is kept", at: error.place)
      }
    } else {
      try readBare()
    }
    guard pendingError == nil else { return }
    if try lexer.nextText() {
      try lexer.warn(.trailingContent, "text after the drive, ignored")
    }
  }

  /// Reads bare coordinates to their end or to a fault before anything is delivered.
  private mutating func readBare() throws(TrackError) {
    do throws(TrackError) {
      try points.read(&lexer)
    } catch {
      try settle(error, at: error.place)
    }
  }

  private mutating func readDocument() throws(TrackError) {
    let start = lexer.place
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch lexer.text {
      case "id": drive.identifier = try lexer.stringOrNothing()
      case "name": drive.name = try lexer.stringOrNothing()
      case "kind": drive.kind = try lexer.stringOrNothing()
      case "notes": drive.notes = try lexer.stringOrNothing()
      case "gear": drive.gear = try lexer.stringOrNothing()
      case "startTime": drive.start = try time()
      case "endTime": drive.end = try time()
      case "duration": drive.duration = try quantity()
      case "distance": drive.distance = try quantity()
      case "coordinatesData": try readCoordinates()
      default:
        try lexer.warn(.notRepresentable, "unknown member of a drive, ignored")
        try lexer.skip()
      }
    }
    guard hasCoordinates else {
      throw TrackError(.malformed, "a drive without \"coordinatesData\"", place: start)
    }
  }

  private mutating func time() throws(TrackError) -> Instant? {
    guard try lexer.kind() == .string else { return try lexer.stringOrNothing().flatMap { _ in nil } }
    try lexer.takeString()
    let text = lexer.text
    let bytes = Array(text.utf8)
    guard let reading = ISO8601.read(bytes.span) else {
      try lexer.warnOfText(.invalidTime, "invalid time, ignored")
      return nil
    }
    if !reading.hasZone { try lexer.warnOfText(.timeWithoutZone, "time without a zone, treated as UTC") }
    return reading.instant
  }

  private mutating func quantity() throws(TrackError) -> Double? {
    guard let value = try lexer.numberOrNothing() else { return nil }
    // Values above 10¹² s or m are implausible, and times would overflow.
    guard value >= 0, value <= 1e12 else {
      try lexer.warn(.invalidValue, "number out of range, ignored")
      return nil
    }
    return value
  }

  /// Decodes the coordinates of a document: JSON in base64.
  private mutating func readCoordinates() throws(TrackError) {
    let place = lexer.place
    lexer.textLimit = options.limits.coordinatesDataSize
    try lexer.takeString()
    lexer.textLimit = options.limits.jsonTextSize
    let decoded =
      lexer.hasEscapes ? Base64.decode(Array(lexer.text.utf8).span) : Base64.decode(lexer.rawText)
    guard let decoded else {
      throw TrackError(
        .invalidValue, "the coordinates of the drive are not base64",
        place: InputLocation(line: place.line, byteOffset: place.byteOffset, path: "coordinatesData"))
    }
    hasCoordinates = true
    points = DrivePoints()
    var blob = JSONLexer(ByteInput(bytes: decoded), options: options)
    do throws(TrackError) {
      guard try blob.nextText() else {
        throw TrackError(.truncated, "the coordinates of the drive are empty")
      }
      try points.read(&blob)
      if try blob.nextText() { try blob.warn(.trailingContent, "text after the coordinates, ignored") }
      blobWarnings.add(blob.log.warnings.map(DriveReader.inBlob))
    } catch {
      blobWarnings.add(blob.log.warnings.map(DriveReader.inBlob))
      try settle(error, at: InputLocation(byteOffset: error.place.byteOffset, path: "coordinatesData"))
    }
  }

  /// Returns a warning about the coordinates with a path instead of a line, because the line would refer to
  /// the decoded text.
  private static func inBlob(_ warning: TrackWarning) -> TrackWarning {
    var warning = warning
    warning.place = InputLocation(byteOffset: warning.place.byteOffset, path: "coordinatesData")
    return warning
  }

  /// Keeps the complete points if the coordinates are truncated or invalid after them.
  private mutating func settle(_ error: TrackError, at place: InputLocation) throws(TrackError) {
    guard points.count > 0 else { throw error }
    if error.code == .truncated, !options.isStrict {
      try blobWarnings.report(
        .truncated, "the coordinates end inside a point; complete data is kept", at: place)
      return
    }
    pendingError = TrackError(
      error.code, error.message, place: place, offendingText: error.offendingText,
      suggestion: error.suggestion)
  }
}
