import TrackModel

/// The names that GPX 1.0 and 1.1 and the known extensions give meaning to.
enum GPXElement: UInt16 {
  /// A name without a meaning here; the code of the tape for unknown.
  case other = 0
  case gpx, metadata, author, email, copyright, year, license, link, text, keywords, bounds
  case url, urlname
  // Attributes.
  case creator, lat, lon, href, id, domain
  case wpt, rte, rtept, trk, trkseg, trkpt, extensions
  case name, cmt, desc, src, number, type
  case ele, time, magvar, geoidheight, sym, fix, sat, hdop, vdop, pdop, ageofdgpsdata, dgpsid, speed, course
  // Containers inside `extensions` whose children are sensors.
  case sensorContainer
  // Sensors inside `extensions`.
  case airTemperature, waterTemperature, depth, heartRate, cadence, extensionSpeed, extensionCourse, bearing
  case power, distance, horizontalAccuracy, verticalAccuracy

  /// The elements of GPX itself by their spelling, the same in both versions.
  private static let core: [String: GPXElement] = [
    "gpx": .gpx, "metadata": .metadata, "author": .author, "email": .email, "copyright": .copyright,
    "year": .year, "license": .license, "link": .link, "text": .text, "keywords": .keywords,
    "bounds": .bounds, "url": .url, "urlname": .urlname, "wpt": .wpt, "rte": .rte, "rtept": .rtept,
    "trk": .trk, "trkseg": .trkseg, "trkpt": .trkpt, "extensions": .extensions, "name": .name, "cmt": .cmt,
    "desc": .desc, "src": .src, "number": .number, "type": .type, "ele": .ele, "time": .time,
    "magvar": .magvar, "geoidheight": .geoidheight, "sym": .sym, "fix": .fix, "sat": .sat, "hdop": .hdop,
    "vdop": .vdop, "pdop": .pdop, "ageofdgpsdata": .ageofdgpsdata, "dgpsid": .dgpsid, "speed": .speed,
    "course": .course, "creator": .creator, "lat": .lat, "lon": .lon, "href": .href, "id": .id,
    "domain": .domain,
  ]

  /// Garmin's TrackPointExtension, versions 1 and 2.
  private static let trackPoint: [String: GPXElement] = [
    "TrackPointExtension": .sensorContainer, "atemp": .airTemperature, "wtemp": .waterTemperature,
    "depth": .depth, "hr": .heartRate, "cad": .cadence, "speed": .extensionSpeed,
    "course": .extensionCourse, "bearing": .bearing,
    // Some exporters put Garmin's PowerExtension into this namespace.
    "PowerExtension": .sensorContainer, "PowerInWatts": .power,
  ]

  /// Sensors without a namespace of their own, as Strava (`power`), Apple Watch exports (`hAcc`) and loggers
  /// write them into `extensions`.
  private static let bare: [String: GPXElement] = [
    "power": .power, "heartrate": .heartRate, "hr": .heartRate, "cadence": .cadence, "cad": .cadence,
    "temp": .airTemperature, "atemp": .airTemperature, "temperature": .airTemperature,
    "distance": .distance, "hAcc": .horizontalAccuracy, "vAcc": .verticalAccuracy,
    "accuracy": .horizontalAccuracy, "TrackPointExtension": .sensorContainer,
  ]

  private static let cluetrust: [String: GPXElement] = [
    "hr": .heartRate, "cadence": .cadence, "temp": .airTemperature, "distance": .distance, "power": .power,
  ]

  private static let garmin: [String: GPXElement] = [
    "TrackPointExtension": .sensorContainer, "Temperature": .airTemperature, "Depth": .depth,
  ]

  private static let power1: [String: GPXElement] = [
    "PowerExtension": .sensorContainer, "PowerInWatts": .power,
  ]

  private static let openTracks: [String: GPXElement] = [
    "accuracy_horizontal": .horizontalAccuracy, "accuracy_vertical": .verticalAccuracy,
  ]

  /// What a name means: matched by namespace, never by prefix.
  ///
  /// - Parameter core: the namespace of the root element, which is GPX's whatever it is called.
  static func classify(_ name: XMLName, core coreNamespace: String?) -> GPXElement {
    guard let namespace = name.namespace, !namespace.isEmpty, namespace != coreNamespace else {
      return GPXElement.core[name.local] ?? bare[name.local] ?? .other
    }
    let table: [String: GPXElement] =
      switch namespace {
      case GPXNamespace.gpx10, GPXNamespace.gpx11: core.merging(bare) { core, _ in core }
      case GPXNamespace.trackPoint1, GPXNamespace.trackPoint2: trackPoint
      case GPXNamespace.garmin3: garmin
      case GPXNamespace.power1: power1
      case _ where namespace.hasPrefix("http://www.cluetrust.com/"): cluetrust
      case GPXNamespace.openTracks: openTracks
      case _ where GPXNamespace.isOsmAnd(namespace): ["speed": .extensionSpeed]
      default: [:]
      }
    return table[name.local] ?? .other
  }

  /// The channel that a sensor inside `extensions` is; nil for what is none.
  var sensor: Channel? {
    switch self {
    case .airTemperature: .temperature
    case .waterTemperature: .waterTemperature
    case .depth: .depth
    case .heartRate: .heartRate
    case .cadence: .cadence
    // GPX 1.0's own names, which files without namespaces use inside `extensions` too.
    case .extensionSpeed, .speed: .speed
    case .extensionCourse, .course: .course
    case .bearing: .bearing
    case .power: .power
    case .distance: .distance
    case .horizontalAccuracy: .horizontalAccuracy
    case .verticalAccuracy: .verticalAccuracy
    default: nil
    }
  }

  /// The channel that a child of a point is; nil for what is none.
  var pointChannel: Channel? {
    switch self {
    case .ele: .elevation
    case .magvar: .magneticVariation
    case .geoidheight: .geoidHeight
    case .sat: .satellites
    case .hdop: .hdop
    case .vdop: .vdop
    case .pdop: .pdop
    case .ageofdgpsdata: .differentialAge
    case .speed: .speed
    case .course: .course
    default: nil
    }
  }
}
