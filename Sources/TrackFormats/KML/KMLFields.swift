import TrackModel

/// The names of values in `ExtendedData` and in the sensor arrays of a `gx:Track`.
enum KMLFields {
  /// Fields of the model without a KML element, by the name of their `Data`.
  enum Field: String {
    case type, source, number, symbol, fix, station, link
    // Fields of the file.
    case creator, time, keywords, copyright, license
    case copyrightYear = "copyright-year"
    /// The kind of a placemark's line if it is not a track.
    case kind = "ghost-convert:kind"
  }

  /// The value of ``Field/kind`` for a route.
  static let route = "route"
  /// The value of ``Field/kind`` for a line that repeats the preceding track for programs that do not
  /// support `gx:Track`.
  static let plainLine = "plain line"

  /// The array in which 1 marks the interpolated times of a track.
  static let untimed = "ghost-convert:untimed"

  /// Returns the name of a channel's array, its heading with the unit, and its type.
  static func array(_ channel: Channel) -> (name: String, heading: String, type: String) {
    switch channel {
    case .elevation: ("elevation", "Elevation (m)", "float")
    case .horizontalAccuracy: ("accuracy_horizontal", "Horizontal accuracy (m)", "float")
    case .verticalAccuracy: ("accuracy_vertical", "Vertical accuracy (m)", "float")
    case .speed: ("speed", "Speed (m/s)", "float")
    case .course: ("course", "Course (°)", "float")
    case .heartRate: ("heartrate", "Heart rate (bpm)", "float")
    case .cadence: ("cadence", "Cadence (rpm)", "float")
    case .power: ("power", "Power (W)", "float")
    case .temperature: ("temperature", "Temperature (°C)", "float")
    case .waterTemperature: ("water_temperature", "Water temperature (°C)", "float")
    case .depth: ("depth", "Depth (m)", "float")
    case .distance: ("distance", "Distance (m)", "double")
    case .hdop: ("hdop", "HDOP", "float")
    case .vdop: ("vdop", "VDOP", "float")
    case .pdop: ("pdop", "PDOP", "float")
    case .satellites: ("satellites", "Satellites", "float")
    case .geoidHeight: ("geoid_height", "Height of the geoid (m)", "float")
    case .magneticVariation: ("magnetic_variation", "Magnetic variation (°)", "float")
    case .differentialAge: ("differential_age", "Age of the differential correction (s)", "float")
    case .bearing: ("destination_bearing", "Bearing to the destination (°)", "float")
    }
  }

  /// Returns the channel for a name, in the spellings of Google's My Tracks, OpenTracks, GPSBabel and
  /// loggers. Case and separators are ignored. A bearing is read as the course, because phones use that name.
  static func channel(_ name: String) -> Channel? {
    channels[String(String.UnicodeScalarView(name.unicodeScalars.lazy.filter(isLetterOrDigit))).lowercased()]
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  private static let channels: [String: Channel] = {
    var names: [String: Channel] = [
      "hr": .heartRate, "bpm": .heartRate, "heart": .heartRate, "pulse": .heartRate, "cad": .cadence,
      "bikecadence": .cadence, "runcadence": .cadence, "watts": .power, "temp": .temperature,
      "atemp": .temperature, "airtemperature": .temperature, "wtemp": .waterTemperature,
      "accuracy": .horizontalAccuracy, "hacc": .horizontalAccuracy, "horizontalaccuracy": .horizontalAccuracy,
      "gpsaccuracy": .horizontalAccuracy, "vacc": .verticalAccuracy, "verticalaccuracy": .verticalAccuracy,
      "altitudeaccuracy": .verticalAccuracy, "velocity": .speed, "gpsspeed": .speed, "bearing": .course,
      "heading": .course, "direction": .course, "sat": .satellites, "sats": .satellites,
      "numsat": .satellites, "altitude": .elevation, "ele": .elevation, "geoidseparation": .geoidHeight,
      "magvar": .magneticVariation,
    ]
    for channel in Channel.allCases {
      names[array(channel).name.filter { $0 != "_" }] = channel
    }
    return names
  }()
}
