import TrackModel

/// The properties of a Feature that the model can represent, in the spellings of togeojson, simplestyle,
/// Overland, GDAL and this writer.
enum GeoJSONProperty: UInt16 {
  case other = 0
  case name, title, description, comment, source, type, number, links, link, symbol, fix, station
  case time, timeSpan, laps, resolution
  case coordTimes, coordinateProperties
  case stroke, strokeOpacity, strokeWidth
  case gpxType, cutAt, markerColor
  /// An attribute of ``DriveElement``.
  case drive

  private static let spellings: [(String, GeoJSONProperty)] = [
    ("name", .name), ("title", .title), ("desc", .description), ("description", .description),
    ("cmt", .comment),
    ("comment", .comment), ("src", .source), ("source", .source), ("type", .type), ("number", .number),
    ("links", .links), ("link", .link), ("sym", .symbol), ("symbol", .symbol), ("marker-symbol", .symbol),
    ("fix", .fix), ("dgpsid", .station), ("time", .time), ("timestamp", .time), ("datetime", .time),
    ("recorded_at", .time), ("date_time", .time), ("utc", .time), ("timespan", .timeSpan),
    ("laps", .laps), ("coarseness", .resolution),
    ("coordTimes", .coordTimes), ("times", .coordTimes), ("timestamps", .coordTimes),
    ("datetimes", .coordTimes), ("coordinateProperties", .coordinateProperties),
    ("stroke", .stroke), ("stroke-opacity", .strokeOpacity), ("stroke-width", .strokeWidth),
    ("_gpxType", .gpxType), ("_cutAt", .cutAt), ("marker-color", .markerColor),
  ]

  /// The codes of the properties, followed by those of the usual channel names, which start at
  /// ``firstSensor``.
  static let names = JSONNames(
    spellings.map { ($0.0, $0.1.rawValue) }
      + DriveElement.attributes.map { (DriveElement.columnPrefix + $0, drive.rawValue) }
      + Channel.allCases.map { (GeoJSONSensor.propertyName($0), firstSensor + UInt16($0.rawValue)) })

  private static let firstSensor: UInt16 = 256

  /// Returns the channel for a code of ``names``.
  static func channel(_ code: UInt16) -> Channel? {
    code < firstSensor ? nil : Channel(rawValue: UInt8(truncatingIfNeeded: code - firstSensor))
  }

  /// The value of `_cutAt` for lines that the writer cut.
  static let antimeridian = "antimeridian"

  /// The usual spelling, for a value that is kept because it is invalid.
  var spelling: String { GeoJSONProperty.spellings.first { $0.1 == self }?.0 ?? "" }
}

/// The names of the channels of points.
enum GeoJSONSensor {
  /// Returns the name of a channel's array in `coordinateProperties`, as in togeojson if it has one.
  static func arrayName(_ channel: Channel) -> String {
    switch channel {
    case .elevation: "elevations"
    case .horizontalAccuracy: "horizontalAccuracies"
    case .verticalAccuracy: "verticalAccuracies"
    case .speed: "speeds"
    case .course: "courses"
    case .heartRate: "heart"
    case .cadence: "cads"
    case .power: "powers"
    case .temperature: "atemps"
    case .waterTemperature: "wtemps"
    case .depth: "depths"
    case .distance: "distances"
    case .hdop: "hdops"
    case .vdop: "vdops"
    case .pdop: "pdops"
    case .satellites: "sats"
    case .geoidHeight: "geoidheights"
    case .magneticVariation: "magvars"
    case .differentialAge: "differentialAges"
    case .bearing: "bearings"
    }
  }

  /// Returns the name of a channel as a property of a Point, as in Overland if it has one.
  static func propertyName(_ channel: Channel) -> String {
    switch channel {
    case .elevation: "altitude"
    case .horizontalAccuracy: "horizontal_accuracy"
    case .verticalAccuracy: "vertical_accuracy"
    case .speed: "speed"
    case .course: "course"
    case .heartRate: "heartRate"
    case .cadence: "cadence"
    case .power: "power"
    case .temperature: "atemp"
    case .waterTemperature: "wtemp"
    case .depth: "depth"
    case .distance: "distance"
    case .hdop: "hdop"
    case .vdop: "vdop"
    case .pdop: "pdop"
    case .satellites: "sat"
    case .geoidHeight: "geoidheight"
    case .magneticVariation: "magvar"
    case .differentialAge: "ageofdgpsdata"
    case .bearing: "bearing"
    }
  }

  /// Spellings in lower case, without a prefix, without characters other than letters and digits, and
  /// without the `s` of a plural.
  private static let names = JSONNames([
    ("heart", code(.heartRate)), ("heartrate", code(.heartRate)), ("hr", code(.heartRate)),
    ("cad", code(.cadence)), ("cadence", code(.cadence)), ("runcadence", code(.cadence)),
    ("power", code(.power)), ("watt", code(.power)), ("powerinwatt", code(.power)),
    ("atemp", code(.temperature)), ("temp", code(.temperature)), ("temperature", code(.temperature)),
    ("airtemperature", code(.temperature)),
    ("wtemp", code(.waterTemperature)), ("watertemperature", code(.waterTemperature)),
    ("depth", code(.depth)), ("distance", code(.distance)),
    ("speed", code(.speed)), ("velocity", code(.speed)),
    ("course", code(.course)), ("heading", code(.course)), ("bearing", code(.bearing)),
    ("ele", code(.elevation)), ("elevation", code(.elevation)), ("altitude", code(.elevation)),
    ("alt", code(.elevation)),
    ("horizontalaccuracy", code(.horizontalAccuracy)), ("horizontalaccuracie", code(.horizontalAccuracy)),
    ("accuracy", code(.horizontalAccuracy)), ("accuracie", code(.horizontalAccuracy)),
    ("hacc", code(.horizontalAccuracy)), ("accuracyhorizontal", code(.horizontalAccuracy)),
    ("verticalaccuracy", code(.verticalAccuracy)), ("verticalaccuracie", code(.verticalAccuracy)),
    ("altitudeaccuracy", code(.verticalAccuracy)), ("vacc", code(.verticalAccuracy)),
    ("accuracyvertical", code(.verticalAccuracy)),
    ("hdop", code(.hdop)), ("vdop", code(.vdop)), ("pdop", code(.pdop)),
    ("sat", code(.satellites)), ("satellite", code(.satellites)),
    ("geoidheight", code(.geoidHeight)), ("magvar", code(.magneticVariation)),
    ("magneticvariation", code(.magneticVariation)), ("differentialage", code(.differentialAge)),
    ("ageofdgpsdata", code(.differentialAge)),
  ])

  private static func code(_ channel: Channel) -> UInt16 { UInt16(channel.rawValue) + 1 }

  /// Returns the channel for a name such as `heartRates`, `gpxtpx:hr` or `horizontal_accuracy`, or nil.
  static func channel(_ name: Span<UInt8>) -> Channel? {
    var plain: [UInt8] = []
    guard name.count <= 40 else { return nil }
    plain.reserveCapacity(name.count)
    for index in name.indices {
      let byte = name[index]
      switch byte {
      case UInt8(ascii: ":"): plain.removeAll(keepingCapacity: true)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): plain.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): plain.append(byte)
      default: break
      }
    }
    if plain.last == UInt8(ascii: "s") { plain.removeLast() }
    let code = names.code(of: plain.span)
    return code == 0 ? nil : Channel(rawValue: UInt8(truncatingIfNeeded: code - 1))
  }
}
