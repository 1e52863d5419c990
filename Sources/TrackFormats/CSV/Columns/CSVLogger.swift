import TrackModel

/// A data logger whose tables do not state their units or the order of their dates, or whose headings have
/// meanings of their own.
struct CSVLogger {
  /// Headings in lower case that identify the logger.
  private let headings: Set<String>
  let dateOrder: CSVDateOrder?
  private let units: [CSVColumnRole: CSVUnit]
  /// The units in tables whose values are whole numbers.
  private var wholeUnits: [CSVColumnRole: CSVUnit] = [:]
  /// Usual headings for those of the logger in lower case.
  private var aliases: [String: String] = [:]
  /// The first field of the rows with positions, in logs with records of several types.
  private(set) var recordType: String?

  /// The units of a logger whose speeds are in km/h.
  private static let kilometresPerHour = [CSVColumnRole.channel(.speed): CSVUnit.kilometresPerHour]

  /// The units of the instruments of aircraft.
  private static let aviation = [
    CSVColumnRole.channel(.speed): CSVUnit.knots, .channel(.elevation): CSVUnit.feet,
  ]

  private static let all = [
    // Columbus: dates such as 240517.
    CSVLogger(
      headings: ["tag", "date", "latitude n/s", "longitude e/w"], dateOrder: .ymd, units: kilometresPerHour),
    // Alfano: the time of the lap precedes the one since the start.
    CSVLogger(
      headings: ["time lap", "absolute time", "time", "speed gps"], dateOrder: nil, units: kilometresPerHour,
      aliases: ["time": "time of lap", "absolute time": "elapsed time", "speed gps": "speed"]),
    // The laps of Alfano: also as whole numbers of 1e-6 degrees, 0.1 km/h, 0.1 m and 0.01 degrees.
    CSVLogger(
      headings: ["partiel", "speed gps", "lat.", "lon."], dateOrder: nil, units: kilometresPerHour,
      wholeUnits: [
        .latitude: .microdegrees, .longitude: .microdegrees, .channel(.speed): .tenthsOfKilometresPerHour,
        .channel(.elevation): .decimetres, .channel(.course): .hundredthsOfDegrees,
      ],
      aliases: ["speed gps": "speed", "orientation": "course"]),
    // iBlue 747 and Qstarz: usually with the unit in each cell.
    CSVLogger(
      headings: ["index", "valid", "n/s", "e/w", "speed"], dateOrder: .ymd, units: kilometresPerHour),
    // VESC Tool: milliseconds since midnight. Rows follow the motor controller, and repeat the position.
    CSVLogger(
      headings: ["ms_today", "gnss_lat", "gnss_lon"], dateOrder: nil, units: [:],
      aliases: ["ms_today": "time (ms)", "gnss_postime": "time of fix", "gnss_gvel": "speed (m/s)"]),
    // ArduPilot: the time since the start, with that of GPS in other columns.
    CSVLogger(
      headings: ["timeus", "gms", "gwk"], dateOrder: nil, units: [:],
      aliases: ["spd": "speed (m/s)", "gcrs": "course"]),
    // Betaflight.
    CSVLogger(
      headings: ["gps_coord[0]", "gps_coord[1]"], dateOrder: nil, units: [:],
      aliases: ["gps_coord[0]": "latitude", "gps_coord[1]": "longitude"]),
    // GnssLogger: each type of records has a heading in a comment.
    CSVLogger(
      headings: ["fix", "provider", "unixtimemillis"], dateOrder: nil, units: [:],
      aliases: ["fix": "type of record"], recordType: "Fix"),
    CSVLogger(
      headings: ["fix", "provider", "(utc)timeinms"], dateOrder: nil, units: [:],
      aliases: ["fix": "type of record", "(utc)timeinms": "time (ms)"], recordType: "Fix"),
    // RTKLIB: dates or weeks of GPS without a heading, and white space between the columns.
    CSVLogger(
      headings: ["latitude(deg)", "longitude(deg)", "q", "ns"], dateOrder: .ymd, units: [:],
      aliases: ["": "date", "gpst": "time", "ns": "satellites"]),
    // The logs of DJI by PhantomHelp.
    CSVLogger(
      headings: ["custom.date [local]", "custom.updatetime [local]"], dateOrder: nil, units: [:],
      aliases: ["custom.date [local]": "date", "custom.updatetime [local]": "time"]),
    // AndroSensor.
    CSVLogger(
      headings: ["yyyy-mo-dd hh-mi-ss_sss"], dateOrder: .ymd, units: [:],
      aliases: [
        "yyyy-mo-dd hh-mi-ss_sss": "time", "satellites in range": "satellites",
        "location orientation (°)": "course (°)",
      ]),
    // EdgeTX and OpenTX: both coordinates in one column.
    CSVLogger(
      headings: ["date", "time", "gps", "hdg(@)"], dateOrder: .ymd, units: [:], aliases: ["gps": "position"]),
    // RaceBox.
    CSVLogger(headings: ["record", "gforcex", "gforcez"], dateOrder: nil, units: kilometresPerHour),
    // Garmin G1000, whose units are in a comment above the heading.
    CSVLogger(headings: ["lcl date", "lcl time", "utcofst", "gndspd"], dateOrder: .ymd, units: aviation),
    // AIS of ships, as MarineCadastre and the Danish Maritime Authority publish it.
    // The heading is that of the bow, the course that of the movement.
    CSVLogger(
      headings: ["mmsi", "sog", "cog"], dateOrder: nil, units: [.channel(.speed): .knots],
      aliases: [
        "heading": "heading of the bow", "name": "track name", "vesselname": "track name",
        "vessel_name": "track name",
      ]),
    // Traccar.
    CSVLogger(
      headings: ["deviceid", "protocol", "servertime", "devicetime", "fixtime"], dateOrder: nil,
      units: [.channel(.speed): .knots], aliases: ["devicetime": "time of device"]),
    // ForeFlight and Flightradar24.
    CSVLogger(headings: ["timestamp", "bank", "pitch", "g load"], dateOrder: nil, units: aviation),
    CSVLogger(headings: ["timestamp", "utc", "callsign", "position"], dateOrder: nil, units: aviation),
  ]

  /// Returns the logger that writes a heading row, or `nil`.
  static func named(by headings: [String]) -> CSVLogger? {
    let names = Set(headings.map { $0.lowercased() })
    return all.first { names.isSuperset(of: $0.headings) }
  }

  /// Returns the unit of a column whose heading states none.
  ///
  /// - Parameter areWhole: whether the positions are whole numbers.
  func unit(of meaning: CSVColumnRole, areWhole: Bool) -> CSVUnit? {
    areWhole && !wholeUnits.isEmpty ? wholeUnits[meaning] : units[meaning]
  }

  /// Returns the usual heading for one of the logger.
  func usualHeading(_ heading: String) -> String { aliases[heading.lowercased()] ?? heading }
}
