import TrackModel

/// The columns of a table by the meaning of their values, for reading rows.
struct CSVRowColumns {
  /// The source of a column's values. Compact, because it is accessed for each field.
  struct Source {
    let index: Int
    let unit: CSVUnit
    let isOwnUnit: Bool

    init(_ column: CSVLayout.Column) {
      index = column.index
      unit = column.unit
      isOwnUnit = column.unit.isOwn
    }
  }

  /// The number of columns in the heading.
  private(set) var width: Int?
  private(set) var latitude: Source?
  private(set) var longitude: Source?
  private(set) var position: Source?
  private(set) var latitudeHemisphere: Int?
  private(set) var longitudeHemisphere: Int?
  private(set) var time: Source?
  private(set) var date: Source?
  private(set) var clock: Source?
  /// The end of the span at the position.
  private(set) var end: Source?
  private(set) var delay: Source?
  /// The milliseconds of whole seconds.
  private(set) var milliseconds: Int?
  private(set) var zone: Int?
  private(set) var channels: [(channel: Channel, source: Source)] = []
  /// Whether distances are those since the last row.
  private(set) var areDistancesPerRow = false
  private(set) var kind: Source?
  private(set) var name: Int?
  /// The columns whose changes start tracks and segments.
  private(set) var track: Int?
  /// Whether the tracks are those of vehicles, ships, animals or devices.
  private(set) var areTracksOfObjects = false
  /// Whether a track can begin before the end of the one above it.
  private(set) var areTracksIndependent = false
  private(set) var segment: Int?
  private(set) var fragment: Int?
  private(set) var lap: Int?
  private(set) var trackName: Int?
  private(set) var drive: [(attribute: String, index: Int)] = []
  private(set) var texts = CSVTextColumns()
  /// The column that marks rows which repeat the position of an earlier one.
  private(set) var update: Int?
  private(set) var fixes: [Int] = []
  private(set) var fixTime: Int?
  private(set) var extras: [Int] = []
  /// The extra columns without a value in the first rows.
  private(set) var emptyExtras: [Int] = []
  private(set) var extraNames: [ExtraValues.Name] = []
  private(set) var sensors: CSVLayout.SensorColumns?

  let dateOrder: CSVDateOrder?
  let areUTC: Bool
  let areOfGPS: Bool
  /// The columns whose numbers are serial days of spreadsheets.
  private(set) var serials: Set<Int> = []
  /// Whether the local times of the first rows descend.
  private(set) var areNewestFirst = false
  /// Whether there are columns that the writer does not write. Loggers write 0, 0 without a fix.
  private(set) var areOfLogger = false
  /// Whether rows with a name are waypoints.
  private(set) var namesMakeWaypoints = false
  /// The headings by column, for warnings.
  private(set) var headings: [Int: String] = [:]
  /// The headings of all columns, to recognise repeated heading rows.
  private(set) var headingText: [[UInt8]] = []

  /// No columns.
  init() {
    dateOrder = nil
    areUTC = false
    areOfGPS = false
  }

  init(_ layout: CSVLayout) {
    width = layout.width
    dateOrder = layout.dateOrder
    areUTC = layout.isUTC
    areOfGPS = layout.isGPSTime
    for column in layout.columns {
      headings[column.index] = column.heading
      let source = Source(column)
      switch column.meaning {
      case .latitude: latitude = source
      case .longitude: longitude = source
      case .position: position = source
      case .latitudeHemisphere: latitudeHemisphere = column.index
      case .longitudeHemisphere: longitudeHemisphere = column.index
      case .time: time = source
      case .date: date = source
      case .timeOfDay: clock = source
      case .channel(let channel): channels.append((channel, source))
      case .step:
        channels.append((.distance, source))
        areDistancesPerRow = true
      case .kind: kind = source
      case .track: track = column.index
      case .segment: segment = column.index
      case .fragment: fragment = column.index
      case .lap: lap = column.index
      case .update: update = column.index
      case .fixTime: fixTime = column.index
      case .endTime: end = source
      case .delay: delay = source
      case .zone: zone = column.index
      case .trackName: trackName = column.index
      case .drive(let attribute): drive.append((attribute, column.index))
      case .name:
        name = column.index
        texts.add(.name, column.index)
      case .comment, .description, .source, .symbol, .type, .fix, .differentialStation, .link:
        texts.add(column.meaning, column.index)
      case .ordinal, .elapsed, .startTime, .validity, .object: break
      }
    }
    fixes = layout.fixColumns
    sensors = layout.sensorColumns
    extras = layout.extras.map(\.index)
    emptyExtras = layout.emptyExtras
    extraNames = layout.extras.map(\.name)
    areOfLogger =
      layout.columns.contains { $0.meaning == .update || $0.meaning == .validity }
      || !layout.unsupportedContent.isEmpty || !extras.isEmpty || sensors != nil
    serials = layout.serialColumns
    milliseconds = layout.millisecondColumn
    areNewestFirst = layout.areNewestFirst
    namesMakeWaypoints =
      name != nil && kind == nil && time == nil && date == nil && track == nil && trackName == nil
      && segment == nil
    areTracksOfObjects = track == nil && layout.trackColumn != nil && layout.trackColumn != trackName
    areTracksIndependent = areTracksOfObjects || layout.areTracksMixed
    track = layout.trackColumn
    headingText = layout.headings.map { Array($0.utf8) }
  }
}
