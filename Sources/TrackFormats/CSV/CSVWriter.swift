public import TrackModel

/// Writes a table with one row per point, separated by commas or tabs, quoted as in RFC 4180, with line
/// feeds.
///
/// The first columns are `kind` (trackpoint, routepoint or waypoint), `track` and `segment` (numbers from 1,
/// or the track's own number if it is larger than the previous one), `time` (ISO 8601, UTC), `latitude`,
/// `longitude` and `elevation`. Columns for track names, channels (in the units of `Channel`) and texts
/// follow in the order of first use. The fields of a drive document (`DriveElement`) are in the first row
/// of a track.
///
/// The columns are known only at the end, so the rows are spooled.
///
/// Text is written unchanged. Spreadsheets treat text that begins with `=`, `+`, `-` or `@` as a formula, in
/// some languages also the full-width forms of these characters. If `quotesFormulas` is set, such text is
/// preceded by an apostrophe, which spreadsheets hide and other programs read as part of the text. Numbers
/// never get an apostrophe.
public struct CSVWriter: TrackWriter, ~Copyable {
  /// An additional column.
  private enum Column: Hashable {
    case trackName
    /// An attribute of ``DriveElement``.
    case drive(String)
    case channel(Channel)
    case extra(ExtraValues.Name)
    case name, comment, description, source, symbol, type, fix, differentialStation, link

    var heading: String {
      switch self {
      case .trackName: "track_name"
      case .drive(let attribute): DriveElement.columnPrefix + attribute
      case .channel(let channel): CSVColumnRole.heading(of: channel)
      case .extra(let name): name.heading
      case .differentialStation: "differential_station"
      default: "\(self)"
      }
    }
  }

  private static let fixedColumns = [
    "kind", "track", "segment", "time", "latitude", "longitude", "elevation",
  ]

  /// The separator.
  public enum Separator: Sendable {
    /// A comma, as in CSV (RFC 4180).
    case comma
    /// A tab, as in TSV.
    case tab

    fileprivate var byte: UInt8 {
      switch self {
      case .comma: UInt8(ascii: ",")
      case .tab: UInt8(ascii: "\t")
      }
    }
  }

  private var sink: ByteSink
  private let separator: UInt8
  private let quotesFormulas: Bool
  private var rows: CSVBufferedRows
  private var columns: [Column] = []
  private var channels: ChannelSet = ChannelSet(.elevation)
  /// The names of the last extra values, and the index of the value in each column, or -1.
  private var extraNames: [ExtraValues.Name] = []
  private var extraIndices: [Int] = []
  public private(set) var losses = LossReport()

