import Testing
import TrackFormats
import TrackModel

/// The events of a stream as readable text for golden files: one line per event and per point.
///
/// Adjacent `points` events are joined, so that the text does not depend on batch and chunk sizes. Points
/// include all columns, channels, details and extensions. The warnings and the final error follow the
/// events.
struct Transcript: Sendable {
  /// The lines of the events.
  private(set) var lines: [String] = []
  /// The lines of points and waypoints only, in order.
  private(set) var points: [String] = []
  private(set) var warnings: [TrackWarning] = []
  private(set) var error: TrackError?
  /// The violations of the stream's grammar.
  private(set) var violations: [String] = []

  private var grammar = Grammar()

  /// The complete text, ending with a line feed.
  var text: String {
    var all = lines
    all += warnings.map { "warning \($0)" }
    if let error { all.append("error \(error.code): \(error)") }
    return all.map { $0 + "\n" }.joined()
  }

  /// Reads a stream to its end.
  init<Reader: TrackReader & ~Copyable>(reading reader: inout Reader, capacity: Int = 64) {
    var batch = PointBatch(capacity: capacity)
    do throws(TrackError) {
      while let event = try reader.next(into: &batch) {
        grammar.check(event, rows: batch.count, &violations)
        append(event, batch)
      }
      if let open = grammar.openContainer { violations.append("the stream ends inside a \(open)") }
    } catch {
      self.error = error
    }
    // After the end or an error, every further call must return nil.
    for _ in 0..<2 {
      do throws(TrackError) {
        if let event = try reader.next(into: &batch) { violations.append("\(event) after the end") }
      } catch {
        violations.append("an error after the end: \(error)")
      }
    }
    warnings = reader.warnings
  }

  /// Reads GPX bytes.
  init(
    gpx bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = GPXReader(ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }

  init(gpx text: String, chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false) {
    self.init(gpx: Array(text.utf8), chunk: chunk, capacity: capacity, isStrict: isStrict)
  }

  /// Checks that chunks and batches of any size give the same transcript without violations.
  ///
  /// - Returns: The transcript with a single chunk.
  @discardableResult
  static func expectInvariance(
    _ byteCount: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ read: (_ chunk: Int, _ capacity: Int) -> Transcript
  ) -> Transcript {
    let whole = read(max(byteCount, 1), 64)
    #expect(whole.violations == [], sourceLocation: sourceLocation)
    for (chunk, capacity) in [(1, 64), (2, 3), (3, 1), (7, 64), (61, 2), (512, 64), (4096, 1), (1, 4096)] {
      let part = read(chunk, capacity)
      #expect(
        part.text == whole.text, "chunks of \(chunk), batches of \(capacity)", sourceLocation: sourceLocation)
      #expect(part.violations == [], sourceLocation: sourceLocation)
    }
    return whole
  }

  private mutating func append(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    switch event {
    case .header(let info):
      lines.append("header")
      append(info)
    case .waypoint(let waypoint):
      addPoint(
        "waypoint", waypoint.coordinate, waypoint.time, waypoint.details,
        Channel.allCases.compactMap { channel in waypoint.values[channel].map { (channel, $0) } })
    case .beginRoute(let info):
      lines.append("route")
      append(info)
    case .endRoute: lines.append("end of route")
    case .beginTrack(let info):
      lines.append("track")
      append(info)
    case .beginSegment: lines.append("segment")
    case .points:
      let channels = batch.channels.channels
      var details = batch.details[...]
      for row in 0..<batch.count {
        var own = PointDetails()
        if let first = details.first, first.row == row {
          own = first.details
          details.removeFirst()
        }
        // A closure cannot borrow the batch.
        var values: [(Channel, Double)] = []
        for channel in channels {
          if let value = batch.value(channel, at: row) { values.append((channel, value)) }
        }
        addPoint("point", batch.coordinate(at: row), batch.time(at: row), own, values)
      }
      if !details.isEmpty { violations.append("details of a row that is not there") }
    case .endSegment: lines.append("end of segment")
    case .endTrack: lines.append("end of track")
    case .annotation(.file(let info)):
      lines.append("late, about the file")
      append(info)
    case .annotation(.track(let info)):
      lines.append("late, about the track or route")
      append(info)
    case .annotation(.extensions(let extensions)):
      lines.append("late, about the innermost container")
      append(extensions)
    }
  }

  private mutating func addPoint(
    _ kind: String, _ coordinate: Coordinate, _ time: Instant?, _ details: PointDetails,
    _ values: [(Channel, Double)]
  ) {
    let first = lines.count
    if !coordinate.isValid { violations.append("an invalid coordinate") }
    var line = "\(kind) \(Transcript.number(coordinate.latitude)) \(Transcript.number(coordinate.longitude))"
    if let time { line += " \(time)" }
    for (channel, value) in values {
      if !value.isFinite { violations.append("\(channel) is \(value)") }
      line += " \(channel) \(Transcript.number(value))"
    }
    lines.append(line)
    append("name", details.name)
    append("comment", details.comment)
    append("description", details.description)
    append("source", details.source)
    append(details.links)
    append("symbol", details.symbol)
    append("type", details.type)
    append("fix", details.fix)
    if let station = details.differentialStation { lines.append("  differential station \(station)") }
    append(details.extensions)
    points.append(first == lines.count - 1 ? line : lines[first...].joined(separator: "\n"))
    if let extra = details.extraValues {
      let values = zip(extra.names, extra.values).filter { !$1.isNaN }
      lines.append(
        "  channels " + values.map { "\($0.heading) \(Transcript.number($1))" }.joined(separator: ", "))
    }
  }

