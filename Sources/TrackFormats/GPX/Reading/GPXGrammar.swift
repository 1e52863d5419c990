import TrackModel

/// The names of GPX 1.0 and 1.1 and of the supported extensions.
enum GPXElement: UInt16 {
  /// An unknown name; also the tape's code for unknown names.
  case other = 0
  case gpx, metadata, author, email, copyright, year, license, link, text, keywords, bounds
  case url, urlname
  // Attributes.
  case creator, lat, lon, href, id, domain
  case wpt, rte, rtept, trk, trkseg, trkpt, extensions
  case name, cmt, desc, src, number, type
  case ele, time, magvar, geoidheight, sym, fix, sat, hdop, vdop, pdop, ageofdgpsdata, dgpsid, speed, course
  // Containers inside `extensions` whose children are sensor values.
  case sensorContainer
  // Sensor values inside `extensions`.
  case airTemperature, waterTemperature, depth, heartRate, cadence, extensionSpeed, extensionCourse, bearing
  case power, distance, horizontalAccuracy, verticalAccuracy

  /// The elements of GPX by name, the same in both versions.
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
    // Some exporters use this namespace for elements of Garmin's PowerExtension.
    "PowerExtension": .sensorContainer, "PowerInWatts": .power,
  ]

  /// Sensor values without a namespace, as written into `extensions` by Strava (`power`), Apple Watch
  /// exports (`hAcc`) and loggers.
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

  /// Returns the element for a name. Names are matched by namespace, never by prefix.
  ///
  /// - Parameter core: the namespace of the root element, which is treated as that of GPX.
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

  /// The channel of a sensor value inside `extensions`, or nil for other elements.
  var sensor: Channel? {
    switch self {
    case .airTemperature: .temperature
    case .waterTemperature: .waterTemperature
    case .depth: .depth
    case .heartRate: .heartRate
    case .cadence: .cadence
    // Elements of GPX 1.0, which files without namespaces also use inside `extensions`.
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

  /// The channel of a child of a point, or nil for other elements.
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