  private var lastTrack = 0
  private var lastRoute = 0
  private var segment = 0
  private var trackName = ""
  /// The drive document fields of the open track, until its first row is written.
  private var drive: ExtensionElement?
  private var isRoute = false
  private var hasPoints = false
  private var segmentHasPoints = false
  /// The first fields of the open container's rows: kind, track and segment.
  private var prefix = ""

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - separator: the separator of fields.
  ///   - quotesFormulas: whether to write an apostrophe before text that spreadsheets would run as a formula.
  public init(_ sink: consuming ByteSink, separator: Separator = .comma, quotesFormulas: Bool = false) {
    self.sink = sink
    self.quotesFormulas = quotesFormulas
    self.separator = separator.byte
    rows = CSVBufferedRows(width: CSVWriter.fixedColumns.count, separator: separator.byte)
  }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): losses.add(words: info)
    case .waypoint(let waypoint): append(waypoint)
    case .beginTrack(let info): begin(info, isRoute: false)
    case .beginRoute(let info):
      begin(info, isRoute: true)
      setPrefix()
    case .beginSegment:
      segment += 1
      segmentHasPoints = false
      setPrefix()
    case .points:
      hasPoints = true
      segmentHasPoints = true
      append(batch)
    case .endSegment: if !segmentHasPoints { losses.add("segments without points") }
    case .endTrack: if !hasPoints { losses.add("tracks without points") }
    case .endRoute: if !hasPoints { losses.add("routes without points") }
    case .annotation(.track(let info)):
      losses.add(words: info, beside: [\.name])
      if info.name != nil { losses.add("names of tracks that came after their points") }
    case .annotation(.extensions(let extensions)): losses.add("extensions", extensions.count)
    }
    try rows.spool.flush()
  }

  public mutating func finish() throws(TrackError) {
    for (index, heading) in (CSVWriter.fixedColumns + columns.map(\.heading)).enumerated() {
      if index > 0 { sink.buffer.append(separator) }
      sink.buffer.append(csvText: protected(heading), separator: separator)
    }
    sink.buffer.append(UInt8(ascii: "\n"))
    try rows.drain(into: &sink)
    try sink.finish()
  }

  // MARK: Containers

  private mutating func begin(_ info: TrackInfo, isRoute: Bool) {
    self.isRoute = isRoute
    hasPoints = false
    segment = 0
    let last = isRoute ? lastRoute : lastTrack
    var number = last + 1
    if let own = info.number, own > last, own < .max {
      number = own
    } else if info.number != nil {
      losses.add("numbers of tracks")
    }
    if isRoute { lastRoute = number } else { lastTrack = number }
    trackName = info.name ?? ""
    if !trackName.isEmpty { add(.trackName) }
    drive = info.extensions.first { $0.isDrive }
    for attribute in DriveElement.attributes where drive?.value(of: attribute) != nil {
      add(.drive(attribute))
    }
    losses.add(words: info, beside: [\.name, \.number, \.extensions])
    losses.add("extensions", info.extensions.count { !$0.isDrive })
  }

  private mutating func setPrefix() {
    let fields =
      isRoute
      ? ["\(CSVKind.routepoint)", "\(lastRoute)", "", ""]
      : ["\(CSVKind.trackpoint)", "\(lastTrack)", "\(segment)", ""]
    prefix = joined(fields)
  }

  private func joined(_ fields: [String]) -> String {
    fields.joined(separator: String(Unicode.Scalar(separator)))
  }

  private mutating func add(_ column: Column) {
    guard !columns.contains(column) else { return }
    columns.append(column)
    rows.addColumn()
  }

  /// Adds the columns for a row's texts.
  private mutating func addColumns(for details: PointDetails) {
    if details.name != nil { add(.name) }
    if details.comment != nil { add(.comment) }
    if details.description != nil { add(.description) }
    if details.source != nil { add(.source) }
    if details.symbol != nil { add(.symbol) }
    if details.type != nil { add(.type) }
    if details.fix != nil { add(.fix) }
    if details.differentialStation != nil { add(.differentialStation) }
    if let link = details.links.first {
      add(.link)
      losses.add("further links of points", details.links.count - 1)
      if link.text != nil || link.mediaType != nil { losses.add("texts and types of links") }
    }
    if let extra = details.extraValues {
      for (name, value) in zip(extra.names, extra.values) where !value.isNaN { add(.extra(name)) }
    }
    if details.color != nil { losses.add("colours of points") }
    losses.add("extensions", details.extensions.count)
  }

  // MARK: Rows

  private mutating func append(_ batch: borrowing PointBatch) {
    for channel in batch.channels.subtracting(channels).channels {
      // A column of the batch can be empty.
      let values = batch.values(of: channel)
      guard values.indices.contains(where: { !values[$0].isNaN }) else { continue }
      channels.insert(ChannelSet(channel))
      add(.channel(channel))
    }
    for row in batch.details { addColumns(for: row.details) }
    let times = batch.times
    let latitudes = batch.latitudes
    let longitudes = batch.longitudes
    let elevations = batch.values(of: .elevation)
    var detail = 0
    for row in 0..<batch.count {
      rows.spool.buffer.append(prefix)
      var details: PointDetails?
      if detail < batch.details.count, batch.details[detail].row == row {
        details = batch.details[detail].details
        detail += 1
      }
      append(
        time: times[row], latitudes[row], longitudes[row],
        elevation: elevations.isEmpty ? .nan : elevations[row])
      append(details, trackName: trackName, drive: drive) { batch.value($0, at: row) }
      drive = nil
    }
  }

  private mutating func append(_ waypoint: Waypoint) {
    for channel in Channel.allCases where waypoint.values[channel] != nil && !channels.contains(channel) {
      channels.insert(ChannelSet(channel))
      add(.channel(channel))
    }
    addColumns(for: waypoint.details)
    rows.spool.buffer.append(joined(["\(CSVKind.waypoint)", "", "", ""]))
    append(
      time: waypoint.time?.microseconds ?? Instant.absent, waypoint.coordinate.latitude,
      waypoint.coordinate.longitude, elevation: waypoint.values[.elevation] ?? .nan)
    append(waypoint.details, trackName: "", drive: nil) { waypoint.values[$0] }
  }

  private mutating func append(time: Int64, _ latitude: Double, _ longitude: Double, elevation: Double) {
    if time != Instant.absent { ISO8601.append(Instant(microseconds: time), to: &rows.spool.buffer) }
    rows.spool.buffer.append(separator)
    rows.spool.buffer.append(decimal: latitude)
    rows.spool.buffer.append(separator)
    rows.spool.buffer.append(decimal: longitude)
    rows.spool.buffer.append(separator)
    if !elevation.isNaN { rows.spool.buffer.append(decimal: elevation) }
  }

  /// Appends the fields of the additional columns and ends the row.
  private mutating func append(
    _ details: PointDetails?, trackName: String, drive: ExtensionElement?, value: (Channel) -> Double?
  ) {
    setExtraIndices(details?.extraValues)
    for (index, column) in columns.enumerated() {
      rows.spool.buffer.append(separator)
      switch column {
      case .extra:
        guard let values = details?.extraValues?.values, extraIndices[index] >= 0,
          case let value = values[extraIndices[index]], !value.isNaN
        else { continue }
        rows.spool.buffer.append(decimal: value)
      case .channel(let channel): if let value = value(channel) { rows.spool.buffer.append(decimal: value) }
      case .trackName: append(text: trackName)
      case .drive(let attribute): if let value = drive?.value(of: attribute) { append(text: value) }
      default: if let details, let text = CSVWriter.text(of: column, details) { append(text: text) }
      }
    }
    rows.spool.buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func setExtraIndices(_ values: ExtraValues?) {
    guard let names = values?.names, names != extraNames || extraIndices.count != columns.count else {
      return
    }
    extraNames = names
    extraIndices = columns.map { column in
      if case .extra(let name) = column { names.firstIndex(of: name) ?? -1 } else { -1 }
    }
  }

  private mutating func append(text: String) {
    rows.spool.buffer.append(csvText: protected(text), separator: separator)
  }

  /// Returns a text as it is written, after an apostrophe if it is a formula and these are to be quoted.
  private func protected(_ text: String) -> String {
    quotesFormulas ? CSVWriter.quotingFormula(text) : text
  }

  /// Returns a text after an apostrophe if it is a formula.
  package static func quotingFormula(_ text: String) -> String { isFormula(text) ? "'" + text : text }

  /// Whether a spreadsheet may treat a text as a formula.
  private static func isFormula(_ text: String) -> Bool {
    // Some skip a blank before it, and some treat full-width forms of the characters as the characters.
    let blanks = "\t\n\r ".unicodeScalars
    guard let first = text.unicodeScalars.first(where: { !blanks.contains($0) }) else { return false }
    return "=+-@＝＋－＠".unicodeScalars.contains(first) && DecimalReading.read(Array(text.utf8).span) == nil
  }

  private static func text(of column: Column, _ details: PointDetails) -> String? {
    switch column {
    case .name: details.name
    case .comment: details.comment
    case .description: details.description
    case .source: details.source
    case .symbol: details.symbol
    case .type: details.type
    case .fix: details.fix
    case .differentialStation: details.differentialStation.map { String($0) }
    case .link: details.links.first?.address
    case .trackName, .drive, .channel, .extra: nil
    }
  }
}

extension ByteBuffer {
  /// Appends a field, quoted if it contains a separator, a quote, a line end, or leading or trailing spaces,
  /// which readers may remove (RFC 4180, section 2), or a zero byte, which could be damage.
  package mutating func append(csvText text: String, separator: UInt8 = UInt8(ascii: ",")) {
    let needsQuotes =
      text.utf8.contains { $0 == separator || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D || $0 == 0 }
      || text.utf8.first.map { $0 <= 0x20 } == true || text.utf8.last.map { $0 <= 0x20 } == true
    guard needsQuotes else {
      append(text)
      return
    }
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }
}