  private mutating func append(_ info: FileInfo) {
    append("creator", info.creator)
    append("name", info.name)
    append("description", info.description)
    if let author = info.author {
      append("author", author.name ?? "")
      append("author's email", author.email)
      if let link = author.link { append([link], "author's link") }
    }
    if let copyright = info.copyright {
      append("copyright", copyright.author)
      append("year", copyright.year)
      append("license", copyright.license)
    }
    append(info.links)
    if let time = info.time { lines.append("  time \(time)") }
    append("keywords", info.keywords)
    for declaration in info.namespaces {
      lines.append("  namespace \(declaration.prefix) \(declaration.uri)")
    }
    append(info.extensions)
  }

  private mutating func append(_ info: TrackInfo) {
    append("name", info.name)
    append("comment", info.comment)
    append("description", info.description)
    append("source", info.source)
    append(info.links)
    if let number = info.number { lines.append("  number \(number)") }
    append("type", info.type)
    if let style = info.style { append(style) }
    if let span = info.timeSpan {
      lines.append("  from \(span.begin?.description ?? "?") to \(span.end?.description ?? "?")")
    }
    for lap in info.laps { append(lap) }
    if let resolution = info.resolution {
      lines.append(
        "  coarse" + Transcript.part("time", resolution.time)
          + Transcript.part("position", resolution.position))
    }
    append(info.extensions)
  }

  private mutating func append(_ style: LineStyle) {
    var line = "  style"
    if let color = style.color { line += " color \(color.hexadecimal) alpha \(color.alpha)" }
    lines.append(line + Transcript.part("width", style.width))
  }

  private mutating func append(_ lap: Lap) {
    var line = "  lap"
    if let start = lap.start { line += " \(start)" }
    line += Transcript.part("timer", lap.timerTime) + Transcript.part("elapsed", lap.elapsedTime)
    line += Transcript.part("distance", lap.distance) + Transcript.part("calories", lap.calories)
    if let trigger = lap.trigger { line += " trigger \(Transcript.quoted(trigger))" }
    lines.append(line)
  }

  /// Returns ` name value`, or an empty text if the value is nil.
  private static func part(_ name: String, _ value: Double?) -> String {
    value.map { " \(name) \(number($0))" } ?? ""
  }

  private mutating func append(_ name: String, _ text: String?) {
    if let text { lines.append("  \(name) \(Transcript.quoted(text))") }
  }

  private mutating func append(_ links: [TrackLink], _ name: String = "link") {
    for link in links {
      var line = "  \(name) \(Transcript.quoted(link.address))"
      if let text = link.text { line += " text \(Transcript.quoted(text))" }
      if let type = link.mediaType { line += " type \(Transcript.quoted(type))" }
      lines.append(line)
    }
  }

  private mutating func append(_ extensions: [ExtensionElement]) {
    for element in extensions { append(element, indent: "  ") }
  }

  /// Returns an element as `{namespace}name` with its attributes, followed by its indented content.
  private mutating func append(_ element: ExtensionElement, indent: String) {
    var line = "\(indent)extension {\(element.namespace ?? "")}\(element.name)"
    for attribute in element.attributes {
      let namespace = attribute.namespace.map { "{\($0)}" } ?? ""
      line += " \(namespace)\(attribute.name)=\(Transcript.quoted(attribute.value))"
    }
    lines.append(line)
    for content in element.content {
      switch content {
      case .text(let text): lines.append("\(indent)  text \(Transcript.quoted(text))")
      case .element(let child): append(child, indent: indent + "  ")
      }
    }
  }

  /// Returns the shortest decimal with the same value; whole numbers have no decimal point, minus zero is
  /// zero.
  static func number(_ value: Double) -> String {
    let text = value == 0 ? "0" : "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns a quoted text in which quotes, backslashes and invisible characters are escaped as in Swift.
  static func quoted(_ text: String) -> String {
    // Most texts have nothing to escape.
    if text.utf8.allSatisfy({
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }) {
      return "\"\(text)\""
    }
    let scalars = text.unicodeScalars.map { scalar in
      switch scalar {
      case "'": "'"
      case _ where scalar.value < 0xA0: scalar.escaped(asASCII: false)
      default: scalar.properties.generalCategory == .format ? scalar.escaped(asASCII: true) : String(scalar)
      }
    }
    return "\"\(scalars.joined())\""
  }
}

/// Checks the grammar of ``TrackEvent`` streams, which all readers must follow for any input.
private struct Grammar {
  private enum State { case start, file, route, track, segment }
  private var state = State.start

  /// The innermost open container inside the file, or nil.
  var openContainer: String? {
    switch state {
    case .start, .file: nil
    case .route: "route"
    case .track: "track"
    case .segment: "segment"
    }
  }

  mutating func check(_ event: TrackEvent, rows: Int, _ violations: inout [String]) {
    switch (state, event) {
    case (.start, .header), (.file, .waypoint): state = .file
    case (.file, .beginRoute): state = .route
    case (.route, .endRoute): state = .file
    case (.file, .beginTrack): state = .track
    case (.track, .beginSegment): state = .segment
    case (.segment, .endSegment): state = .track
    case (.track, .endTrack): state = .file
    case (.route, .points), (.segment, .points):
      if rows == 0 { violations.append("points without a row") }
      return
    case (.start, .annotation): violations.append("an annotation before the header")
    case (_, .annotation): break
    default: violations.append("\(event) in the state \(state)")
    }
    if rows > 0 { violations.append("rows beside \(event)") }
  }
}
